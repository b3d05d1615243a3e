#pragma once
// What all points of a map share: the mechanisms that are evaluated, the equations of a pose, the columns.

#include <memory>

#include "lithe/simulation/pose_follower.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/workspace_map.hpp"

namespace lithe::detail {

class MapSetup {
 public:
  /// Throws MechanismError for options that make no sense and PhysicsError when the model does not assemble.
  MapSetup(const Model& model, const MapOptions& options);

  const MapOptions& options() const { return options_; }
  bool wants(const std::string& quantity) const;
  bool wants_frequencies() const;
  bool wants_statics() const;

  const Plan& rigid() const { return rigid_->plan; }
  const Plan& own() const { return *own_; }    ///< of the elastic links as they move; where frequencies are wanted
  const Plan& twin() const { return *twin_; }  ///< of their static twins; where statics is wanted
  const Model& own_model() const { return own_model_; }
  FrameRef frame() const { return frame_; }
  const std::string& frame_name() const { return frame_name_; }
  int payload_port() const { return payload_port_; }  ///< among the loads of the twin

  const VectorX& start() const { return start_; }                ///< q of the rigid twin
  const PoseEquations& equations() const { return equations_; }  ///< axes first
  const VectorX& targets() const { return targets_; }            ///< of its coordinates; those of the axes at the start
  const std::vector<PoseCoordinate>& motors() const { return motors_; }
  const std::vector<PoseCoordinate>& task() const { return task_; }  ///< what the frame can do, positions first
  const std::vector<int>& dimensions() const {
    return dimensions_;
  }  ///< rows of a compliance (turns first) that can be
  const std::vector<MapColumn>& columns() const { return columns_; }
  std::map<std::string, double> held() const;

 private:
  void choose_frame();
  void choose_coordinates();
  void choose_branch();
  void describe_columns();
  void add_matrix_columns(const std::string& name, const char* linear, const char* mixed, const char* angular);

  const MapOptions options_;
  Model own_model_;
  std::unique_ptr<Prepared> rigid_;
  std::unique_ptr<Plan> own_, twin_;
  FrameRef frame_;
  std::string frame_name_;
  int payload_port_ = -1;
  VectorX start_, targets_;
  PoseEquations equations_;
  std::vector<PoseCoordinate> motors_, task_;
  std::vector<int> dimensions_;
  std::vector<MapColumn> columns_;
};

}  // namespace lithe::detail
