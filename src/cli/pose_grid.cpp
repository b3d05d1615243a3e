#include "pose_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "lithe/laws/suggestion.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

/// A joint and which of its coordinates.
std::pair<int, int> joint_of(const Mechanism& mechanism, const std::string& name) {
  if (const int joint = mechanism.find_joint(name); joint >= 0) return {joint, 0};
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 2 != name.size() || !std::isdigit(static_cast<unsigned char>(name.back())))
    return {-1, 0};
  return {mechanism.find_joint(name.substr(0, dot)), name.back() - '0'};
}

bool read_number(std::string_view text, double& value) {
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && rest == text.data() + text.size() && std::isfinite(value);
}

}  // namespace

std::vector<GridAxis> grid_axes(const Model& model, const std::vector<std::string>& texts) {
  std::vector<GridAxis> axes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('='), first = text.find(':', equals), second = text.find(':', first + 1);
    double from = 0.0, to = 0.0, count = 0.0;
    const bool known = equals != std::string::npos && first != std::string::npos && second != std::string::npos &&
                       read_number(std::string_view(text).substr(equals + 1, first - equals - 1), from) &&
                       read_number(std::string_view(text).substr(first + 1, second - first - 1), to) &&
                       read_number(std::string_view(text).substr(second + 1), count);
    if (!known || !(from < to) || count != std::floor(count) || count < 2 || count > 1000)
      throw InputError(
          fmt::format("--over {}: expected JOINT=FROM:TO:COUNT with rising values and at least two of "
                      "them, as in motor-1=0.2:1.4:5",
                      text));
    GridAxis axis{text.substr(0, equals), {}};
    if (const auto [joint, coordinate] = joint_of(model.mechanism, axis.joint);
        joint < 0 || coordinate >= model.mechanism.joints[joint].facts().scalars()) {
      std::vector<std::string> names;
      for (const Joint& each : model.mechanism.joints) names.push_back(each.name);
      throw InputError(fmt::format("--over {}: there is no joint coordinate '{}'{}", text, axis.joint,
                                   did_you_mean(axis.joint, names)));
    }
    const int last = static_cast<int>(count) - 1;
    for (int i = 0; i <= last; ++i) axis.values.push_back(from + (to - from) * i / last);
    axes.push_back(std::move(axis));
  }
  return axes;
}

std::size_t grid_size(const std::vector<GridAxis>& axes) {
  std::size_t size = 1;
  for (const GridAxis& axis : axes) size *= axis.values.size();
  return size;
}

std::vector<double> grid_place(const std::vector<GridAxis>& axes, std::size_t k) {
  std::vector<double> place(axes.size());
  for (std::size_t a = axes.size(); a-- > 0;) {
    place[a] = axes[a].values[k % axes[a].values.size()];
    k /= axes[a].values.size();
  }
  return place;
}

Model model_at(const Model& model, const std::vector<GridAxis>& axes, const std::vector<double>& place) {
  Model moved = model;
  moved.initial_poses.clear();
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const auto [joint, coordinate] = joint_of(model.mechanism, axes[a].joint);
    const std::string& name = model.mechanism.joints[joint].name;
    const auto is_its = [&, k = coordinate](const auto& each) { return each.joint == name && each.coordinate == k; };
    std::erase_if(moved.initial, is_its);
    moved.initial.push_back({name, coordinate, place[a]});
    for (Drive& drive : moved.drives)
      if (is_its(drive) && (drive.wants_motion() || drive.is_led())) {
        drive.follow = ConstantLaw{place[a]};
        drive.shift = 0.0;
      }
  }
  return moved;
}

}  // namespace lithe::cli
