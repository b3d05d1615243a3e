#pragma once
// The displacement field of a link of which tests give the points and frames, already in its coordinates.

#include <utility>

#include "lithe/links/elastic_model.hpp"

namespace lithe::testing {

class DrawnField : public ElasticField {
 public:
  DrawnField(std::vector<FieldPoint> points, std::vector<Frame> frames)
      : points_(std::move(points)), frames_(std::move(frames)) {}
  std::vector<FieldPoint> points(const MatrixX&, bool) const override { return points_; }
  std::vector<Frame> frames(const MatrixX&, bool) const override { return frames_; }

 private:
  std::vector<FieldPoint> points_;
  std::vector<Frame> frames_;
};

}  // namespace lithe::testing
