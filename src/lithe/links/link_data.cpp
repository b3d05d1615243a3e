#include "lithe/links/link_data.hpp"

namespace lithe {

ElasticData::ElasticData() = default;
ElasticData::ElasticData(const ElasticData&) = default;
ElasticData::ElasticData(ElasticData&&) noexcept = default;
ElasticData& ElasticData::operator=(const ElasticData&) = default;
ElasticData& ElasticData::operator=(ElasticData&&) noexcept = default;
ElasticData::~ElasticData() = default;

LinkData::LinkData() { frames.push_back({"origin", Pose{}, {}, {}, {}}); }
LinkData::LinkData(const LinkData&) = default;
LinkData::LinkData(LinkData&&) noexcept = default;
LinkData& LinkData::operator=(const LinkData&) = default;
LinkData& LinkData::operator=(LinkData&&) noexcept = default;
LinkData::~LinkData() = default;

int LinkData::find_frame(const std::string& frame) const {
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (frames[i].name == frame) return static_cast<int>(i);
  return -1;
}

LinkData rigid_twin(const LinkData& link) {
  LinkData twin = link;
  twin.elastic = {};
  twin.statics.reset();
  for (Frame& frame : twin.frames) frame = {frame.name, frame.pose, {}, {}, {}};
  for (Outline::Point& point : twin.outline.points) point.shape.resize(3, 0);
  for (Axis::Piece& piece : twin.axis.pieces) {
    for (Matrix3X& shape : piece.shape) shape.resize(3, 0);
    for (Axis::Slopes& slopes : piece.slopes) slopes.resize(2, 0);
  }
  return twin;
}

LinkData static_twin(const LinkData& link) {
  if (!link.statics) return link;
  LinkData twin = *link.statics;
  twin.name = link.name;
  // Frames that were added later stand still in the body frame.
  const Matrix3X still = Matrix3X::Zero(3, twin.elastic.count());
  for (std::size_t i = twin.frames.size(); i < link.frames.size(); ++i)
    twin.frames.push_back({link.frames[i].name, link.frames[i].pose, still, still, {}});
  return twin;
}

}  // namespace lithe
