#include "lithe/io/link_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lithe/io/load_model.hpp"
#include "lithe/links/damping.hpp"
#include "lithe/links/reduction.hpp"
#include "lithe/links/reference.hpp"
#include "lithe/links/static_twin.hpp"
#include "lithe/simulation/rest.hpp"
#include "support/beams.hpp"
#include "support/complaint.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

LinkData example(bool stiffening) {
  const ElasticModel model =
      with_reference("arm", beam_model("arm", testing::full_beam(Vec3(0.3, 0.4, 0.1), 3), {}), Reference::clamped);
  const Reduction kept = reduce("arm", model, {{{}, 3, 0}, false, {}, {"tip"}});
  LinkData link = reduced_link("arm", model, kept, stiffening);
  add_static_twin(link, model, kept.basis, {{"origin"}, {}});
  set_damping(link, {0.01, {}, 0, 0, 0});
  return link;
}

std::string temporary(const std::string& name) { return ::testing::TempDir() + "lithe_" + name; }

void expect_same(const LinkData& a, const LinkData& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.centre, b.centre);
  EXPECT_EQ(a.inertia, b.inertia);
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    EXPECT_EQ(a.frames[i].name, b.frames[i].name);
    EXPECT_EQ(a.frames[i].pose.position, b.frames[i].pose.position);
    EXPECT_EQ(a.frames[i].pose.rotation, b.frames[i].pose.rotation);
    EXPECT_EQ(a.frames[i].shape, b.frames[i].shape);
    EXPECT_EQ(a.frames[i].turn, b.frames[i].turn);
    EXPECT_EQ(a.frames[i].residual, b.frames[i].residual);
    for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(a.frames[i].foreshortening[d], b.frames[i].foreshortening[d]);
  }
  const ElasticData &x = a.elastic, &y = b.elastic;
  EXPECT_EQ(x.names, y.names);
  EXPECT_EQ(x.frequencies, y.frequencies);
  EXPECT_EQ(x.mass, y.mass);
  EXPECT_EQ(x.stiffness, y.stiffness);
  EXPECT_EQ(x.damping, y.damping);
  EXPECT_EQ(x.stiffening, y.stiffening);
  EXPECT_EQ(x.translation, y.translation);
  EXPECT_EQ(x.rotation, y.rotation);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(x.foreshortening[i], y.foreshortening[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(x.position_shape[i][j], y.position_shape[i][j]);
      EXPECT_EQ(x.shape_shape[i][j], y.shape_shape[i][j]);
      EXPECT_EQ(x.position_foreshortening[i][j], y.position_foreshortening[i][j]);
    }
  }
  ASSERT_EQ(x.section_forces.size(), y.section_forces.size());
  for (std::size_t i = 0; i < x.section_forces.size(); ++i) {
    EXPECT_EQ(x.section_forces[i].name, y.section_forces[i].name);
    EXPECT_EQ(x.section_forces[i].axes, y.section_forces[i].axes);
    EXPECT_EQ(x.section_forces[i].rows, y.section_forces[i].rows);
    ASSERT_EQ(x.section_forces[i].stress == nullptr, y.section_forces[i].stress == nullptr);
    if (!x.section_forces[i].stress) continue;
    const StressSection &s = *x.section_forces[i].stress, &u = *y.section_forces[i].stress;
    EXPECT_EQ(s.strength, u.strength);
    ASSERT_EQ(s.fibres.size(), u.fibres.size());
    for (std::size_t k = 0; k < s.fibres.size(); ++k) EXPECT_EQ(s.fibres[k].per_force, u.fibres[k].per_force);
  }
  ASSERT_EQ(a.outline.points.size(), b.outline.points.size());
  ASSERT_EQ(a.outline.lines.size(), b.outline.lines.size());
  for (std::size_t i = 0; i < a.outline.points.size(); ++i)
    EXPECT_EQ(a.outline.points[i].shape, b.outline.points[i].shape);
  for (std::size_t i = 0; i < a.outline.lines.size(); ++i) {
    EXPECT_EQ(a.outline.lines[i].to, b.outline.lines[i].to);
    EXPECT_EQ(a.outline.lines[i].radius, b.outline.lines[i].radius);
    EXPECT_EQ(a.outline.lines[i].section_forces, b.outline.lines[i].section_forces);
  }
  EXPECT_EQ(a.axis.length, b.axis.length);
  EXPECT_EQ(a.axis.ends, b.axis.ends);
  EXPECT_EQ(a.axis.frames, b.axis.frames);
  EXPECT_EQ(a.axis.gauss_points, b.axis.gauss_points);
  EXPECT_EQ(a.axis.element_stress, b.axis.element_stress);
  ASSERT_EQ(a.axis.pieces.size(), b.axis.pieces.size());
  for (std::size_t i = 0; i < a.axis.pieces.size(); ++i) {
    EXPECT_EQ(a.axis.pieces[i].start, b.axis.pieces[i].start);
    EXPECT_EQ(a.axis.pieces[i].along, b.axis.pieces[i].along);
    EXPECT_EQ(a.axis.pieces[i].shape, b.axis.pieces[i].shape);
    EXPECT_EQ(a.axis.pieces[i].slopes, b.axis.pieces[i].slopes);
  }
  ASSERT_EQ(a.statics == nullptr, b.statics == nullptr);
  if (a.statics) expect_same(*a.statics, *b.statics);
}

TEST(LinkFile, ComesBackBitByBit) {
  for (const bool stiffening : {true, false})
    for (const char* name : {"link.json", "link.h5", "link.hdf5"}) {
      SCOPED_TRACE(name);
      const LinkData link = example(stiffening);
      write_link_data(link, temporary(name));
      expect_same(read_link_data(temporary(name)), link);
    }
}

TEST(LinkFile, HasAxisAndStaticTwin) {
  const LinkData link = example(true);
  EXPECT_GT(link.axis.length, 0.0);
  EXPECT_EQ(link.axis.pieces.size(), 3u);
  ASSERT_TRUE(link.statics);
  EXPECT_GT(link.statics->elastic.count(), link.elastic.count());
}

/// Mean over the loaded part, 0.2 to 0.9 m, of the moment that holds (3, -5) to (0, 8) N/m on an arm at 0.4 rad, m
/// times N/m.
double wind_moment() {
  // int_0^1 (0.2 + 0.7 x) ((3 - 3 x) sin - (13 x - 5) cos) dx
  const double uniform = 0.2 + 0.7 / 2, linear = 0.2 / 2 + 0.7 / 3;
  return std::sin(0.4) * (3 * uniform - 3 * linear) - std::cos(0.4) * (13 * linear - 5 * uniform);
}

/// A beam on a motor with a load along a part of it, under its weight; the link as `body` says.
Model loaded_beam(const std::string& body, const std::string& path) {
  return load_model_text(
      "lithe: 1\ngravity: [0, -9.81, 0]\n"
      "links: {arm: {" +
          body +
          "}}\n"
          "joints: {motor: {revolute: z, from: ground, to: arm/root, actuated: true}}\n"
          "loads: {wind: {along: arm, from: 0.2, to: tip, force: [3, -5], end: [0, 8]}}\n"
          "initial: {motor: 0.4}\n",
      path);
}

// Loads along an imported link did nothing: its axis was lost on the way.
TEST(LinkFile, LineLoadsActOnAnImportedLinkAsOnTheOriginal) {
  const Model original = loaded_beam(
      "beam: {length: 0.9, EI: 20, EA: 1e5, mass: 0.6}, modes: {count: 2}, frames: {middle: 0.45}", "original.yaml");
  for (const char* name : {"loaded.json", "loaded.h5"}) {
    write_link_data(original.mechanism.links[1], temporary(name));
    const Model imported = loaded_beam("imported: {file: '" + temporary(name) + "'}", "imported.yaml");
    for (const bool exact : {false, true}) {
      const Model a = exact ? static_twin(original) : original, b = exact ? static_twin(imported) : imported;
      ModelAtRest there(a), here(b);
      EXPECT_LT((there.rest().state.q - here.rest().state.q).norm(), 1e-14) << name;
      EXPECT_GT(there.rest().state.q.tail(there.plan().nv() - 1).norm(), 1e-3);
      EXPECT_NEAR(there.rest().tau[0], here.rest().tau[0], 1e-12);
      // Moment about the motor: weight and a force per length (5 to -8 N/m down, 3 to 0 N/m along x) of the straight
      // arm.
      EXPECT_NEAR(here.rest().tau[0], 0.6 * 9.81 * 0.45 * std::cos(0.4) + 0.7 * wind_moment(), 0.02) << name;
    }
  }
}

TEST(LinkFile, RigidLink) {
  LinkData link;
  link.name = "block";
  link.mass = 2.5;
  link.frames.push_back({"corner", Pose{Mat3::Identity(), Vec3(1, 2, 3)}, {}, {}, {}});
  for (const char* name : {"block.json", "block.h5"}) {
    write_link_data(link, temporary(name));
    expect_same(read_link_data(temporary(name)), link);
  }
}

TEST(LinkFile, AFrameWithoutShapesStandsStillInAnElasticLink) {
  // Two pendulums of the same link: the added frame is where the origin is, and stands as still.
  const LinkData link = example(false);
  LinkData with_frame = link;
  with_frame.frames.push_back({"mark", link.frames[0].pose, {}, {}, {}});
  const auto accelerations = [](const LinkData& arm, int frame) {
    Mechanism mechanism;
    mechanism.gravity = Vec3(0, -9.81, 0);
    mechanism.links.push_back(arm);
    Joint joint;
    joint.name = "pin";
    joint.type = JointType::revolute;
    joint.from = {0, 0};
    joint.to = {1, frame};
    mechanism.joints.push_back(joint);
    const Plan plan(mechanism);
    Workspace work(plan);
    State state;
    state.q = plan.neutral();
    state.v = VectorX::Zero(plan.nv());
    EXPECT_TRUE(select_independent(plan, work, state.q));
    VectorX a = VectorX::Zero(plan.nv());
    EXPECT_TRUE(forward_dynamics(plan, work, state, Actions(plan), a));
    return a;
  };
  const VectorX expected = accelerations(link, 0), got = accelerations(with_frame, std::ssize(with_frame.frames) - 1);
  ASSERT_GT(expected.norm(), 1.0);
  EXPECT_LT((got - expected).norm(), 1e-12 * expected.norm());
}

TEST(LinkFile, BadFilesAreRefused) {
  const std::string path = temporary("bad.json");
  write_link_data(example(false), path);
  nlohmann::json good;
  std::ifstream(path) >> good;
  const auto complaint = [&](const nlohmann::json& tree) -> std::string {
    std::ofstream(path) << tree.dump();
    return testing::complaint_of([&] { read_link_data(path); });
  };
  const std::string start = "link file '" + path + "': ";
  EXPECT_EQ(complaint(nlohmann::json::object()), start + "this is not a link file: 'lithe_link' is missing");
  nlohmann::json bad = good;
  bad["lithe_link"] = 7;
  EXPECT_EQ(complaint(bad), start + "lithe_link: version 7 is not known; this program reads 1");
  bad = good;
  bad["elastic"].erase("damping");
  EXPECT_EQ(complaint(bad), start + "elastic: 'damping' is missing");
  bad = good;
  bad["elastic"]["mass"][1].erase(0);
  EXPECT_EQ(complaint(bad).substr(0, start.size() + 29), start + "elastic.mass[1]: expected 9 e");
  bad = good;
  bad["elastic"]["stiffness"][0][1] = 5.0e9;
  EXPECT_EQ(complaint(bad), start + "elastic.stiffness: the matrix is not symmetric");
  bad = good;
  bad["elastic"]["mass"][0][0] = -1.0;
  EXPECT_EQ(complaint(bad), start + "elastic.mass: the matrix is not positive definite");
  bad = good;
  bad["frames"][0]["name"] = "base";
  EXPECT_EQ(complaint(bad), start + "frames: the first frame must be 'origin'");
  bad = good;
  bad["elastic"]["stiffening"] = "much";
  EXPECT_EQ(complaint(bad), start + "elastic.stiffening: expected off, consistent or stress, but this is 'much'");
  bad = good;
  bad["elastic"]["section_forces"][2]["stress"] = 5;
  EXPECT_EQ(complaint(bad), start + "elastic.section_forces[2].stress: there is no such stress section");
  bad = good;
  for (const double place : {99.0, -2.0, 1e300}) {
    bad["outline"]["lines"][0][3] = place;
    EXPECT_EQ(complaint(bad), start + "outline.lines[0]: names a section force that is not there; -1 is none");
  }
  bad = good;
  bad["statics"]["elastic"]["section_forces"].erase(0);
  EXPECT_EQ(complaint(bad), start +
                                "statics: it must have the elastic coordinates, the frames and the section forces of "
                                "the link, and may have further coordinates");
  bad = good;
  bad["mass"] = "MASS";
  std::string large = bad.dump();
  large.replace(large.find("\"MASS\""), 6, "2e308999");
  std::ofstream(path) << large;
  EXPECT_EQ(testing::complaint_of([&] { read_link_data(path); }),
            "link file '" + path + "' holds a number that is too large");
  std::ofstream(path) << "{ not json";
  EXPECT_THROW(read_link_data(path), std::runtime_error);
  EXPECT_THROW(read_link_data(temporary("absent.json")), std::runtime_error);
  EXPECT_THROW(read_link_data(temporary("absent.h5")), std::runtime_error);
  try {
    write_link_data(example(false), temporary("link.txt"));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "link file '" + temporary("link.txt") + "': the name must end in .json, .h5 or .hdf5");
  }
}

TEST(LinkFile, KeepsWhatStressNeeds) {
  BeamSpec spec;
  Material steel{200e9, 7800, 0.3};
  steel.strength = {235e6, SnLine{160e6, 2e6, 5, 90e6, 360e6}};
  spec.stations = {{0.0, circle(steel, 0.01)}, {0.5, circle(steel, 0.01)}, {0.5, circle(steel, 0.02)}};
  spec.elements = 2;
  const ElasticModel model = with_reference("arm", beam_model("arm", spec, {}), Reference::clamped);
  const LinkData link = reduced_link("arm", model, reduce("arm", model, {{{}, 1, 0}, false, {}, {}}), false);
  ASSERT_NE(link.elastic.section_forces[0].stress, nullptr);
  EXPECT_EQ(link.elastic.section_forces[0].stress, link.elastic.section_forces[1].stress);  // shared
  EXPECT_NE(link.elastic.section_forces[2].stress, link.elastic.section_forces[3].stress);
  for (const char* name : {"stress.json", "stress.h5"}) {
    write_link_data(link, temporary(name));
    const LinkData back = read_link_data(temporary(name));
    expect_same(link, back);
    EXPECT_EQ(back.elastic.section_forces[0].stress, back.elastic.section_forces[1].stress);
  }
}

// A link file written by hand (tests/data/arm.json: a rod of 2 kg and 1 m with EI = 5 that sags as (x/L)^2, closed
// forms) and the bar of CalculiX, through a model file.
TEST(LinkFile, ModelFileNamesLinkFilesAndMatrices) {
  const Model model = load_model(source_folder() + "/tests/io/accepted/every-key.yaml");
  const auto link = [&](const std::string& name) -> const LinkData& {
    for (const LinkData& each : model.mechanism.links)
      if (each.name == name) return each;
    throw std::runtime_error(name);
  };
  const LinkData& cast = link("cast");
  EXPECT_EQ(cast.elastic.names, std::vector<std::string>{"sag"});
  EXPECT_DOUBLE_EQ(cast.elastic.mass(0, 0), 2.0 / 5);
  EXPECT_DOUBLE_EQ(cast.elastic.stiffness(0, 0), 4 * 5.0);
  EXPECT_DOUBLE_EQ(cast.elastic.translation(1, 0), 2.0 / 3);
  const LinkData& bar = link("bar");
  EXPECT_EQ(bar.elastic.count(), 2);
  EXPECT_EQ(bar.elastic.stiffening, Stiffening::off);
  EXPECT_NEAR(bar.mass, 2700 * 0.4 * 0.03 * 0.02, 1e-12);
  EXPECT_GE(bar.find_frame("tip"), 0);
}

TEST(LinkFile, ModelFileComplaints) {
  const auto complaint = [](const std::string& links) -> std::string {
    try {
      load_model_text("lithe: 1\nlinks: {a: {" + links + "}}\njoints: {j: {fixed: true, from: ground, to: a}}",
                      "model.yaml");
    } catch (const ModelError& error) {
      return error.diagnostics()[0].message;
    }
    return "";
  };
  EXPECT_EQ(complaint("imported: {file: none.json}"), "the file 'none.json' cannot be read: there is no such file");
  const std::string text = source_folder() + "/CMakeLists.txt";
  EXPECT_EQ(complaint("imported: {file: " + text + "}"),
            "link file '" + text + "': the name must end in .json, .h5 or .hdf5");
  EXPECT_EQ(complaint("imported: {file: none.json}, frames: {b: [1, 2]}"),
            "the frames of an imported link stand in its file; drop this one");
  EXPECT_EQ(complaint("matrices: {mass: m.mtx, stiffness: k.mtx, nodes: n.txt}"),
            "the file 'm.mtx' cannot be read: there is no such file");
}

TEST(MatrixFiles, BadFilesAreRefused) {
  const std::string matrix = temporary("m.mtx"), nodes = temporary("nodes.txt");
  const auto complaint = [&](const std::string& matrix_text, const std::string& node_text) -> std::string {
    std::ofstream(matrix) << matrix_text;
    std::ofstream(nodes) << node_text;
    try {
      read_imported_matrices(matrix, matrix, nodes);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n";
  const std::string good_nodes = "nodes\n7 0 0 0\nrows\n7 x\n7 y\n7 z\n";
  EXPECT_EQ(complaint(head + "% three\n3 3 1\n1 1 2.5\n", good_nodes), "");
  EXPECT_EQ(complaint("1 2 3\n", good_nodes),
            matrix + ":1: expected '%%MatrixMarket matrix coordinate real symmetric' (or general)");
  EXPECT_EQ(complaint(head + "3 3 2\n1 1 2.5\n", good_nodes), matrix + ":3: 2 entries are announced, but there are 1");
  EXPECT_EQ(complaint(head + "3 3 1\n4 1 2.5\n", good_nodes),
            matrix + ":3: expected row, column and value of an entry of a 3 x 3 matrix");
  // A size that no memory holds, and one that no index counts.
  for (const char* size : {"2000000000 2000000000", "3 4", "9999999999 9999999999"})
    EXPECT_EQ(complaint(head + size + " 0\n", good_nodes),
              matrix + ":2: expected a 3 x 3 matrix, one row for each of 'rows' in the file of the nodes");
  EXPECT_EQ(complaint(head, "nodes\n7 0 0 0\nrows\n8 x\n"), nodes + ":4: node 8 is not among the nodes above");
  EXPECT_EQ(complaint(head, "nodes\n7 0 0 0\nrows\n7 up\n"),
            nodes + ":4: expected a node number and one of x, y, z, rx, ry, rz");
  EXPECT_EQ(complaint(head, "7 0 0 0\n"), nodes + ":1: expected 'nodes', 'rows' or 'lines' before the first entry");
  EXPECT_EQ(complaint(head, "nodes\n7 0 0 0\n7 1 0 0\n"), nodes + ":3: node 7 stands here for the second time");
}

}  // namespace
}  // namespace lithe
