// Loads along links: generalised forces against weight and against many forces at frames, in any pose.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/links/assumed_modes.hpp"
#include "lithe/links/bezier_beam.hpp"
#include "lithe/links/reference.hpp"
#include "lithe/mechanism/build.hpp"
#include "support/beam_mechanisms.hpp"
#include "support/random_links.hpp"
#include "support/random_mechanism.hpp"

namespace lithe::testing {
namespace {

/// One link on a free joint (its frame "root"), bent and somewhere in space.
struct Flying {
  Plan plan;
  Workspace work;
  State state;
  Actions actions;

  Flying(LinkData link, const Vec3& gravity, const std::function<void(Mechanism&)>& load)
      : plan(mechanism(std::move(link), gravity, load)), work(plan), actions(plan) {
    state.q = plan.neutral();
    state.v = VectorX::Zero(plan.nv());
    state.q.head<3>() = Vec3(0.3, -0.7, 0.2);
    state.q.segment<4>(3) = Eigen::Vector4d(0.3, -0.5, 0.7, 0.4).normalized();
    const ElasticPlace& place = plan.elastic_places()[1];
    state.q.segment(place.q, place.count) = random_vector(3, place.count, 0.05);
  }

  static Mechanism mechanism(LinkData link, const Vec3& gravity, const std::function<void(Mechanism&)>& load) {
    Mechanism m;
    m.gravity = gravity;
    link.name = "beam";
    m.add_link(std::move(link));
    connect(m, JointType::free, "float", "ground", "beam/root");
    load(m);
    return m;
  }

  /// What keeps it at rest, along all speeds.
  VectorX force() {
    VectorX force;
    tree_inverse_dynamics(plan, work, state, VectorX::Zero(plan.nv()), actions, force);
    return force;
  }
  Mat3 link_axes() { return frame_pose(plan, work, state.q, {1, 0}).rotation; }
};

const auto nothing = [](Mechanism&) {};

/// Largest difference of forces, of the largest force that the load makes.
double difference(const VectorX& a, const VectorX& b, const VectorX& unloaded) {
  return (a - b).cwiseAbs().maxCoeff() / (b - unloaded).cwiseAbs().maxCoeff();
}

constexpr double mass_per_length = 0.7;

BeamSpec uniform_polyline() {
  BeamSpec spec;
  spec.axis = {Vec3::Zero(), Vec3(0.8, 0.2, -0.1), Vec3(1.1, 0.9, 0.3)};
  spec.section_y = Vec3(0.1, 0.4, 1.0);
  Section section;
  section.bending_y = 20, section.bending_z = 30, section.torsion = 5, section.axial = 400;
  section.mass_per_length = mass_per_length;
  section.rotary_y = section.rotary_z = 1e-3, section.polar = 2e-3;
  spec.stations = {{0.0, section}};
  spec.elements = 3;
  spec.bends_along_z = spec.twists = spec.stretches = true;
  return spec;
}

StraightBeam uniform_straight() {
  StraightBeam beam;
  beam.length = 1.3;
  beam.direction = Vec3(1, 0.4, -0.2);
  beam.section_y = Vec3(0, 1, 0.3);
  beam.stations = uniform_polyline().stations;
  return beam;
}

struct Kind {
  const char* name;
  std::function<ElasticModel()> model;
};

std::vector<Kind> kinds() {
  AssumedModesSpec modes;
  modes.beam = uniform_straight();
  modes.along_y = {BendingFamily::clamped_free, 3, {}};
  modes.along_z = {BendingFamily::clamped_free, 1, {{0, 0, 1}}};
  modes.stretching = {BarFamily::fixed_free, 2, {}};
  BezierBeamSpec bezier;
  bezier.beam = uniform_straight();
  bezier.bends_along_z = bezier.stretches = true;
  const auto clamped = [](const BeamSpec& spec) { return beam_model("beam", spec, {{0.0, true, true}}); };
  return {
      {"straight", [=] { return clamped(uniform_beam(1.2, 4.0, mass_per_length, 5, true)); }},
      {"polyline", [=] { return clamped(uniform_polyline()); }},
      {"chord", [] { return with_reference("beam", beam_model("beam", uniform_polyline(), {}), Reference::chord); }},
      {"assumed modes", [=] { return assumed_modes_model("beam", modes); }},
      {"Bezier", [=] { return bezier_beam_model("beam", bezier); }},
  };
}

// rho A g along the whole axis of a uniform beam is its weight: in every pose, bent or not, stiffened or not.
TEST(LineLoad, OfTheWeightIsGravity) {
  const Vec3 gravity(1.3, -8.7, 4.1);
  for (const Kind& kind : kinds())
    for (const bool stiffening : {true, false})
      for (const int modes : {0, 3}) {
        const ElasticModel model = kind.model();
        const Reduction reduction = modes > 0 ? link_modes("beam", model, {{}, modes, 0}) : all_coordinates(model);
        const LinkData link = reduced_link("beam", model, reduction, stiffening);
        Flying weightless(link, Vec3::Zero(), nothing), heavy(link, gravity, nothing);
        Flying loaded(link, Vec3::Zero(), [](Mechanism& m) { load_along(m, "weight", "beam"); });
        loaded.actions.line_loads[0] = {mass_per_length * gravity, mass_per_length * gravity};
        EXPECT_LT(difference(loaded.force(), heavy.force(), weightless.force()), 1e-12)
            << kind.name << (stiffening ? ", stiffened, " : ", ") << modes << " modes";
      }
}

// The same with one axial force per element, on a beam that a wall holds.
TEST(LineLoad, OfTheWeightIsGravityUnderStress) {
  const Vec3 gravity(-6.0, 3.0, 0.0);
  const ElasticModel model = beam_model("beam", uniform_beam(1.2, 4.0, mass_per_length, 5, true), {{0.0, true, true}});
  const Reduction reduction = link_modes("beam", model, {{}, 4, 0});
  LinkData link = reduced_link("beam", model, reduction, true);
  model.field->take_element_stress(reduction.basis, link);
  link.elastic.stiffening = Stiffening::stress;
  const auto accelerations = [&](bool by_gravity) {
    Mechanism mechanism;
    mechanism.add_link(link);
    connect(mechanism, JointType::fixed, "wall", "ground", "beam/root");
    load_along(mechanism, "weight", "beam");
    if (by_gravity) mechanism.gravity = gravity;
    const Plan plan(mechanism);
    Workspace work(plan);
    Actions actions(plan);
    if (!by_gravity) actions.line_loads[0] = {mass_per_length * gravity, mass_per_length * gravity};
    const State state{0.0, random_vector(3, plan.nq(), 0.05), VectorX::Zero(plan.nv())};
    VectorX a = VectorX::Zero(plan.nv());
    EXPECT_TRUE(select_independent(plan, work, state.q));
    EXPECT_TRUE(forward_dynamics(plan, work, state, actions, a));
    return a;
  };
  const VectorX a = accelerations(true);
  EXPECT_LT((accelerations(false) - a).cwiseAbs().maxCoeff(), 1e-10 * a.cwiseAbs().maxCoeff());
}

/// Forces at frames along the beam that stand for a load: six Gauss points between all places where anything kinks.
struct Probes {
  std::vector<double> at, share;

  Probes(std::vector<double> kinks, double from, double to) {
    constexpr double x[6] = {-0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                             0.2386191860831969,  0.6612093864662645,  0.9324695142031521};
    constexpr double w[6] = {0.1713244923791704, 0.3607615730481386, 0.4679139345726910,
                             0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
    std::erase_if(kinks, [&](double s) { return s <= from || s >= to; });
    kinks.insert(kinks.end(), {from, to});
    std::sort(kinks.begin(), kinks.end());
    for (std::size_t i = 0; i + 1 < kinks.size(); ++i)
      for (int g = 0; g < 6; ++g) {
        const double half = (kinks[i + 1] - kinks[i]) / 2;
        at.push_back(kinks[i] + half * (1 + x[g]));
        share.push_back(half * w[g]);
      }
  }
};

// A trapezoid over part of a beam of any form, in ground and in link axes, against single forces at frames.
TEST(LineLoad, IsTheSumOfManyForces) {
  const Vec3 start(2.0, -1.0, 0.5), end(-0.4, 3.0, 1.5);
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    BeamSpec spec = random_beam(seed);
    double length = 0.0;
    std::vector<double> nodes;
    for (std::size_t i = 0; i + 1 < spec.axis.size(); ++i) {
      const double way = (spec.axis[i + 1] - spec.axis[i]).norm();
      for (int e = 0; e <= spec.elements; ++e) nodes.push_back(length + way * e / spec.elements);
      length += way;
    }
    const double from = 0.17 * length, to = 0.88 * length;
    const Probes probes(nodes, from, to);
    for (std::size_t i = 0; i < probes.at.size(); ++i)
      spec.frames.push_back({"probe-" + std::to_string(i), probes.at[i], {}});
    const ElasticModel model = beam_model("beam", spec, {{0.0, true, true}});
    for (const bool stiffening : {true, false})
      for (const bool in_link_axes : {false, true}) {
        const LinkData link = reduced_link("beam", model, all_coordinates(model), stiffening);
        Flying bare(link, Vec3::Zero(), nothing);
        Flying spread(link, Vec3::Zero(),
                      [&](Mechanism& m) { load_along(m, "spread", "beam", from, to).in_link_axes = in_link_axes; });
        spread.actions.line_loads[0] = {start, end};
        Flying probed(link, Vec3::Zero(), [&](Mechanism& m) {
          for (std::size_t i = 0; i < probes.at.size(); ++i)
            m.loads.push_back({"probe", m.find_frame("beam", "probe-" + std::to_string(i)), false});
        });
        const Mat3 axes = in_link_axes ? probed.link_axes() : Mat3(Mat3::Identity());
        for (std::size_t i = 0; i < probes.at.size(); ++i)
          probed.actions.loads[i].force =
              probes.share[i] * axes * (start + (end - start) * (probes.at[i] - from) / (to - from));
        EXPECT_LT(difference(spread.force(), probed.force(), bare.force()), 1e-11) << seed << stiffening;
      }
  }
}

// The rigid twin of a loaded beam, and a rigid link with the same line: force, and moment about the root, of a triangle
// that ends with w: w L/2 at 2/3 of the length (closed form).
TEST(LineLoad, OnRigidLinks) {
  const double L = 1.2, w = 3.0;
  const LinkData beam = beam_link("beam", {.length = L});
  Flying twin(rigid_twin(beam), Vec3::Zero(), [](Mechanism& m) { load_along(m, "wind", "beam"); });
  Flying rigid(rigid_twin(beam), Vec3::Zero(), [&](Mechanism& m) {
    m.line_loads.push_back({"wind", {{1, StraightLine{Vec3::Zero(), Vec3(L, 0, 0)}}}, true});
  });
  for (Flying* body : {&twin, &rigid}) {
    const Mat3 axes = body->link_axes();
    const Vec3 pull = Vec3(0.2, w, -0.4 * w);
    const Vec3 along_load = body == &twin ? Vec3(axes * pull) : pull;
    body->actions.line_loads[0] = {Vec3::Zero(), along_load};
    VectorX expected(6);
    expected << -axes * pull * L / 2, -Vec3(2 * L / 3, 0, 0).cross(pull * L / 2);
    EXPECT_LT((body->force() - expected).norm(), 1e-12) << (body == &twin);
  }
}

// Parts that follow each other make one load: half and half of a beam is the whole.
TEST(LineLoad, PartsFollowEachOther) {
  const LinkData link = beam_link("beam", {.length = 1.5, .in_space = true});
  Flying bare(link, Vec3::Zero(), nothing);
  Flying whole(link, Vec3::Zero(), [](Mechanism& m) { load_along(m, "wind", "beam", 0.1, 1.4); });
  Flying parts(link, Vec3::Zero(), [](Mechanism& m) {
    load_along(m, "wind", "beam", 0.1, 0.6).parts.push_back({1, AxisStretch{0.6, 1.4}});
  });
  whole.actions.line_loads[0] = parts.actions.line_loads[0] = {Vec3(1, 2, 3), Vec3(-3, 0, 1)};
  EXPECT_LT(difference(parts.force(), whole.force(), bare.force()), 1e-12);
}

/// The message with which a plan refuses a mechanism.
std::string refusal(const std::function<void(Mechanism&)>& load, LinkData link) {
  try {
    const Plan plan(Flying::mechanism(std::move(link), Vec3::Zero(), load));
  } catch (const MechanismError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LineLoad, RefusesLinesOffTheLink) {
  const LinkData beam = beam_link("beam", {.length = 1.5});
  LinkData no_axis = beam;
  no_axis.axis = {};
  EXPECT_EQ(refusal([](Mechanism& m) { load_along(m, "wind", "beam", 0.5, 2.0); }, beam),
            "load 'wind': it goes from 0.5 m to 2 m of link 'beam', whose axis goes from 0 to 1.5 m");
  EXPECT_EQ(refusal([](Mechanism& m) { load_along(m, "wind", "beam"); }, no_axis),
            "load 'wind': link 'beam' has no axis along which a load could be spread; load its frames");
  const StraightLine line{Vec3::Zero(), Vec3::UnitX()}, point{Vec3::UnitX(), Vec3::UnitX()};
  EXPECT_EQ(refusal(
                [&](Mechanism& m) {
                  m.line_loads.push_back({"wind", {{1, line}}, false});
                },
                beam),
            "load 'wind': link 'beam' bends; spread the load along its axis");
  EXPECT_EQ(refusal(
                [&](Mechanism& m) {
                  m.line_loads.push_back({"wind", {{1, point}}, false});
                },
                rigid_twin(beam)),
            "load 'wind': on link 'beam' it has no length; give it two different ends");
  EXPECT_EQ(refusal(
                [&](Mechanism& m) {
                  m.line_loads.push_back({"wind", {{0, line}}, false});
                },
                beam),
            "load 'wind': it lies on a link that does not exist, or on the ground");
  EXPECT_EQ(refusal(
                [&](Mechanism& m) {
                  m.line_loads.push_back({"wind", {}, false});
                },
                beam),
            "load 'wind': it lies on no link; give it a part");
}

}  // namespace
}  // namespace lithe::testing
