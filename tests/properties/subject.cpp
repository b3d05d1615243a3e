#include "properties/subject.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lithe::testing {
namespace {

// The same mechanisms on every run, unless RC_PARAMS asks for others (e.g. RC_PARAMS="seed=7 max_success=1000").
const bool seed_is_fixed = setenv("RC_PARAMS", "seed=20260131 max_success=100", /*overwrite=*/0) == 0;

rc::Gen<bool> sometimes() { return rc::gen::arbitrary<bool>(); }

rc::Gen<MechanismShape> shapes(int loops_from, int loops_to, rc::Gen<bool> planar, rc::Gen<bool> floating,
                               rc::Gen<bool> gravity, rc::Gen<bool> dampers) {
  const int branches_from = loops_from == 0 ? 1 : 0;
  return rc::gen::build<MechanismShape>(
      rc::gen::set(&MechanismShape::seed, rc::gen::inRange<std::uint32_t>(0, 1000000)),
      rc::gen::set(&MechanismShape::loops, rc::gen::resize(100, rc::gen::inRange(loops_from, loops_to + 1))),
      rc::gen::set(&MechanismShape::branches, rc::gen::resize(100, rc::gen::inRange(branches_from, 4))),
      rc::gen::set(&MechanismShape::planar, std::move(planar)),
      rc::gen::set(&MechanismShape::floating, std::move(floating)),
      rc::gen::set(&MechanismShape::gravity, std::move(gravity)), rc::gen::set(&MechanismShape::springs, sometimes()),
      rc::gen::set(&MechanismShape::dampers, std::move(dampers)), rc::gen::set(&MechanismShape::loads, sometimes()),
      rc::gen::set(&MechanismShape::elastic, sometimes()));
}

}  // namespace

rc::Gen<MechanismShape> any_shape() { return shapes(0, 4, sometimes(), sometimes(), sometimes(), sometimes()); }
rc::Gen<MechanismShape> looped_shape() {
  return shapes(1, 4, sometimes(), rc::gen::just(false), sometimes(), sometimes());
}
rc::Gen<MechanismShape> planar_shape() {
  return shapes(0, 4, rc::gen::just(true), sometimes(), sometimes(), sometimes());
}
rc::Gen<MechanismShape> floating_shape() {
  return shapes(0, 2, rc::gen::just(false), rc::gen::just(true), rc::gen::just(false), sometimes());
}
rc::Gen<MechanismShape> conservative_shape() {
  return shapes(1, 4, sometimes(), sometimes(), sometimes(), rc::gen::just(false));
}
rc::Gen<MechanismShape> coupled(rc::Gen<MechanismShape> shapes) {
  return rc::gen::map(std::move(shapes), [](MechanismShape shape) {
    shape.couplings = static_cast<int>(shape.seed % 3);
    shape.branches += shape.couplings;
    return shape;
  });
}

Subject::Subject(RandomMechanism mechanism, std::uint32_t seed, Arithmetic arithmetic, const PlanOptions& options)
    : random(std::move(mechanism)), plan(random.mechanism, options), work(plan, arithmetic), actions(plan) {
  state.q = known_coordinates(plan, random);
  state.v = random_vector(seed + 1, plan.nv());
  actions.tau = random_vector(seed + 2, plan.nv() + plan.cut_nv(), 3.0);
  const VectorX loads = random_vector(seed + 3, 6 * static_cast<int>(actions.loads.size()), 5.0);
  for (std::size_t i = 0; i < actions.loads.size(); ++i)
    actions.loads[i] = {loads.segment<3>(6 * static_cast<int>(i)), loads.segment<3>(6 * static_cast<int>(i) + 3)};
  const VectorX lines = random_vector(seed + 4, 6 * static_cast<int>(actions.line_loads.size()), 5.0);
  for (std::size_t i = 0; i < actions.line_loads.size(); ++i)
    actions.line_loads[i] = {lines.segment<3>(6 * static_cast<int>(i)), lines.segment<3>(6 * static_cast<int>(i) + 3)};
  if (select_independent(plan, work, state.q)) complete_speeds(plan, work, state.q, state.v);
  // Near singular poses dependent speeds are large; all are scaled so that finite differences keep their meaning.
  if (state.v.size() > 0) state.v /= std::max(1.0, state.v.cwiseAbs().maxCoeff());
}

Subject::Subject(const MechanismShape& shape, Arithmetic arithmetic, const PlanOptions& options)
    : Subject(make_mechanism(shape), shape.seed, arithmetic, options) {}

bool Subject::is_well_posed() {
  if (!select_independent(plan, work, state.q) || work.independent().empty()) return false;
  const Singularity measure = singularity(plan, work, state.q);
  if (measure.closure > 300.0 || measure.dependent > 300.0) return false;
  MatrixX G;
  if (!generalised_inertia(plan, work, state.q, G)) return false;
  const VectorX scale = G.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixX scaled = scale.asDiagonal() * G * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<MatrixX>(scaled).eigenvalues().minCoeff() > 1e-4;
}

double relative_error(const MatrixX& actual, const MatrixX& expected, double floor) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) return INFINITY;
  if (actual.size() == 0) return 0.0;
  const double error = (actual - expected).cwiseAbs().maxCoeff() / std::max(floor, expected.cwiseAbs().maxCoeff());
  return std::isnan(error) ? INFINITY : error;
}

}  // namespace lithe::testing
