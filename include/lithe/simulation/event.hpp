#pragma once
// Events of a simulation: at a time, or when something passes through zero, joints are locked or let go, drives change,
// the run ends. A payload is a link like others, on a free joint that is locked while it is carried.

#include <optional>
#include <string>
#include <vector>

#include "lithe/laws/expression.hpp"
#include "lithe/simulation/drive.hpp"

namespace lithe {

struct Model;

struct EventAction {
  enum class Kind {
    lock,     ///< the two frames of a joint keep the place that they have to each other; speeds jump by an impact
              ///< without rebound, whose loss of energy counts as dissipated
    release,  ///< the joint moves again
    drive,    ///< the joint has this drive from now on
    silence,  ///< the joint has no drive any more
    start,    ///< a controller is switched on; it begins anew, and its samples count from here
    stop,     ///< a controller is switched off
    end       ///< of the run
  };
  Kind kind = Kind::end;
  std::string joint;
  int coordinate = 0;        ///< of `drive` and `silence`
  Drive drive;               ///< time counts from the event in its laws
  bool starts_here = false;  ///< its motion is moved so that it starts where the joint is
  std::string controller;    ///< of `start` and `stop`
};

/// An expression of time and of quantities that could be recorded, which passes through zero.
struct EventCondition {
  enum class Direction { rises, falls, crosses };
  Expression value;                     ///< of t and then the quantities
  std::vector<std::string> quantities;  ///< columns of results, as docs/results.md calls them
  Direction direction = Direction::rises;
};

/// Happens at the start, at a time, some time after another event, or at a condition; once, or each time again.
struct Event {
  std::string name;
  bool at_start = false;
  std::optional<double> time;  ///< s
  std::optional<EventCondition> condition;
  std::string after;   ///< a condition counts only after this event
  double delay = 0.0;  ///< without a condition: it happens so long after that event, s
  bool repeats = false;
  std::vector<EventAction> actions;
};

/// Quantities that conditions of events may use, besides t.
std::vector<std::string> condition_quantities(const Model& model);

}  // namespace lithe
