#pragma once
// A random mechanism compiled and put into its known pose with random speeds and forces: what the properties are
// checked on. Also the RapidCheck generators of mechanism shapes.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/random_mechanism.hpp"

namespace lithe::testing {

/// 0 to 4 loops, spatial or planar, grounded or floating; springs, dampers, loads and gravity at random.
rc::Gen<MechanismShape> any_shape();
rc::Gen<MechanismShape> looped_shape();        ///< 1 to 4 loops on the ground
rc::Gen<MechanismShape> planar_shape();        ///< 0 to 4 loops in a plane
rc::Gen<MechanismShape> floating_shape();      ///< on a free joint, without gravity
rc::Gen<MechanismShape> conservative_shape();  ///< 1 to 4 loops, no dampers
/// The same, two of three with couplings and rotors, and a branch more for every coupling.
rc::Gen<MechanismShape> coupled(rc::Gen<MechanismShape> shapes);

struct Subject {
  RandomMechanism random;
  Plan plan;
  Workspace work;
  State state;      ///< known pose; speeds complete
  Actions actions;  ///< random forces at all joints, tree and cut, and random loads

  explicit Subject(const MechanismShape& shape, Arithmetic arithmetic = Arithmetic::automatic,
                   const PlanOptions& options = {});
  Subject(RandomMechanism mechanism, std::uint32_t seed, Arithmetic arithmetic, const PlanOptions& options);

  /// Moves, and is far from singular poses, where no tolerance could be promised.
  bool is_well_posed();
};

/// Largest absolute difference over the largest absolute value of `expected` (or over `floor` if that is larger).
double relative_error(const MatrixX& actual, const MatrixX& expected, double floor = 1e-3);

}  // namespace lithe::testing

/// A test that holds for every `shape` that the generator draws.
#define LITHE_PROPERTY(NAME, GENERATOR)                                       \
  static void property_##NAME(const ::lithe::testing::MechanismShape& shape); \
  RC_GTEST_PROP(Properties, NAME, ()) { property_##NAME(*GENERATOR); }        \
  static void property_##NAME(const ::lithe::testing::MechanismShape& shape)
