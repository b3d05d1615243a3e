// Imported finite-element parts; the bar of tests/data/calculix-bar comes from tests/oracles/calculix_bar.py.
#include "lithe/links/imported.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lithe/io/link_file.hpp"
#include "lithe/links/elimination.hpp"
#include "lithe/links/reduction.hpp"
#include "lithe/links/reference.hpp"
#include "lithe/mechanism/mechanism.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe {
namespace {

const std::string folder = source_folder() + "/tests/data/calculix-bar/";

const nlohmann::json& answers() {
  static const nlohmann::json tree = recorded_json("tests/data/calculix-bar/answers.json");
  return tree;
}

const ImportedMatrices& bar() {
  static const ImportedMatrices part =
      read_imported_matrices(folder + "mass.mtx", folder + "stiffness.mtx", folder + "nodes.txt");
  return part;
}

std::vector<ImportedFrame> end_frames() {
  return {{"root", answers()["left"].get<std::vector<int>>(), Mat3::Identity()},
          {"tip", answers()["right"].get<std::vector<int>>(), Mat3::Identity()}};
}

const double length = 0.4, height = 0.03, width = 0.02, density = 2700;

/// Quadratic fields, which 20-node bricks hold exactly: three columns of (along x, along y, along z).
Mat3 field(const Vec3& p) {
  const double x = p.x(), y = p.y(), z = p.z();
  Mat3 columns;
  columns << y * y, 3 * z - x, x * y,  //
      x * z, x * x - 2 * y, 1 + z,     //
      x * x, y * z, x - y;
  return columns;
}

/// Sum of `term` over the bar by a product rule of its own: five Gauss points each way.
template <class Term>
void over_the_bar(Term&& term) {
  const double at[5] = {-0.906179845938664, -0.538469310105683, 0, 0.538469310105683, 0.906179845938664};
  const double weight[5] = {0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366,
                            0.236926885056189};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 5; ++k)
        term(Vec3(length / 2 * (1 + at[i]), height / 2 * at[j], width / 2 * at[k]),
             density * length * height * width / 8 * weight[i] * weight[j] * weight[k]);
}

TEST(Imported, MassPropertiesOfTheBar) {
  const ElasticModel model = imported_model("bar", bar(), end_frames());
  const LinkData link = integrate_link("bar", model, all_coordinates(model).basis, false);
  const double mass = density * length * height * width;
  EXPECT_NEAR(link.mass, mass, 1e-12);
  EXPECT_LT((link.centre - Vec3(length / 2, 0, 0)).norm(), 1e-12);
  const Vec3 inertia =
      mass / 12 *
      Vec3(height * height + width * width, length * length + width * width, length * length + height * height);
  EXPECT_LT((link.inertia - Mat3(inertia.asDiagonal())).norm(), 1e-12);
  EXPECT_EQ(model.names[3], "node 2 x");
  EXPECT_EQ(link.outline.points.size(), bar().nodes.size());
}

// Every integral from the mass matrix against quadrature of the same fields.
TEST(Imported, IntegralsEqualQuadrature) {
  const ElasticModel model = imported_model("bar", bar(), end_frames());
  MatrixX basis(std::ssize(bar().rows), 3);
  for (std::size_t i = 0; i < bar().rows.size(); ++i) {
    const ImportedMatrices::Row& row = bar().rows[i];
    basis.row(static_cast<Eigen::Index>(i)) =
        field(bar().nodes[row.node].position).row(row.direction);
  }
  const LinkData link = integrate_link("bar", model, basis, false);
  const ElasticData& e = link.elastic;
  Mat3 mass = Mat3::Zero(), translation = Mat3::Zero(), rotation = Mat3::Zero();
  Eigen::RowVector3d position[3][3];
  Mat3 shape[3][3];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) position[a][b].setZero(), shape[a][b].setZero();
  over_the_bar([&](const Vec3& p, double dm) {
    const Mat3 f = field(p);
    mass += dm * f.transpose() * f;
    translation += dm * f;
    rotation += dm * skew(p) * f;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        position[a][b] += dm * p[a] * f.row(b);
        shape[a][b] += dm * f.row(a).transpose() * f.row(b);
      }
  });
  EXPECT_LT((e.mass - mass).norm(), 1e-10 * mass.norm());
  EXPECT_LT((e.translation - translation).norm(), 1e-10 * translation.norm());
  EXPECT_LT((e.rotation - rotation).norm(), 1e-10 * rotation.norm());
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      EXPECT_LT((e.position_shape[a][b] - position[a][b]).norm(), 1e-10 * translation.norm() * length);
      EXPECT_LT((e.shape_shape[a][b] - shape[a][b]).norm(), 1e-10 * mass.norm());
    }
}

// Free bar: the frequencies that CalculiX finds with the same matrices (seven digits printed).
TEST(Imported, FreeFrequenciesOfCalculix) {
  const ElasticModel model = with_reference("bar", imported_model("bar", bar(), end_frames()), Reference::free);
  const Reduction modes = link_modes("bar", model, {{}, 6, 0});
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(modes.frequencies[i] / (2 * std::numbers::pi) / answers()["free_hz"][i].get<double>(), 1.0, 1e-6);
  EXPECT_EQ(modes.names[0], "bending z 1");
  EXPECT_EQ(modes.names[1], "bending y 1");
}

// Every node of the left face held: again the frequencies of CalculiX. Held only at the mean motion of the face, which
// may then still warp, the bar has fewer constraints and is never stiffer (Rayleigh).
TEST(Imported, ClampedFrequenciesOfCalculix) {
  const ElasticModel free = imported_model("bar", bar(), end_frames());
  const auto left = answers()["left"].get<std::vector<int>>();
  MatrixX held = MatrixX::Zero(static_cast<Eigen::Index>(3 * left.size()), free.mass.rows());
  Eigen::Index count = 0;
  for (std::size_t i = 0; i < bar().rows.size(); ++i)
    if (std::count(left.begin(), left.end(), bar().nodes[bar().rows[i].node].number) > 0)
      held(count++, static_cast<Eigen::Index>(i)) = 1.0;
  const ElasticModel fixed = detail::constrained(free, detail::Elimination(held));
  const Reduction stiff = link_modes("bar", fixed, {{}, 8, 0});
  const Reduction mean = link_modes("bar", with_reference("bar", free, Reference::clamped), {{}, 8, 0});
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(stiff.frequencies[i] / (2 * std::numbers::pi) / answers()["clamped_hz"][i].get<double>(), 1.0, 1e-6);
    EXPECT_LT(mean.frequencies[i], stiff.frequencies[i]);
  }
}

// A frame follows a rigid motion of its nodes exactly.
TEST(Imported, FramesFollowRigidMotion) {
  const ElasticModel model = imported_model("bar", bar(), end_frames());
  const Vec3 shift(0.3, -0.2, 0.5), turn(0.1, 0.4, -0.2);
  MatrixX basis(std::ssize(bar().rows), 1);
  for (std::size_t i = 0; i < bar().rows.size(); ++i) {
    const ImportedMatrices::Row& row = bar().rows[i];
    basis(static_cast<Eigen::Index>(i), 0) =
        (shift + turn.cross(bar().nodes[row.node].position))[row.direction];
  }
  const std::vector<Frame> frames = model.field->frames(basis, false);
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_TRUE(frames[0].shape.isZero(0.0));
  EXPECT_LT((frames[2].pose.position - Vec3(length, 0, 0)).norm(), 1e-12);
  EXPECT_LT((frames[2].shape.col(0) - (shift + turn.cross(Vec3(length, 0, 0)))).norm(), 1e-12);
  EXPECT_LT((frames[2].turn.col(0) - turn).norm(), 1e-11);
}

// Condensed to its end faces and twenty inner modes the bar keeps its mass properties exactly, its static tip
// compliance exactly and its lowest frequencies closely (from above).
TEST(Imported, CondensedBar) {
  const ElasticModel full = with_reference("bar", imported_model("bar", bar(), end_frames()), Reference::clamped);
  const ElasticModel small =
      with_reference("bar", imported_model("bar", bar(), end_frames(), {50, 20}), Reference::clamped);
  EXPECT_EQ(small.mass.rows(), 2 * 24 + 20 - 6);
  const VectorX exact = link_modes("bar", full, {{}, 4, 0}).frequencies;
  const VectorX close = link_modes("bar", small, {{}, 4, 0}).frequencies;
  for (int i = 0; i < 4; ++i) {
    EXPECT_GE(close[i] / exact[i], 1 - 1e-9);
    EXPECT_LT(close[i] / exact[i], 1 + 1e-4);
  }
  const auto compliance = [](const ElasticModel& model) -> Mat3 {
    const Frame tip = model.field->frames(MatrixX::Identity(model.mass.rows(), model.mass.rows()), false)[2];
    return tip.shape * model.stiffness.ldlt().solve(MatrixX(tip.shape.transpose()));
  };
  EXPECT_LT((compliance(small) - compliance(full)).norm(), 1e-8 * compliance(full).norm());
  const LinkData link = integrate_link("bar", small, all_coordinates(small).basis, false);
  EXPECT_NEAR(link.mass, density * length * height * width, 1e-12);
}

TEST(Imported, BadInputIsRefused) {
  const auto complaint = [](const ImportedMatrices& part, const std::vector<ImportedFrame>& frames) -> std::string {
    try {
      imported_model("bar", part, frames);
    } catch (const MechanismError& error) {
      return error.what();
    }
    return "";
  };
  ImportedMatrices part = bar();
  part.rows.pop_back();
  EXPECT_EQ(complaint(part, {}), "link 'bar': its mass matrix is 168 x 168, but the node file describes 167 rows");
  part = bar();
  part.stiffness.coeffRef(0, 0) *= 2;
  EXPECT_EQ(complaint(part, {}),
            "link 'bar': its stiffness matrix resists rigid motion: take supports and springs to ground out before "
            "exporting, and check the unit and axes of the node positions");
  part = bar();
  part.stiffness.coeffRef(0, 1) *= 2;
  EXPECT_EQ(complaint(part, {}),
            "link 'bar': its stiffness matrix is not symmetric; export both halves or mark the file as symmetric");
  EXPECT_EQ(complaint(bar(), {{"tip", {99}, Mat3::Identity()}}),
            "link 'bar': frame 'tip' names node 99, which the node file does not have");
  EXPECT_EQ(complaint(bar(), {{"tip", {}, Mat3::Identity()}}), "link 'bar': frame 'tip' names no node");
  const ElasticModel model = imported_model("bar", bar(), end_frames());
  try {
    integrate_link("bar", model, all_coordinates(model).basis, true);
    FAIL();
  } catch (const MechanismError& error) {
    EXPECT_STREQ(error.what(),
                 "link 'bar': the foreshortening of an imported link is not known; switch its stiffening off");
  }
}

}  // namespace
}  // namespace lithe
