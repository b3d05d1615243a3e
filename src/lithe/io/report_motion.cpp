#include "lithe/io/report_motion.hpp"

#include <fmt/format.h>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe::detail {
namespace {

Mechanism rigid_twin_of(const Mechanism& mechanism) {
  Mechanism twin = mechanism;
  for (LinkData& link : twin.links) link = rigid_twin(link);
  return twin;
}

int required_column(const Results& results, const std::string& column) {
  const int index = results.find(column);
  if (index < 0) {
    throw std::runtime_error(fmt::format(
        "the result has no column '{}': let the model record its coordinates (record: [coordinates, ...])", column));
  }
  return index;
}

}  // namespace

std::vector<std::string> elastic_columns(const Plan& plan, int link) {
  std::vector<std::string> columns;
  const ElasticPlace& place = plan.elastic_places()[link];
  for (int i = 0; i < place.count; ++i) columns.push_back("q." + plan.speed_name(place.v + i));
  return columns;
}

RecordedMotion::RecordedMotion(const Model& model, const Results& results)
    : results_(results),
      plan_(model.mechanism, model.plan),
      work_(plan_),
      sources_(sources_of(plan_, results)),
      q_(plan_.neutral()) {
  if (!plan_.is_elastic()) return;
  rigid_plan_.emplace(rigid_twin_of(model.mechanism), model.plan);
  rigid_work_.emplace(*rigid_plan_);
  rigid_sources_ = sources_of(*rigid_plan_, results);
  rigid_q_ = rigid_plan_->neutral();
}

std::vector<RecordedMotion::Source> RecordedMotion::sources_of(const Plan& plan, const Results& results) {
  std::vector<Source> sources;
  const Mechanism& mechanism = plan.mechanism();
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const JointPlace& place = plan.places()[j];
    if (place.cut) continue;
    for (int i = 0; i < place.nq; ++i) {
      const std::string name = "q." + mechanism.joints[j].name;
      sources.push_back({required_column(results, place.nq == 1 ? name : fmt::format("{}.{}", name, i)), place.q + i});
    }
  }
  for (std::size_t l = 0; l < mechanism.links.size(); ++l) {
    int coordinate = plan.elastic_places()[l].q;
    for (const std::string& column : elastic_columns(plan, static_cast<int>(l))) {
      sources.push_back({required_column(results, column), coordinate++});
    }
  }
  return sources;
}

LinkPoses RecordedMotion::poses(std::size_t row) {
  for (const Source& source : sources_) q_[source.coordinate] = results_.at(row, source.column);
  const std::vector<LinkData>& links = plan_.mechanism().links;
  LinkPoses poses(links.size());
  for (std::size_t l = 1; l < links.size(); ++l) {
    const ElasticPlace& place = plan_.elastic_places()[l];
    // As the engine has it: with 'stress' a frame does not come nearer by the foreshortening.
    const Pose local = deformed<double>(links[l], 0, q_.segment(place.q, place.count));
    poses[l] = frame_pose(plan_, work_, q_, {static_cast<int>(l), 0}) * local.inverse();
  }
  return poses;
}

LinkPoses RecordedMotion::rigid_poses(std::size_t row) {
  const Plan& plan = *rigid_plan_;
  VectorX recorded = rigid_q_;
  for (const Source& source : rigid_sources_) recorded[source.coordinate] = results_.at(row, source.column);
  VectorX closed = recorded;
  if (plan.closure_count() > 0) {
    AssemblyOptions options;
    for (const int speed : plan.actuated_speeds()) {
      if (speed < plan.nv()) options.held.push_back(speed);
    }
    // The rigid mechanism may not reach where the elastic one is; then its links are drawn where their joints say.
    if (!assemble(plan, *rigid_work_, closed, options).status) closed = recorded;
  }
  rigid_q_ = closed;
  LinkPoses poses(plan.mechanism().links.size());
  for (std::size_t l = 1; l < poses.size(); ++l) {
    poses[l] = frame_pose(plan, *rigid_work_, closed, {static_cast<int>(l), 0});
  }
  return poses;
}

}  // namespace lithe::detail
