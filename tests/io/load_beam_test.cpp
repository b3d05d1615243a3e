// Elastic links from model files. Expected numbers are closed forms of uniform beams, written at each test.

#include <gtest/gtest.h>

#include <cmath>

#include "io/model_text.hpp"
#include "lithe/links/mode_table.hpp"

namespace lithe {
namespace {

const LinkData& body(const Model& model) { return model.mechanism.links[1]; }
const LinkOrigin& origin(const Model& model) { return model.origins[1]; }

/// Squares of the roots of cos x cosh x = -1: clamped-free bending.
constexpr double clamped_free[3] = {3.51601527, 22.0344916, 61.6972144};

double hertz(double rate) { return rate / (2 * pi); }

TEST(LoadBeam, ScalarStiffnessBendsAlongY) {
  const Model model = one_link("beam: {length: 0.45, mass: 0.0623, EI: 7.815, elements: 8}");
  const LinkData& link = body(model);
  EXPECT_NEAR(link.mass, 0.0623, 1e-15);
  EXPECT_NEAR(link.centre.x(), 0.225, 1e-15);
  EXPECT_NEAR(link.inertia(2, 2), 0.0623 * 0.45 * 0.45 / 12, 1e-15);
  EXPECT_EQ(link.elastic.names, (std::vector<std::string>{"bending y 1", "bending y 2"}));
  const double scale = std::sqrt(7.815 / (0.0623 / 0.45)) / (0.45 * 0.45);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(link.elastic.frequencies[i] / (clamped_free[i] * scale), 1, 2e-4);
  EXPECT_EQ(link.elastic.stiffening, Stiffening::consistent);
  EXPECT_EQ(link.elastic.damping.norm(), 0);
  EXPECT_EQ(origin(model).kind, "beam");
  EXPECT_EQ(origin(model).elements, 8);
  EXPECT_EQ(origin(model).reference, "clamped");
  EXPECT_EQ(origin(model).coordinates, 16);
  // Euler: pi^2 EI / (4 L^2) of a column clamped at one end.
  EXPECT_NEAR(origin(model).buckling_load / (pi * pi * 7.815 / (4 * 0.45 * 0.45)), 1, 1e-4);
  EXPECT_EQ(link.find_frame("root"), 1);
  EXPECT_EQ(link.find_frame("tip"), 2);
}

TEST(LoadBeam, SectionsBendBothWaysAndTwist) {
  const std::string steel = "materials: {steel: {density: 7800, young: 200e9, poisson: 0.25}}\n";
  const Model model = one_link(
      "beam: {length: 1, material: steel, section: {rectangle: {height: 0.02, width: 0.01}}, theory: euler-bernoulli}, "
      "modes: {list: [1, 2, 3]}",
      steel);
  const LinkData& link = body(model);
  EXPECT_NEAR(link.mass, 7800 * 2e-4, 1e-12);
  // I = b h^3 / 12; the soft way is along z (width 0.01).
  const double soft = std::sqrt(200e9 * 0.02 * 1e-6 / 12 / (7800 * 2e-4)), stiff = 2 * soft;
  const std::vector<LinkMode> modes = mode_table(link);
  EXPECT_EQ(modes[0].name, "bending z 1");
  EXPECT_EQ(modes[1].name, "bending y 1");
  EXPECT_EQ(modes[2].name, "bending z 2");
  EXPECT_NEAR(modes[0].frequency / hertz(clamped_free[0] * soft), 1, 1e-4);
  EXPECT_NEAR(modes[1].frequency / hertz(clamped_free[0] * stiff), 1, 1e-4);
  EXPECT_EQ(origin(model).coordinates, 8 * 5);  // two deflections, two slopes and a twist per free node
}

TEST(LoadBeam, LowestModesAreTwoPerPlaneAndOneOfTorsion) {
  const Model model = one_link("beam: {length: 1, material: steel, section: {circle: {radius: 0.01}}}",
                               "materials: {steel: {density: 7800, young: 200e9}}\n");
  EXPECT_EQ(body(model).elastic.count(), 5);
}

/// Arms a and b in a row; `second` is what is written of b.
Model two_arms(const std::string& first, const std::string& second) {
  return load("links:\n  a: {" + first + "}\n  b: {" + second +
              "}\njoints:\n  shoulder: {revolute: z, from: ground, to: a/root, actuated: true}\n"
              "  elbow: {revolute: z, from: a/tip, to: b/root, actuated: true}\n");
}

void expect_made_alike(const LinkData& link, const LinkData& other) {
  EXPECT_EQ(link.name, other.name);
  EXPECT_EQ(link.mass, other.mass);
  EXPECT_EQ(link.elastic.stiffness, other.elastic.stiffness);
  EXPECT_EQ(link.elastic.foreshortening[0], other.elastic.foreshortening[0]);
  ASSERT_EQ(link.frames.size(), other.frames.size());
  for (std::size_t i = 0; i < link.frames.size(); ++i) EXPECT_EQ(link.frames[i].shape, other.frames[i].shape);
  ASSERT_EQ(link.statics == nullptr, other.statics == nullptr);
  if (link.statics) expect_made_alike(*link.statics, *other.statics);
}

// Links with the same text are made once. Written another way, the same numbers are made by themselves.
TEST(LoadBeam, LinksThatAreAlikeAreAsIfMadeOneByOne) {
  const std::string beam = "beam: {length: 1, mass: 0.5, EI: 2}, modes: {count: 2}, frames: {middle: 0.5}";
  const std::string again = "beam: {length: 1.0, mass: 0.5, EI: 2}, modes: {count: 2}, frames: {middle: 0.5}";
  const std::string pieces = "beam: {length: 1, mass: 0.5, EI: 2, segments: 2}";
  const std::string pieces_again = "beam: {length: 1.0, mass: 0.5, EI: 2, segments: 2}";
  for (const auto& [text, other] : {std::pair(beam, again), std::pair(pieces, pieces_again)}) {
    const Model alike = two_arms(text, text), apart = two_arms(text, other);
    ASSERT_EQ(alike.mechanism.links.size(), apart.mechanism.links.size());
    for (std::size_t i = 1; i < alike.mechanism.links.size(); ++i) {
      SCOPED_TRACE(apart.mechanism.links[i].name);
      expect_made_alike(alike.mechanism.links[i], apart.mechanism.links[i]);
      EXPECT_EQ(alike.origins[i].coordinates, apart.origins[i].coordinates);
      EXPECT_EQ(alike.origins[i].buckling_load, apart.origins[i].buckling_load);
    }
  }
}

TEST(LoadBeam, ExplicitStiffnessesDecideWhatDeforms) {
  const auto coordinates = [](const std::string& keys) {
    return origin(one_link("beam: {length: 1, mass: 1, elements: 2, " + keys + "}")).coordinates;
  };
  EXPECT_EQ(coordinates("EI: 1"), 4);
  EXPECT_EQ(coordinates("EI: 1, bending: both"), 8);
  EXPECT_EQ(coordinates("EI_z: 1"), 4);
  EXPECT_EQ(coordinates("EI_y: 1, EI_z: 2, GJ: 1, polar-inertia: 1e-3"), 10);
  EXPECT_EQ(coordinates("EI: 1, EA: 100"), 6);
  EXPECT_EQ(coordinates("EI: 1, EA: 100, stretching: false"), 4);
  EXPECT_EQ(coordinates("EA: 100, bending: none"), 2);
}

// Timoshenko: the static tip deflection under a tip force is P L^3/(3 EI) + P L/kGA.
TEST(LoadBeam, ShearStiffnessMakesATimoshenkoBeam) {
  const Model model = one_link("beam: {length: 0.5, mass: 1, EI: 12, kGA: 400, elements: 3}, modes: {all: true}");
  const LinkData& link = body(model);
  const Frame& tip = link.frames[2];
  const VectorX u = link.elastic.stiffness.ldlt().solve(VectorX(tip.shape.row(1).transpose()));
  EXPECT_NEAR(tip.shape.row(1).dot(u), 0.125 / 36 + 0.5 / 400, 1e-13);
}

// A cone of round section clamped at its thick end, dimensions linear: tip deflection P L^3 / (3 E I_0) (d_0 / d_1).
TEST(LoadBeam, TaperedShapesVaryInTheirDimensions) {
  const Model model = one_link(
      "beam: {length: 2, material: steel, theory: euler-bernoulli, elements: 24, bending: y, torsion: false, stations: "
      "[{at: 0, section: {circle: {radius: 0.04}}}, {at: 2, section: {circle: {radius: 0.02}}}]}, modes: {all: true}",
      "materials: {steel: {density: 7800, young: 200e9}}\n");
  const LinkData& link = body(model);
  const Frame& tip = link.frames[2];
  const VectorX u = link.elastic.stiffness.ldlt().solve(VectorX(tip.shape.row(1).transpose()));
  const double root = 200e9 * pi * std::pow(0.04, 4) / 4;
  EXPECT_NEAR(tip.shape.row(1).dot(u) / (8.0 / (3 * root) * 2), 1, 2e-4);
  // Volume of a truncated cone.
  EXPECT_NEAR(link.mass / (7800 * pi * 2 / 3 * (0.04 * 0.04 + 0.04 * 0.02 + 0.02 * 0.02)), 1, 1e-4);
}

TEST(LoadBeam, FramesLieAlongTheAxis) {
  const Model model = one_link(
      "beam: {length: 2, mass: 1, EI: 10}, frames: {middle: 1, side: {along: 0.5, offset: [0, 0.1], rotate: {axis: z, "
      "angle: 90 deg}}, above: [1.5, 0.2, 0], there: {at: [2.5, 0, 0]}}");
  const LinkData& link = body(model);
  const auto frame = [&](const char* name) { return link.frames[link.find_frame(name)]; };
  EXPECT_LT((frame("middle").pose.position - Vec3(1, 0, 0)).norm(), 1e-14);
  EXPECT_LT((frame("side").pose.position - Vec3(0.5, 0.1, 0)).norm(), 1e-14);
  EXPECT_LT((frame("side").pose.rotation.col(0) - Vec3::UnitY()).norm(), 1e-14);
  EXPECT_LT((frame("above").pose.position - Vec3(1.5, 0.2, 0)).norm(), 1e-14);
  EXPECT_LT((frame("there").pose.position - Vec3(2.5, 0, 0)).norm(), 1e-14);
  // A frame beside the axis moves with the slope: along x by minus the distance times the rotation.
  EXPECT_NEAR(frame("side").shape(0, 0), -0.1 * frame("side").turn(2, 0), 1e-14);
  // Beyond the tip it moves as the tip does, and by the lever of its slope.
  EXPECT_NEAR(frame("there").shape(1, 0), frame("tip").shape(1, 0) + 0.5 * frame("tip").turn(2, 0), 1e-13);
}

TEST(LoadBeam, MassesSitWhereTheyAreSaidToBe) {
  const Model model = one_link(
      "beam: {length: 1, mass: 2, EI: 10, masses: [{at: tip, mass: 3, inertia: [0, 0, 0.5]}, {at: 0.25, mass: 1, "
      "offset: "
      "[0, 0.1]}]}");
  const LinkData& link = body(model);
  EXPECT_NEAR(link.mass, 6, 1e-14);
  EXPECT_LT((link.centre - Vec3((2 * 0.5 + 3 + 0.25) / 6, 0.1 / 6, 0)).norm(), 1e-14);
  // Steiner about the mass centre; the payload with one moment is a flat body, half of it about each axis in its plane.
  const double x = link.centre.x(), y = link.centre.y();
  EXPECT_NEAR(link.inertia(2, 2),
              2.0 / 12 + 0.5 + 2 * std::pow(0.5 - x, 2) + 3 * std::pow(1 - x, 2) + std::pow(0.25 - x, 2) + 5 * y * y +
                  std::pow(0.1 - y, 2),
              1e-13);
  EXPECT_NEAR(link.inertia(0, 0), 0.25 + 5 * y * y + std::pow(0.1 - y, 2), 1e-14);
}

TEST(LoadBeam, BentAxes) {
  const Model model = one_link(
      "beam: {axis: [[0, 0], [1, 0], [1, 2]], EI_y: 10, EI_z: 10, GJ: 5, EA: 1000, mass: 6, polar-inertia: 1e-3, "
      "section-y: z, elements: 4}, modes: {count: 3}");
  EXPECT_EQ(origin(model).elements, 8);
  EXPECT_LT((body(model).frames[2].pose.position - Vec3(1, 2, 0)).norm(), 1e-14);
  EXPECT_LT((body(model).centre - Vec3((2 * 0.5 + 4 * 1.0) / 6, 4 * 1.0 / 6, 0)).norm(), 1e-13);
}

// Pinned-pinned frequencies are (i pi)^2 sqrt(EI / mu L^4).
TEST(LoadBeam, ChordReferenceIsPinnedAtBothEnds) {
  const Model model = one_link("beam: {length: 2, mass: 2, EI: 3}, modes: {count: 2, root: chord}");
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(body(model).elastic.frequencies[i] / (std::pow((i + 1) * pi / 2, 2) * std::sqrt(3.0)), 1, 1e-3);
  EXPECT_EQ(origin(model).reference, "chord");
}

// Free-free: squares of the roots of cos x cosh x = 1.
TEST(LoadBeam, FreeReferenceFloats) {
  const Model model = one_link("beam: {length: 1, mass: 1, EI: 1}, modes: {count: 2, root: free}");
  EXPECT_NEAR(body(model).elastic.frequencies[0] / 22.3732854, 1, 1e-3);
  EXPECT_NEAR(body(model).elastic.frequencies[1] / 61.6728229, 1, 1e-3);
  EXPECT_LT(body(model).elastic.translation.norm(), 1e-9) << "no momentum in the elastic motion";
}

TEST(LoadBeam, CountsMayBeExpressions) {
  const char* text = R"(
lithe: 1
parameters: {fine: 2}
links:
  a: {beam: {length: 1, mass: 1, EI: 1, elements: 3*fine}, modes: {count: fine + 1}}
joints:
  a: {revolute: z, from: ground, to: a}
)";
  const Model model = load_model_text(text, "test.yaml");
  EXPECT_EQ(model.origins[1].elements, 6);
  EXPECT_EQ(model.mechanism.links[1].elastic.count(), 3);
  EXPECT_EQ(load_model_text(text, "test.yaml", {{"fine", "4"}}).mechanism.links[1].elastic.count(), 5);
}

TEST(LoadBeam, ModesByFrequency) {
  const Model model = one_link("beam: {length: 1, mass: 1, EI: 1}, modes: {below: 10}");
  EXPECT_EQ(body(model).elastic.count(), 3);  // 0.56, 3.51, 9.82 Hz; the fourth is 19.24 Hz
}

TEST(LoadBeam, DampingAddsUp) {
  const auto ratios = [](const std::string& damping) {
    std::vector<double> found;
    for (const LinkMode& mode :
         mode_table(body(one_link("beam: {length: 1, mass: 1, EI: 1}, modes: {count: 2}, damping: " + damping))))
      found.push_back(mode.damping);
    return found;
  };
  // c = 2 zeta omega per mode; Rayleigh: zeta = alpha/(2 omega) + beta omega / 2; loss factor eta: zeta = eta / 2.
  EXPECT_NEAR(ratios("{ratio: 0.01}")[1], 0.01, 1e-12);
  EXPECT_NEAR(ratios("{ratios: [0.01, 0.03]}")[1], 0.03, 1e-12);
  const double omega = 2 * pi * mode_table(body(one_link("beam: {length: 1, mass: 1, EI: 1}")))[0].frequency;
  EXPECT_NEAR(ratios("{rayleigh: {mass: 0.2, stiffness: 1e-3}}")[0], 0.1 / omega + 0.5e-3 * omega, 1e-12);
  EXPECT_NEAR(ratios("{kelvin-voigt: 1e-3}")[0], 0.5e-3 * omega, 1e-12);
  EXPECT_NEAR(ratios("{loss-factor: 0.02}")[0], 0.01, 1e-12);
  EXPECT_NEAR(ratios("{ratio: 0.01, kelvin-voigt: 1e-3}")[0], 0.01 + 0.5e-3 * omega, 1e-12);
}

TEST(LoadBeam, Stiffening) {
  const auto kind = [](const std::string& text) {
    return body(one_link("beam: {length: 1, mass: 1, EI: 1}" + text)).elastic.stiffening;
  };
  EXPECT_EQ(kind(""), Stiffening::consistent);
  EXPECT_EQ(kind(", stiffening: on"), Stiffening::consistent);
  EXPECT_EQ(kind(", stiffening: off"), Stiffening::off);
  EXPECT_EQ(kind(", stiffening: stress"), Stiffening::stress);
}

TEST(LoadBeam, SegmentsAreWeldedBeams) {
  const Model model = load(
      "links:\n"
      "  arm:\n"
      "    beam: {length: 2, mass: 4, EI: 1, segments: 4, masses: [{at: tip, mass: 1}, {at: 0.6, mass: 3}]}\n"
      "    frames: {camera: {along: 1.2, offset: [0, 0.1]}}\n"
      "  hand: {rigid: {mass: 1}}\n"
      "joints:\n"
      "  pivot: {revolute: z, from: ground, to: arm}\n"
      "  grip: {fixed: true, from: arm/camera, to: hand}\n"
      "  wrist: {revolute: z, from: arm.2/tip, to: hand}\n"
      "loads: {push: {at: arm/tip, force: [0, 1]}, pull: {at: arm/root, force: [0, 1]}}\n");
  const Mechanism& m = model.mechanism;
  const double masses[4] = {1, 1 + 3, 1, 1 + 1};
  for (int i = 0; i < 4; ++i) {
    const LinkData& piece = m.links[i + 1];
    EXPECT_EQ(piece.name, "arm." + std::to_string(i + 1));
    EXPECT_NEAR(piece.mass, masses[i], 1e-12);
    EXPECT_EQ(piece.elastic.count(), 2) << "the deflection and the slope of its end";
    EXPECT_LT((piece.frames[2].pose.position - Vec3(0.5, 0, 0)).norm(), 1e-14);
  }
  for (int i = 1; i < 4; ++i) {
    const Joint& weld = m.joints[m.find_joint("arm.weld-" + std::to_string(i))];
    EXPECT_EQ(weld.type, JointType::fixed);
    EXPECT_EQ(weld.from.link, i);
    EXPECT_EQ(weld.to.link, i + 1);
  }
  const Joint& grip = m.joints[m.find_joint("grip")];
  EXPECT_EQ(grip.from.link, 3);  // 1.2 m along is on the third piece, 0.2 m from its start
  EXPECT_LT((m.links[3].frames[grip.from.frame].pose.position - Vec3(0.2, 0.1, 0)).norm(),
            1e-14);
  EXPECT_EQ(m.joints[m.find_joint("pivot")].to.link, 1);
  EXPECT_EQ(m.joints[m.find_joint("wrist")].from.link, 2);
  EXPECT_EQ(m.loads[0].at.link, 4);
  EXPECT_EQ(m.loads[1].at.link, 1);
  EXPECT_EQ(model.origins.size(), m.links.size());
}

// Effective masses of all modes add up to the mass that the supports let move: everything, in the limit of many
// elements.
TEST(ModeTable, EffectiveMassesAddUp) {
  const Model model = one_link("beam: {length: 1, mass: 3, EI: 1, elements: 30}, modes: {count: 60}");
  const std::vector<LinkMode> modes = mode_table(body(model));
  double along_y = 0, about_z = 0;
  for (const LinkMode& mode : modes) {
    along_y += mode.mass_fraction.y();
    about_z += mode.inertia_fraction.z();
    EXPECT_EQ(mode.mass_fraction.x(), 0);
  }
  EXPECT_NEAR(along_y, 1, 0.02);
  EXPECT_NEAR(about_z, 1, 0.001);
  EXPECT_NEAR(modes[0].mass_fraction.y(), 0.6131, 1e-4);  // 4 (sigma_1 / x_1)^2 with sigma_1 = 0.734096, x_1 = 1.875104
}

// Finite-element coordinates are not modes; the table shows the modes that they represent.
TEST(ModeTable, OfAllCoordinates) {
  const Model model = one_link("beam: {length: 1, mass: 1, EI: 1}, modes: {all: true}");
  const std::vector<LinkMode> modes = mode_table(body(model));
  ASSERT_EQ(modes.size(), 16u);
  EXPECT_EQ(modes[0].name, "bending y 1");
  EXPECT_NEAR(modes[0].frequency / hertz(clamped_free[0]), 1, 1e-4);
}

}  // namespace
}  // namespace lithe
