#include "lithe/links/truss.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "lithe/links/modes.hpp"
#include "lithe/links/reference.hpp"
#include "lithe/mechanism/mechanism.hpp"
#include "support/random_mechanism.hpp"
#include "support/random_truss.hpp"

namespace lithe {
namespace {

using testing::random_truss;
using testing::random_vector;
using testing::TrussShape;

const std::vector<Vec3> everything{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};

TrussBar bar(const std::string& from, const std::string& to, double axial = 1000.0, double mass_per_length = 1.0) {
  return {"", from, to, axial, mass_per_length, 0.0};
}

/// Two supported nodes on a wall, a third one held by a horizontal and an inclined bar.
TrussSpec bracket() {
  TrussSpec spec;
  spec.planar = true;
  spec.nodes = {{"low", Vec3(0, 0, 0), 0}, {"high", Vec3(0, 3, 0), 0}, {"end", Vec3(4, 0, 0), 0}};
  spec.bars = {bar("low", "end", 2000), bar("high", "end", 5000)};
  spec.supports = {{"low", everything}, {"high", everything}};
  return spec;
}

std::vector<TrussShape> shapes() {
  std::vector<TrussShape> all;
  for (std::uint32_t seed = 1; seed <= 12; ++seed)
    all.push_back(
        {seed, 4 + static_cast<int>(seed % 5), static_cast<int>(seed % 3), seed % 2 == 0, seed % 4 < 2, seed % 5 == 0});
  return all;
}

/// The rigid motion v + w x r of all nodes, in the coordinates of a truss without supports.
VectorX rigid_motion(const TrussSpec& spec, const Vec3& v, const Vec3& w) {
  const int per_node = spec.planar ? 2 : 3;
  VectorX u(per_node * static_cast<int>(spec.nodes.size()));
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    const Vec3 motion = v + w.cross(spec.nodes[i].position);
    u.segment(per_node * static_cast<int>(i), per_node) = motion.head(per_node);
  }
  return u;
}

/// Smallest eigenvalues of K against M that are zero within rounding.
int zero_eigenvalues(const ElasticModel& model) {
  const VectorX squares = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(model.stiffness, model.mass).eigenvalues();
  return static_cast<int>((squares.array().abs() < 1e-10 * squares.maxCoeff()).count());
}

// Boutin reference, test item 1: closed forms of one bar, Boutin (4.38) and (4.52).
TEST(Truss, SingleBar) {
  TrussSpec spec;
  spec.planar = true;
  const Vec3 a(1, 2, 0), b(4, 6, 0);
  spec.nodes = {{"a", a, 0}, {"b", b, 0}};
  spec.bars = {bar("a", "b", 700.0, 0.6)};
  const ElasticModel model = truss_model("bar", spec);
  const double mass = 3.0, stiffness = 140.0;
  MatrixX M(4, 4), K(4, 4);
  M << 2, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2;
  const Eigen::Matrix<double, 1, 4> lengthening(-0.6, -0.8, 0.6, 0.8);
  EXPECT_LT((model.mass - mass / 6 * M).norm(), 1e-14);
  EXPECT_LT((model.stiffness - stiffness * lengthening.transpose() * lengthening).norm(), 1e-12);
  EXPECT_EQ(model.names, (std::vector<std::string>{"node a x", "node a y", "node b x", "node b y"}));
  EXPECT_EQ(zero_eigenvalues(model), 3);

  // Mass, first moment and second moment of a slender rod.
  const LinkData link = integrate_link("bar", model, all_coordinates(model).basis, false);
  EXPECT_NEAR(link.mass, mass, 1e-14);
  EXPECT_LT((link.centre - (a + b) / 2).norm(), 1e-14);
  EXPECT_NEAR(link.inertia(2, 2), mass * 25 / 12, 1e-13);

  spec.mass = TrussMass::lumped;
  EXPECT_LT((truss_model("bar", spec).mass - mass / 2 * MatrixX::Identity(4, 4)).norm(), 1e-14);
}

// Boutin reference, test item 1: rigid motions are the only ones without strain.
TEST(Truss, RigidMotionsAreFreeOfStrain) {
  for (TrussShape shape : shapes()) {
    SCOPED_TRACE(::testing::PrintToString(shape.seed));
    shape.supported = false;
    EXPECT_EQ(zero_eigenvalues(truss_model("truss", random_truss(shape))), shape.planar ? 3 : 6);
    shape.supported = true;
    EXPECT_EQ(zero_eigenvalues(truss_model("truss", random_truss(shape))), 0);
  }
}

// Boutin reference, test item 2: the coupling integrals of a rigid motion of the nodes are those of the rigid body, the
// sums over the lumps are the assembled mass matrix, and frames follow a rigid motion exactly.
TEST(Truss, RigidMotionConsistency) {
  const Vec3 v(0.3, -0.7, 0), w(0, 0, 1.1);
  for (TrussShape shape : shapes()) {
    SCOPED_TRACE(::testing::PrintToString(shape.seed));
    shape.supported = false;
    const TrussSpec spec = random_truss(shape);
    const ElasticModel model = truss_model("truss", spec);
    const LinkData link = integrate_link("truss", model, all_coordinates(model).basis, false);
    EXPECT_LT((link.elastic.mass - model.mass).norm(), 1e-13 * model.mass.norm());

    const Mat3 second = link.inertia - link.mass * skew(link.centre) * skew(link.centre);
    const VectorX slide = rigid_motion(spec, v, Vec3::Zero()), turn = rigid_motion(spec, Vec3::Zero(), w);
    EXPECT_LT((link.elastic.translation * slide - link.mass * v).norm(), 1e-12);
    EXPECT_LT((link.elastic.translation * turn - link.mass * w.cross(link.centre)).norm(), 1e-12);
    EXPECT_LT((link.elastic.rotation * slide - link.mass * link.centre.cross(v)).norm(), 1e-12);
    EXPECT_NEAR((link.elastic.rotation * turn).z(), second(2, 2) * w.z(), 1e-12 * second(2, 2));
    EXPECT_NEAR(turn.dot(model.mass * turn), w.dot(second * w), 1e-12 * second(2, 2));

    for (std::size_t i = 1; i < link.frames.size(); ++i) {
      const Frame& frame = link.frames[i];
      EXPECT_LT((frame.shape * (slide + turn) - v - w.cross(frame.pose.position)).norm(), 1e-12) << frame.name;
      if (frame.name == "root" || frame.name == "tip")
        EXPECT_LT((frame.turn * (slide + turn) - w).norm(), shape.planar ? 1e-12 : 1e-9) << frame.name;
    }
  }
}

// Statics of the bracket, by hand: the horizontal bar carries -P 4/3, the inclined one P 5/3, and by virtual work the
// end sinks by P (16/9 * 4/2000 + 25/9 * 5/5000).
TEST(Truss, BracketUnderLoad) {
  const ElasticModel model = truss_model("bracket", bracket());
  ASSERT_EQ(model.stiffness.rows(), 2);
  const double P = 30.0;
  const VectorX u = model.stiffness.ldlt().solve(Eigen::Vector2d(0, -P));
  EXPECT_NEAR(u[1], -P * (16.0 / 9 * 4 / 2000 + 25.0 / 9 * 5 / 5000), 1e-15);
  const std::vector<SectionForces> forces = model.field->section_forces(MatrixX::Identity(2, 2));
  ASSERT_EQ(forces.size(), 2U);
  EXPECT_EQ(forces[0].name, "low-end");
  EXPECT_EQ(forces[1].name, "high-end");
  EXPECT_NEAR(forces[0].rows.row(0) * u, -P * 4 / 3, 1e-12);
  EXPECT_NEAR(forces[1].rows.row(0) * u, P * 5 / 3, 1e-12);
  EXPECT_EQ(forces[1].rows.bottomRows(5).norm(), 0.0);
  EXPECT_LT((forces[1].axes.col(0) - Vec3(0.8, -0.6, 0)).norm(), 1e-15);
  EXPECT_LT((forces[1].axes.transpose() * forces[1].axes - Mat3::Identity()).norm(), 1e-14);
  EXPECT_GT(forces[1].axes.determinant(), 0.0);
  EXPECT_LT((forces[1].position - Vec3(2, 1.5, 0)).norm(), 1e-15);
}

// Nodes X + shape eta - 1/2 eta^T S eta: in a statically determinate truss every bar keeps its length but for the
// linear lengthening, with an error of third order: it falls to an eighth when eta is halved.
TEST(Truss, SecondOrderDisplacementsKeepTheLengths) {
  for (TrussShape shape : shapes()) {
    SCOPED_TRACE(::testing::PrintToString(shape.seed));
    shape.extra_bars = 0;
    const TrussSpec spec = random_truss(shape);
    const ElasticModel model = truss_model("truss", spec);
    const LinkData link = integrate_link("truss", model, all_coordinates(model).basis, true);
    const VectorX shape_of_motion = random_vector(shape.seed, link.elastic.count());
    const auto error = [&](double size) {
      const VectorX eta = size * shape_of_motion;
      const auto place = [&](const std::string& node, bool to_second_order) -> Vec3 {
        const Frame& frame = link.frames[link.find_frame(node)];
        Vec3 at = frame.pose.position + frame.shape * eta;
        for (int a = 0; a < 3 && to_second_order; ++a)
          at[a] -= eta.dot(frame.foreshortening[a] * eta) / 2;
        return at;
      };
      double sum = 0.0;
      for (const TrussBar& each : spec.bars) {
        const auto start = [&](const std::string& node) {
          return link.frames[link.find_frame(node)].pose.position;
        };
        const Vec3 span = start(each.to) - start(each.from), now = place(each.to, true) - place(each.from, true);
        const double linear = span.normalized().dot(place(each.to, false) - place(each.from, false) - span);
        sum += std::abs(now.norm() - span.norm() - linear);
      }
      return sum;
    };
    const double coarse = error(1e-2), fine = error(5e-3);
    EXPECT_LT(coarse, 2e-4);
    EXPECT_NEAR(coarse / fine, 8.0, 0.8);
  }
}

// Reference conditions take exactly the rigid motions out of a floating truss.
TEST(Truss, FloatingTrussOnAReference) {
  for (TrussShape shape : shapes()) {
    SCOPED_TRACE(::testing::PrintToString(shape.seed));
    shape.supported = false;
    const ElasticModel model = truss_model("truss", random_truss(shape));
    const int rigid = shape.planar ? 3 : 6;
    for (const Reference reference : {Reference::clamped, Reference::free}) {
      const ElasticModel held = with_reference("truss", model, reference);
      EXPECT_EQ(held.mass.rows(), model.mass.rows() - rigid);
      EXPECT_EQ(zero_eigenvalues(held), 0);
      const LinkData link = integrate_link("truss", held, all_coordinates(held).basis, false);
      const Frame& root = link.frames[link.find_frame("root")];
      if (reference == Reference::clamped) EXPECT_LT(root.shape.norm() + root.turn.norm(), 1e-10);
      if (reference == Reference::free) EXPECT_LT(link.elastic.translation.norm(), 1e-10);
    }
    // Mean axes leave the frequencies of the free truss.
    const VectorX free = link_modes("truss", model, {}).frequencies;
    const VectorX mean = link_modes("truss", with_reference("truss", model, Reference::free), {}).frequencies;
    ASSERT_EQ(free.size(), mean.size());
    EXPECT_LT((free - mean).norm(), 1e-8 * free.norm());
  }
}

// A floating truss keeps its root where it is, to second order, too.
TEST(Truss, FloatingTrussKeepsItsRoot) {
  for (TrussShape shape : shapes()) {
    SCOPED_TRACE(::testing::PrintToString(shape.seed));
    shape.supported = false;
    const ElasticModel model = truss_model("truss", random_truss(shape));
    const LinkData link = integrate_link("truss", model, all_coordinates(model).basis, true);
    const Frame& root = link.frames[link.find_frame("root")];
    const Frame& tip = link.frames[link.find_frame("tip")];
    for (int a = 0; a < 3; ++a)
      EXPECT_LT(root.foreshortening[a].norm(), 1e-9 * tip.foreshortening[0].norm());
    // Pulling both ends apart needs no supports.
    ASSERT_GT(model.field->tension_stiffness().size(), 0);
    const MatrixX stiffness = model.field->tension_stiffness();
    EXPECT_LT((stiffness - stiffness.transpose()).norm(), 1e-12 * stiffness.norm());
  }
}

// A mass on a spoke that turns about z with W: the spoke carries m r W^2 and holds the mass sideways with m W^2. Out of
// the plane of rotation that adds to the stiffness of the stay; in the plane it balances the centrifugal softening.
TEST(Truss, SpinningSpokeStiffens) {
  TrussSpec spec;
  const double r = 2.0, mass = 0.7, in_plane = 50.0, out_of_plane = 80.0, spin = 5.0;
  spec.nodes = {{"hub", Vec3::Zero(), 0},
                {"stay-y", Vec3(r, 1, 0), 0},
                {"stay-z", Vec3(r, 0, 1), 0},
                {"rim", Vec3(r, 0, 0), mass}};
  spec.bars = {bar("hub", "rim", 1e9, 0), bar("stay-y", "rim", in_plane, 0), bar("stay-z", "rim", out_of_plane, 0)};
  spec.supports = {{"hub", everything}, {"stay-y", everything}, {"stay-z", everything}};
  const ElasticModel model = truss_model("wheel", spec);
  // The supports hold the truss although only one node has mass.
  EXPECT_EQ(with_reference("wheel", model, Reference::supported).mass.rows(), 3);
  const LinkData link = integrate_link("wheel", model, all_coordinates(model).basis, true);
  const ElasticData& e = link.elastic;
  const MatrixX K =
      e.stiffness + spin * spin * (e.position_foreshortening[0][0] - e.shape_shape[0][0] - e.shape_shape[1][1]);
  EXPECT_NEAR(K(1, 1), in_plane, 1e-9);
  EXPECT_NEAR(K(2, 2), out_of_plane + mass * spin * spin, 1e-9);
}

// A column of one bar, held sideways at its top by a stay of stiffness k, falls over at P = k L.
TEST(Truss, BucklingLoadOfAStayedColumn) {
  TrussSpec spec;
  spec.planar = true;
  spec.nodes = {{"foot", Vec3::Zero(), 0}, {"anchor", Vec3(0.5, 3, 0), 0}, {"top", Vec3(0, 3, 0), 0}};
  spec.bars = {bar("foot", "top", 1e6), bar("anchor", "top", 20.0)};
  spec.supports = {{"foot", everything}, {"anchor", everything}};
  spec.tip = "top";
  EXPECT_NEAR(buckling_load(truss_model("mast", spec)), 20.0 / 0.5 * 3, 1e-9);
  spec.tip = "nowhere";
  EXPECT_TRUE(std::isinf(buckling_load(truss_model("mast", spec))));
}

// A pull P at the tip does the work P u2 on the second-order displacement; that is minus its geometric strain energy
// sum N |d across|^2 / (2 l), bar forces N from statics: of the bracket pulled along x only the lower bar is loaded.
TEST(Truss, TensionStiffnessFromBarForces) {
  TrussSpec spec = bracket();
  spec.tip = "end";
  const ElasticModel model = truss_model("bracket", spec);
  MatrixX expected = MatrixX::Zero(2, 2);
  expected(1, 1) = 1.0 / 4.0;
  EXPECT_LT((model.field->tension_stiffness() - expected).norm(), 1e-14);
  for (TrussShape shape : shapes()) {
    shape.supported = true;
    const TrussSpec random = random_truss(shape);
    const ElasticModel truss = truss_model("truss", random);
    const int n = static_cast<int>(truss.stiffness.rows());
    const LinkData link = integrate_link("truss", truss, MatrixX::Identity(n, n), false);
    const Frame& root = link.frames[link.find_frame("root")];
    const Frame& tip = link.frames[link.find_frame("tip")];
    const Vec3 axis = (tip.pose.position - root.pose.position).normalized();
    const VectorX u = truss.stiffness.ldlt().solve((tip.shape - root.shape).transpose() * axis);
    MatrixX sum = MatrixX::Zero(n, n);
    for (std::size_t b = 0; b < random.bars.size(); ++b) {
      const Outline::Line& line = link.outline.lines[b];
      const auto &from = link.outline.points[line.from],
                 &to = link.outline.points[line.to];
      const Matrix3X relative = to.shape - from.shape;
      const Mat3 axes = link.elastic.section_forces[b].axes;
      const MatrixX across = axes.rightCols<2>().transpose() * relative;
      const double force = link.elastic.section_forces[b].rows.row(0) * u;
      sum += force / (to.position - from.position).norm() * across.transpose() * across;
    }
    EXPECT_LT((truss.field->tension_stiffness() - sum).norm(), 1e-9 * sum.norm()) << shape.seed;
  }
}

// A node on an inclined roller has one coordinate, along the roller.
TEST(Truss, InclinedRoller) {
  TrussSpec spec;
  spec.planar = true;
  spec.nodes = {{"a", Vec3::Zero(), 0}, {"b", Vec3(2, 2, 0), 0}};
  spec.bars = {bar("a", "b", 100.0, 3.0)};
  spec.supports = {{"a", everything}, {"b", {Vec3(1, -1, 0)}}};
  const ElasticModel model = truss_model("strut", spec);
  ASSERT_EQ(model.stiffness.rows(), 1);
  EXPECT_EQ(model.names[0], "node b [0.707, 0.707, 0]");
  const double length = 2 * std::sqrt(2.0);
  EXPECT_NEAR(model.stiffness(0, 0), 100.0 / length, 1e-13);
  EXPECT_NEAR(model.mass(0, 0), 3.0 * length / 3, 1e-13);
  const Frame b = model.field->frames(MatrixX::Identity(1, 1), false).back();
  EXPECT_EQ(b.name, "b");
  EXPECT_LT((b.shape.col(0) - Vec3(1, 1, 0).normalized()).norm(), 1e-15);
}

TEST(Truss, OutlineAndFrames) {
  TrussSpec spec = bracket();
  spec.bars[0].area = 3.14159265358979e-4;
  spec.frames = {{"plate", {"low", "high", "end"}, Vec3(1, 1, 0), rotation_from_vector(Vec3(0, 0, 0.5))}};
  const ElasticModel model = truss_model("bracket", spec);
  const LinkData link = integrate_link("bracket", model, all_coordinates(model).basis, true);
  ASSERT_EQ(link.outline.points.size(), 3U);
  ASSERT_EQ(link.outline.lines.size(), 2U);
  EXPECT_EQ(link.outline.lines[0].to, 2);
  EXPECT_NEAR(link.outline.lines[0].radius, 0.01, 1e-12);
  EXPECT_EQ(link.outline.lines[1].section_forces, 1);
  std::vector<std::string> names;
  for (const Frame& frame : link.frames) names.push_back(frame.name);
  EXPECT_EQ(names, (std::vector<std::string>{"origin", "low", "high", "end", "plate"}));
  EXPECT_EQ(link.frames[0].shape.norm(), 0.0);
  EXPECT_LT((link.frames[4].pose.position - Vec3(1, 1, 0)).norm(), 1e-15);
  // The end alone moves up by one: about the middle (4/3, 1) the arms are (-4/3, -1), (-4/3, 2), (8/3, -1).
  const double turn = (8.0 / 3) / ((16 + 9 + 16 + 36 + 64 + 9) / 9.0);
  EXPECT_NEAR(link.frames[4].turn(2, 1), turn, 1e-14);
  EXPECT_NEAR(link.frames[4].shape(1, 1), 1.0 / 3 + turn * (1 - 4.0 / 3), 1e-14);
}

TEST(Truss, BadInputIsRefused) {
  const auto complaint = [](const TrussSpec& spec) -> std::string {
    try {
      truss_model("boom", spec);
    } catch (const MechanismError& error) {
      EXPECT_EQ(error.element(), "boom");
      return error.what();
    }
    return "";
  };
  const auto changed = [](auto&& change) {
    TrussSpec spec = bracket();
    change(spec);
    return spec;
  };
  EXPECT_EQ(complaint(bracket()), "");
  EXPECT_EQ(complaint({}), "link 'boom': a truss needs at least one bar");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) { s.nodes.push_back(s.nodes[0]); })),
            "link 'boom': node 'low' is there twice");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) { s.bars[0].to = "edn"; })),
            "link 'boom': bar 'low-edn' stands on the unknown node 'edn'; add it to the nodes");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) {
              s.supports.push_back({"middle", everything});
            })),
            "link 'boom': a support stands on the unknown node 'middle'; add it to the nodes");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) {
              s.frames.push_back({"tip", {"x"}, {}, Mat3::Identity()});
            })),
            "link 'boom': frame 'tip' stands on the unknown node 'x'; add it to the nodes");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) {
              s.frames.push_back({"end", {"low"}, {}, Mat3::Identity()});
            })),
            "link 'boom': frame 'end' has the name of a node; choose another name");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) { s.nodes[2].position.setZero(); })),
            "link 'boom': bar 'low-end' has no length: its ends stand at the same place");
  EXPECT_EQ(
      complaint(changed([](TrussSpec& s) {
        s.bars.push_back({"second", "end", "low", 1, 1, 0});
      })),
      "link 'boom': bars 'low-end' and 'second' join the same nodes 'end' and 'low'; keep one with the sum of their "
      "areas");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) { s.bars[1].axial = -3; })),
            "link 'boom': EA of bar 'high-end' is -3 N; it must be positive");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) { s.bars[1].mass_per_length = -1; })),
            "link 'boom': the mass per length of bar 'high-end' is -1 kg/m; it must not be negative");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) { s.nodes[2].mass = -2; })),
            "link 'boom': the mass of node 'end' is -2 kg; it must not be negative");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) { s.bars[0].mass_per_length = s.bars[1].mass_per_length = 0; })),
            "link 'boom': node 'end' moves but has no mass; give its bars a density or the node a mass");
  EXPECT_EQ(
      complaint(changed([](TrussSpec& s) { s.nodes[1].position.z() = 0.5; })),
      "link 'boom': node 'high' stands at z = 0.5, node 'low' at z = 0; a planar truss lies in a plane of constant z");
  EXPECT_EQ(
      complaint(changed([](TrussSpec& s) {
        s.nodes.push_back({"p", Vec3(6, 0, 0), 0});
        s.nodes.push_back({"q", Vec3(7, 0, 0), 0});
        s.bars.push_back(bar("p", "q"));
      })),
      "link 'boom': the truss is in several parts: no bars lead from node 'low' to node 'p'; join the parts by bars");
  EXPECT_EQ(
      complaint(changed([](TrussSpec& s) {
        s.nodes.push_back({"p", Vec3(6, 0, 0), 0});
        s.bars.push_back(bar("end", "p"));
      })),
      "link 'boom': the truss is a mechanism: node 'p' can move along y while no bar changes its length; add a bar or "
      "a support there");
  EXPECT_EQ(
      complaint(changed([](TrussSpec& s) { s.planar = false; })),
      "link 'boom': the supports let the whole truss move: node 'end' can move along z; make the truss planar, or "
      "hold more directions");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) {
              s.planar = false;
              s.supports.clear();
              s.nodes.push_back({"far", Vec3(4, 3, 0), 0});
              s.bars.push_back(bar("low", "high"));
              s.bars.push_back(bar("far", "high"));
              s.bars.push_back(bar("far", "end"));
            })),
            "link 'boom': the truss is a mechanism: node 'low' can move along z while no bar changes its length; make "
            "the truss planar, or add bars or supports");
  EXPECT_EQ(
      complaint(changed([](TrussSpec& s) {
        s.bars.push_back(bar("low", "high"));
        s.supports = {{"low", everything}};
      })),
      "link 'boom': the supports let the whole truss move: node 'end' can move along y; hold more directions, or none "
      "at all and choose a reference");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) {
              s.supports.push_back({"end", everything});
            })),
            "link 'boom': the supports hold every node; free one of them or make the link rigid");
  EXPECT_EQ(complaint(changed([](TrussSpec& s) {
              s.supports.push_back({"end", {Vec3::Zero()}});
            })),
            "link 'boom': the support of node 'end' holds a direction of zero length");
}

}  // namespace
}  // namespace lithe
