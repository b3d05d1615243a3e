#include "reproduce/bending.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "reproduce/case_error.hpp"

namespace lithe::reproduce {

DeflectionPlace deflection_place(const Mechanism& mechanism, const std::string& name) {
  const std::size_t last = name.rfind('.');
  const std::size_t middle = last == std::string::npos || last == 0 ? last : name.rfind('.', last - 1);
  if (middle == std::string::npos) throw CaseError(fmt::format("'{}' is not LINK.FRAME.AXIS", name));
  const std::string link_name = name.substr(0, middle), frame_name = name.substr(middle + 1, last - middle - 1);
  const std::string axis = name.substr(last + 1);
  if (axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z')
    throw CaseError(fmt::format("'{}' is not an axis: x, y or z", axis));
  const int index = mechanism.find_link(link_name);
  if (index < 0) throw CaseError(fmt::format("the model has no link '{}'", link_name));
  const LinkData& link = mechanism.links[index];
  const int frame = link.find_frame(frame_name);
  if (frame < 0) throw CaseError(fmt::format("link '{}' has no frame '{}'", link_name, frame_name));
  if (link.elastic.count() == 0) throw CaseError(fmt::format("link '{}' is rigid; it has no deflection", link_name));
  return {index, link.frames[frame].shape.row(axis[0] - 'x')};
}

namespace {

/// The conditions on one link: shape * coordinates = values.
struct Conditions {
  MatrixX shapes;
  VectorX amounts, rates;

  void add(const Eigen::RowVectorXd& shape, double amount, double rate) {
    const Eigen::Index row = shapes.rows();
    shapes.conservativeResize(row + 1, shape.size());
    amounts.conservativeResize(row + 1);
    rates.conservativeResize(row + 1);
    shapes.row(row) = shape;
    amounts[row] = amount;
    rates[row] = rate;
  }
};

Bending least_energy(const LinkData& link, const Conditions& conditions) {
  const Eigen::LLT<MatrixX> stiffness(link.elastic.stiffness);
  const MatrixX compliance = stiffness.solve(conditions.shapes.transpose());
  const Eigen::ColPivHouseholderQR<MatrixX> solver(conditions.shapes * compliance);
  if (stiffness.info() != Eigen::Success || solver.rank() < conditions.shapes.rows())
    throw CaseError(
        fmt::format("the modes of link '{}' cannot take the wanted deflections; keep more of them", link.name));
  return {compliance * solver.solve(conditions.amounts), compliance * solver.solve(conditions.rates)};
}

}  // namespace

std::map<int, Bending> bend_links(const Mechanism& mechanism,
                                  const std::map<std::string, std::pair<double, double>>& wanted) {
  std::map<int, Conditions> conditions;
  const auto add = [&](const std::string& name, const std::pair<double, double>& value) {
    const DeflectionPlace place = deflection_place(mechanism, name);
    conditions[place.link].add(place.shape, value.first, value.second);
  };
  for (const auto& [name, value] : wanted) {
    if (!name.starts_with("*.")) {
      add(name, value);
      continue;
    }
    for (const LinkData& link : mechanism.links)
      if (link.elastic.count() > 0) add(link.name + name.substr(1), value);
  }
  std::map<int, Bending> bent;
  for (const auto& [link, each] : conditions) bent[link] = least_energy(mechanism.links[link], each);
  return bent;
}

}  // namespace lithe::reproduce
