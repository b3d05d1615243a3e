#pragma once
// What a model says about its start, as wishes to the assembly, and what is told about those that gave way.

#include <string>
#include <vector>

#include "lithe/kinematics/wished_assembly.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::detail {

/// Motion laws and paths at the start, then values of actuated joints, poses of links, and the other joints, each in the order of
/// the model. Throws MechanismError for names and coordinates that make no sense.
std::vector<Wish> start_wishes(const Model& model, const Plan& plan);

/// Position and rotation of a link, as far as they are given.
std::vector<Wish> wishes_of_pose(const Plan& plan, const InitialPose& pose);

/// Frame of the plan that follows a path; throws MechanismError.
FrameRef frame_of_path(const Plan& plan, const PathDrive& path);

/// Index in State::q of an initial elastic value, or in State::v, by `first`; throws MechanismError.
int elastic_index(const Plan& plan, const ElasticValue& value, int ElasticPlace::*first);

/// Joint of the plan; throws MechanismError.
int joint_index(const Plan& plan, const std::string& name);
/// Link of the plan; throws MechanismError.
int link_index(const Plan& plan, const std::string& name);

/// Pose of the platform of a model in cartesian coordinates, as far as its own joint in `plan` has values or laws.
InitialPose pose_of_platform(const Model& model, const Plan& plan);

/// Names what was not kept, from which value to which: rough guesses together in one line, others one by one.
Remarks what_gave_way(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<Wish>& wishes,
                      const WishedAssembly& assembly);

}  // namespace lithe::detail
