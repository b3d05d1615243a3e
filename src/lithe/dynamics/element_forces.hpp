#pragma once
// Machine elements at a state: where their frames and coordinates stand, what they answer, and how that becomes part of
// what acts on the tree.

#include <optional>

#include "lithe/dynamics/actions.hpp"
#include "lithe/dynamics/elements.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe::detail {

/// Memory of all elements, kept in the kernel. Evaluated once per state, however many ask.
class ElementForces {
 public:
  template <class S>
  explicit ElementForces(const Kernel<S>& k) : ElementForces(k.compiled) {}
  explicit ElementForces(const Compiled& compiled);

  /// `actions` with what the elements do at the state.
  template <class S>
  const Actions& with(Kernel<S>& k, const State& state, const Actions& actions) {
    evaluate(k, state);
    return added_to(actions);
  }

  template <class S>
  void evaluate(Kernel<S>& k, const State& state);

  /// force += what the elements do along joints, as last evaluated.
  template <class S>
  void add_joint_forces(Kernel<S>& k, VectorX& force) const;

  const ElementActivity& activity() const { return activity_; }
  const State& state() const { return state_; }  ///< of the last evaluation, with x as it was taken

 private:
  /// One element with its parts of the vectors below.
  struct Place {
    const Element* element;
    int frame, frames;            ///< into frames_ and wrenches_
    int coordinate, coordinates;  ///< into coordinates_, q_, v_ and forces_
    int x, states, value, values, change, changes;
  };
  /// A frame of an element; `load` is its port among the loads, -1 on the ground.
  struct Attachment {
    FrameRef frame;
    int load;
  };
  /// A coordinate of an element: where it stands in State, or among the cut joints.
  struct Coordinate {
    int q, v;
    bool cut;
  };

  template <class S>
  void look(Kernel<S>& k, const State& state);
  void act();
  void act(const Place& place);
  const Actions& added_to(const Actions& actions);
  bool knows(const State& state) const;

  const Compiled& compiled_;
  std::vector<Place> places_;
  std::vector<Attachment> attachments_;
  std::vector<Coordinate> coordinates_;
  bool uses_cut_ = false, known_ = false;
  State state_;
  VectorX start_;
  std::vector<FrameMotion> frames_;
  std::vector<Wrench> wrenches_;
  VectorX q_, v_, forces_;
  ElementActivity activity_;
  std::optional<Actions> acting_;  ///< that of the last caller, with what elements do
};

template <class S>
ElementForces& element_forces(Kernel<S>& k) {
  return k.memory.template of<ElementForces>(k);
}

/// What acts, elements included; `actions` itself when there are none.
template <class S>
const Actions& with_elements(Kernel<S>& k, const State& state, const Actions& actions) {
  if (k.compiled.mechanism.elements.empty()) return actions;
  return element_forces(k).with(k, state, actions);
}

}  // namespace lithe::detail
