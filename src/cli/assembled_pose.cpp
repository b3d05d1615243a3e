#include "assembled_pose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "terminal.hpp"

namespace lithe::cli {
namespace {

constexpr double degrees = 180.0 / std::numbers::pi;
constexpr double same_value = 1e-6;  ///< deg or m
constexpr int branch_width = 12;

/// One number of a joint as people read it: degrees or metres; a rotation in space as its rotation vector.
struct JointNumber {
  std::string name;
  double value = 0.0;
  bool angle = false;
};

/// Rounding shows as zero.
std::string short_number(double value) { return number(std::abs(value) < 5e-10 ? 0.0 : value, 6); }

std::vector<JointNumber> numbers_of_joint(const Plan& plan, const VectorX& q, const VectorX& cut_q, std::size_t j) {
  const Joint& joint = plan.mechanism().joints[j];
  const JointPlace& place = plan.places()[j];
  const VectorX& all = place.cut ? cut_q : q;
  const int scalars = joint.facts().scalars();
  std::vector<JointNumber> numbers;
  for (int k = 0; k < scalars; ++k) {
    const bool distance = joint.facts().is_distance(k);
    const std::string name = place.nq == 1 ? joint.name : fmt::format("{}.{}", joint.name, k);
    numbers.push_back({name, all[place.q + k] * (distance ? 1.0 : degrees), !distance});
  }
  if (joint.facts().has_quaternion()) {
    const auto parts = all.segment<4>(place.q + scalars);
    const Vec3 turn =
        vector_from_rotation(Quat(parts[0], parts[1], parts[2], parts[3]).normalized().toRotationMatrix());
    for (int axis = 0; axis < 3; ++axis)
      numbers.push_back({fmt::format("{} turn {}", joint.name, "xyz"[axis]), turn[axis] * degrees, true});
  }
  return numbers;
}

std::vector<JointNumber> all_joint_numbers(const Plan& plan, Workspace& work, const VectorX& q) {
  VectorX cut_q;
  cut_coordinates(plan, work, q, cut_q);
  std::vector<JointNumber> numbers;
  for (std::size_t j = 0; j < plan.places().size(); ++j)
    for (JointNumber& each : numbers_of_joint(plan, q, cut_q, j)) numbers.push_back(std::move(each));
  return numbers;
}

nlohmann::json joints_as_json(const Plan& plan, Workspace& work, const VectorX& q) {
  VectorX cut_q;
  cut_coordinates(plan, work, q, cut_q);
  nlohmann::json joints = nlohmann::json::object();
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const JointPlace& place = plan.places()[j];
    const std::string& name = plan.mechanism().joints[j].name;
    for (int k = 0; k < place.nq; ++k)
      joints[place.nq == 1 ? name : fmt::format("{}.{}", name, k)] = (place.cut ? cut_q : q)[place.q + k];
  }
  return joints;
}

void print_links_at(const Plan& plan, Workspace& work, const VectorX& q) {
  Table table({"link", "x (m)", "y (m)", "z (m)", "turn x (deg)", "turn y (deg)", "turn z (deg)"}, "lrrrrrr");
  for (std::size_t i = 1; i < plan.mechanism().links.size(); ++i) {
    const Pose pose = frame_pose(plan, work, q, {static_cast<int>(i), 0});
    const Vec3 turn = vector_from_rotation(pose.rotation) * degrees;
    std::vector<std::string> row{plan.mechanism().links[i].name};
    for (int axis = 0; axis < 3; ++axis) row.push_back(short_number(pose.position[axis]));
    for (int axis = 0; axis < 3; ++axis) row.push_back(short_number(turn[axis]));
    table.add(std::move(row));
  }
  table.print();
}

void print_joints_at(const Plan& plan, Workspace& work, const VectorX& q) {
  VectorX cut_q;
  cut_coordinates(plan, work, q, cut_q);
  Table table({"joint", "", "at"});
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    std::vector<std::string> texts;
    for (const JointNumber& each : numbers_of_joint(plan, q, cut_q, j))
      texts.push_back(fmt::format("{} {}", short_number(each.value), each.angle ? "deg" : "m"));
    if (texts.empty()) continue;
    const Joint& joint = plan.mechanism().joints[j];
    table.add({joint.name, joint.is_actuated() ? good("motor") : "passive", fmt::format("{}", fmt::join(texts, ", "))});
  }
  table.print();
}

/// Elastic coordinates that are not zero.
std::vector<std::string> bent(const Plan& plan, const VectorX& q) {
  std::vector<std::string> texts;
  for (const ElasticPlace& place : plan.elastic_places())
    for (int k = 0; k < place.count; ++k)
      if (q[place.q + k] != 0.0)
        texts.push_back(fmt::format("{} {}", plan.speed_name(place.v + k), number(q[place.q + k], 5)));
  return texts;
}

}  // namespace

void print_pose(Prepared& prepared) {
  const VectorX& q = prepared.state.q;
  heading("pose at the start (ground axes; turns as rotation vectors)");
  print_links_at(prepared.plan, prepared.work, q);
  fmt::print("\n");
  print_joints_at(prepared.plan, prepared.work, q);
  const std::vector<std::string> bending = bent(prepared.plan, q);
  if (!bending.empty()) fmt::print("  bent: {}\n", fmt::join(bending, ", "));
}

nlohmann::json pose_as_json(Prepared& prepared) {
  const Plan& plan = prepared.plan;
  const VectorX& q = prepared.state.q;
  nlohmann::json links = nlohmann::json::object(), elastic = nlohmann::json::object();
  for (std::size_t i = 1; i < plan.mechanism().links.size(); ++i) {
    const Pose pose = frame_pose(plan, prepared.work, q, {static_cast<int>(i), 0});
    const Vec3 turn = vector_from_rotation(pose.rotation);
    links[plan.mechanism().links[i].name] = {{"at", {pose.position.x(), pose.position.y(), pose.position.z()}},
                                             {"rotation_vector", {turn.x(), turn.y(), turn.z()}}};
  }
  for (const ElasticPlace& place : plan.elastic_places())
    for (int k = 0; k < place.count; ++k) elastic[plan.speed_name(place.v + k)] = q[place.q + k];
  return {{"links", links}, {"joints", joints_as_json(plan, prepared.work, q)}, {"elastic", elastic}};
}

void print_branches(Prepared& prepared, const std::vector<VectorX>& branches) {
  heading(fmt::format(
      "assemblies ({} found; {} held)", branches.size(),
      prepared.work.independent().size() == 1 ? "the independent coordinate" : "the independent coordinates"));
  if (branches.empty()) return;
  std::vector<std::vector<JointNumber>> values;
  for (const VectorX& q : branches) values.push_back(all_joint_numbers(prepared.plan, prepared.work, q));
  std::vector<std::size_t> differing;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < values[0].size(); ++i) {
    bool differs = branches.size() == 1;
    for (const auto& each : values) differs = differs || std::abs(each[i].value - values[0][i].value) > same_value;
    if (!differs) continue;
    differing.push_back(i);
    longest = std::max(longest, values[0][i].name.size());
  }
  const int room = terminal_width() - static_cast<int>(longest) - 8;
  const auto block = static_cast<std::size_t>(std::max(1, room / branch_width));
  for (std::size_t first = 0; first < branches.size(); first += block) {
    const std::size_t last = std::min(branches.size(), first + block);
    std::vector<std::string> head{"joint", ""};
    for (std::size_t b = first; b < last; ++b) head.push_back(b == 0 ? "1 (start)" : fmt::format("{}", b + 1));
    std::string alignment(head.size(), 'r');
    alignment[0] = alignment[1] = 'l';
    Table table(head, alignment);
    for (const std::size_t i : differing) {
      std::vector<std::string> row{values[0][i].name, values[0][i].angle ? "deg" : "m"};
      for (std::size_t b = first; b < last; ++b) row.push_back(short_number(values[b][i].value));
      table.add(std::move(row));
    }
    if (first > 0) fmt::print("\n");
    table.print();
  }
  if (branches.size() > 1) fmt::print("  another one is chosen by values of its passive joints under 'initial'\n");
}

nlohmann::json branches_as_json(Prepared& prepared, const std::vector<VectorX>& branches) {
  nlohmann::json all = nlohmann::json::array();
  for (const VectorX& q : branches) all.push_back(joints_as_json(prepared.plan, prepared.work, q));
  return all;
}

}  // namespace lithe::cli
