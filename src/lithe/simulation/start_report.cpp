// What is told about values of the start that gave way.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/simulation/start_wishes.hpp"

namespace lithe::detail {
namespace {

constexpr double told_from = 1e-6;  ///< rad or characteristic lengths: smaller differences are rounding of the file
constexpr double far_off = 0.5;     ///< rad or lengths: probably another assembly than the one that was meant
constexpr double degrees = 180.0 / std::numbers::pi;

std::string place_text(const Vec3& place) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", place.x(), place.y(), place.z());
}

std::string value_text(double value, bool distance) {
  return distance ? fmt::format("{:.6g} m", value) : fmt::format("{:.6g} deg", value * degrees);
}

class GivingWay {
 public:
  GivingWay(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<Wish>& wishes)
      : plan_(plan), wishes_(wishes) {
    for (const Wish& wish : wishes) {
      const VectorX error = wish_error(plan, work, q, wish);
      const double scale = is_distance(plan, wish) ? plan.characteristic_length() : 1.0;
      const double size = error.norm() / scale;
      if (size > told_from) given_way_.push_back({&wish, error, size});
    }
  }

  Remarks told() {
    Remarks report;
    std::vector<const Entry*> rough;
    for (const Entry& each : given_way_) {
      if (each.size > far_off) {
        report.warnings.push_back(sentence(each) + "; lithe check --branches lists the assemblies");
      } else if (is_guess(*each.wish)) {
        rough.push_back(&each);
      } else {
        report.notes.push_back(sentence(each));
      }
    }
    if (rough.size() == 1) report.notes.push_back(sentence(*rough[0]));
    if (rough.size() > 1) {
      const Entry* worst = *std::max_element(rough.begin(), rough.end(),
                                             [](const Entry* a, const Entry* b) { return a->size < b->size; });
      report.notes.push_back(fmt::format("{} guesses under 'initial' gave way to the {}; most of all, {}", rough.size(),
                                         follows_path() ? "path" : "loops", sentence(*worst)));
    }
    return report;
  }

 private:
  struct Entry {
    const Wish* wish;
    VectorX error;
    double size;
  };

  bool concerns_joint(const Wish& wish) const {
    return wish.kind == Wish::Kind::coordinate || wish.kind == Wish::Kind::rotation;
  }

  /// Something in space has a place of its own: a path begins there.
  bool follows_path() const {
    return std::any_of(wishes_.begin(), wishes_.end(),
                       [&](const Wish& wish) { return wish.firm && !concerns_joint(wish); });
  }

  bool is_guess(const Wish& wish) const {
    return concerns_joint(wish) && (!plan_.mechanism().joints[wish.index].is_actuated() || follows_path());
  }

  /// "joint 'pin-1' starts at 53.1301 deg, not at the given 53 deg (the loop 'a, b, c' leaves it no choice)".
  std::string sentence(const Entry& each) const {
    const Wish& wish = *each.wish;
    const Mechanism& m = plan_.mechanism();
    const auto index = static_cast<std::size_t>(wish.index);
    std::string text;
    switch (wish.kind) {
      case Wish::Kind::coordinate: {
        const bool distance = is_distance(plan_, wish);
        const std::string which =
            m.joints[index].name + (plan_.places()[index].nq > 1 ? fmt::format(".{}", wish.coordinate) : std::string());
        text = fmt::format("joint '{}' starts at {}, not at the given {}", which,
                           value_text(wish.value + each.error[0], distance), value_text(wish.value, distance));
        break;
      }
      case Wish::Kind::rotation:
        text = fmt::format("joint '{}' starts turned by {:.4g} deg from the given rotation", m.joints[index].name,
                           each.error.norm() * degrees);
        break;
      case Wish::Kind::link_position:
        text = fmt::format("link '{}' starts at {}, not at the given {}", m.links[index].name,
                           place_text(wish.position + each.error), place_text(wish.position));
        break;
      case Wish::Kind::link_rotation:
        text = fmt::format("link '{}' starts turned by {:.4g} deg from the given rotation", m.links[index].name,
                           each.error.norm() * degrees);
        break;
    }
    return text + reason(wish);
  }

  std::string reason(const Wish& wish) const {
    const auto rules_over = [&](const Wish& law) {
      return law.firm && &law != &wish && law.kind == wish.kind && law.index == wish.index &&
             law.coordinate == wish.coordinate;
    };
    if (std::any_of(wishes_.begin(), wishes_.end(), rules_over)) return " (its motion law begins there)";
    if (follows_path() && !wish.firm) return " (the path begins there)";
    for (std::size_t cut = 0; cut < plan_.cut_joints().size(); ++cut) {
      const std::vector<int>& loop = plan_.loop_joints(static_cast<int>(cut));
      const bool touches = std::any_of(loop.begin(), loop.end(), [&](int joint) {
        const Joint& each = plan_.mechanism().joints[joint];
        return concerns_joint(wish) ? joint == wish.index : each.from.link == wish.index || each.to.link == wish.index;
      });
      if (touches) return fmt::format(" (the loop '{}' leaves it no choice)", plan_.loop_name(static_cast<int>(cut)));
    }
    for (const Coupling& coupling : plan_.mechanism().couplings)
      for (const Coupling::Term& term : coupling.terms)
        if (concerns_joint(wish) && term.coordinate.joint == wish.index)
          return fmt::format(" (the coupling '{}' leaves it no choice)", coupling.name);
    return " (the other given values leave it no choice)";
  }

  const Plan& plan_;
  const std::vector<Wish>& wishes_;
  std::vector<Entry> given_way_;
};

}  // namespace

Remarks what_gave_way(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<Wish>& wishes,
                      const WishedAssembly& assembly) {
  Remarks report = GivingWay(plan, work, q, wishes).told();
  if (assembly.equally_good > 0) {
    report.notes.push_back(fmt::format(
        "{} fit{} what is given about as well as the one taken; lithe check --branches lists them, and a value of a "
        "passive "
        "joint under 'initial' chooses",
        assembly.equally_good == 1 ? "another assembly" : fmt::format("{} other assemblies", assembly.equally_good),
        assembly.equally_good == 1 ? "s" : ""));
  }
  return report;
}

}  // namespace lithe::detail
