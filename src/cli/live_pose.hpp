#pragma once
// A mechanism in a pose that the reader of the page pulls about: inverse kinematics, limits, how near a singular pose is.

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lithe/simulation/prepare.hpp"

namespace lithe::cli {

class LivePose {
 public:
  /// At the start of the model. Throws as prepare() does.
  explicit LivePose(std::shared_ptr<const Model> model);

  /// The same motors where they stand in `other`, as far as this mechanism can; for a model that has changed a little.
  void follow(const LivePose& other);
  /// {"frame": "LINK/FRAME", "to": [x, y, z]} (m), {"joint": NAME, "to": value} (rad, m) or {"reset": true}. Throws
  /// InputError for anything else.
  void pull(const nlohmann::json& request);
  /// The data of the page, with an entry "pose": joints, limits, conditions, remarks.
  std::string report();

  bool is_pulled() const { return pulled_; }

 private:
  nlohmann::json description();
  /// Elastic links under gravity and the loads of the start, everything else held; `note` says why when there is none.
  VectorX settled(std::string& note);

  std::shared_ptr<const Model> model_;
  Prepared prepared_;
  std::map<std::string, double> motors_;  ///< where they were pulled to
  bool pulled_ = false;
  double missed_ = 0.0;  ///< by the last pull, m or rad
};

/// `json` (an object) with one entry more, first.
std::string with_entry(const std::string& json, const std::string& key, const nlohmann::json& value);

}  // namespace lithe::cli
