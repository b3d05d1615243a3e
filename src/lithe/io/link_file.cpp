#include "lithe/io/link_file.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lithe/io/hdf5_tree.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/link_tree.hpp"
#include "lithe/io/replacing_file.hpp"
#include "lithe/io/source_files.hpp"

// LinkData as a tree of maps, lists and numbers; docs/link-file.md lists the keys.

namespace lithe {

namespace {

using nlohmann::json;

constexpr int format_version = 1;
constexpr const char* stiffening_words[3] = {"off", "consistent", "stress"};

json rows_of(const MatrixX& matrix) {
  json rows = json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    json row = json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

json entries_of(const VectorX& vector) {
  json list = json::array();
  for (const double value : vector) list.push_back(value);
  return list;
}

template <class Matrix>
json axes_tables(const std::array<Matrix, 3>& matrices) {
  json list = json::array();
  for (const Matrix& each : matrices) list.push_back(rows_of(each));
  return list;
}

template <class Matrix>
json axes_axes_tables(const std::array<std::array<Matrix, 3>, 3>& matrices) {
  json list = json::array();
  for (const auto& each : matrices) list.push_back(axes_tables(each));
  return list;
}

json frame_tree(const Frame& frame) {
  json tree{
      {"name", frame.name}, {"position", entries_of(frame.pose.position)}, {"rotation", rows_of(frame.pose.rotation)}};
  if (frame.shape.cols() == 0) return tree;
  tree["shape"] = rows_of(frame.shape);
  tree["turn"] = rows_of(frame.turn);
  if (frame.foreshortening[0].size() > 0) tree["foreshortening"] = axes_tables(frame.foreshortening);
  if (frame.residual.size() > 0) tree["residual"] = rows_of(frame.residual);
  return tree;
}

json stress_tree(const StressSection& section) {
  json fibres = json::array();
  for (const Fibre& fibre : section.fibres) fibres.push_back(fibre.per_force);
  json tree{{"fibres", std::move(fibres)}};
  if (section.strength.yield > 0) tree["yield"] = section.strength.yield;
  if (const auto& line = section.strength.fatigue)
    tree["fatigue"] = {line->amplitude, line->cycles, line->slope, line->endurance, line->ultimate};
  return tree;
}

json elastic_tree(const ElasticData& e) {
  json tree{{"names", e.names},
            {"frequencies", entries_of(e.frequencies)},
            {"mass", rows_of(e.mass)},
            {"stiffness", rows_of(e.stiffness)},
            {"damping", rows_of(e.damping)},
            {"stiffening", stiffening_words[static_cast<int>(e.stiffening)]},
            {"translation", rows_of(e.translation)},
            {"rotation", rows_of(e.rotation)},
            {"position_shape", axes_axes_tables(e.position_shape)},
            {"shape_shape", axes_axes_tables(e.shape_shape)}};
  if (e.foreshortening[0].size() > 0) {
    tree["foreshortening"] = axes_tables(e.foreshortening);
    tree["position_foreshortening"] = axes_axes_tables(e.position_foreshortening);
    json squares = json::array();
    for (const MatrixX& square : e.foreshortening_squares) squares.push_back(rows_of(square));
    if (!squares.empty()) tree["foreshortening_squares"] = std::move(squares);
  }
  json forces = json::array(), stresses = json::array();
  std::map<const StressSection*, std::size_t> numbers;  // places share their stress sections
  for (const SectionForces& each : e.section_forces) {
    forces.push_back({{"name", each.name},
                      {"position", entries_of(each.position)},
                      {"axes", rows_of(each.axes)},
                      {"rows", rows_of(each.rows)}});
    if (!each.stress) continue;
    const auto [place, is_new] = numbers.try_emplace(each.stress.get(), numbers.size());
    if (is_new) stresses.push_back(stress_tree(*each.stress));
    forces.back()["stress"] = place->second;
  }
  if (!forces.empty()) tree["section_forces"] = std::move(forces);
  if (!stresses.empty()) tree["stress_sections"] = std::move(stresses);
  return tree;
}

json outline_tree(const Outline& outline) {
  json points = json::array(), shapes = json::array(), lines = json::array();
  for (const Outline::Point& point : outline.points) {
    points.push_back(entries_of(point.position));
    shapes.push_back(rows_of(point.shape));
  }
  for (const Outline::Line& line : outline.lines)
    lines.push_back({line.from, line.to, line.radius, line.section_forces});
  json tree{{"points", std::move(points)}, {"shapes", std::move(shapes)}, {"lines", std::move(lines)}};
  const auto known = [](const Outline::Line& line) { return line.profile.kind != Profile::Kind::unknown; };
  if (std::any_of(outline.lines.begin(), outline.lines.end(), known)) {
    json& profiles = tree["profiles"] = json::array();
    for (const auto& [from, to, radius, forces, profile, across] : outline.lines) {
      const auto& d = profile.dimensions;
      profiles.push_back({static_cast<int>(profile.kind), d[0], d[1], d[2], d[3], across.x(), across.y(), across.z()});
    }
  }
  return tree;
}

json solids_tree(const std::vector<Solid>& solids) {
  json tree = json::array();
  for (const Solid& solid : solids)
    tree.push_back({{"kind", static_cast<int>(solid.kind)},
                    {"centre", entries_of(solid.centre)},
                    {"axes", rows_of(solid.axes)},
                    {"size", entries_of(solid.size)}});
  return tree;
}

json axis_tree(const Axis& axis) {
  json starts = json::array(), ways = json::array(), shapes = json::array(), slopes = json::array();
  for (const Axis::Piece& piece : axis.pieces) {
    starts.push_back(entries_of(piece.start));
    ways.push_back(entries_of(piece.along));
    json shape = json::array(), slope = json::array();
    for (const Matrix3X& each : piece.shape) shape.push_back(rows_of(each));
    for (const Axis::Slopes& each : piece.slopes) slope.push_back(rows_of(each));
    shapes.push_back(std::move(shape));
    slopes.push_back(std::move(slope));
  }
  return {{"ends", axis.ends},
          {"frames", axis.frames},
          {"gauss_points", axis.gauss_points},
          {"whole_elements", axis.element_stress ? 1 : 0},
          {"start", std::move(starts)},
          {"along", std::move(ways)},
          {"shape", std::move(shapes)},
          {"slopes", std::move(slopes)}};
}

}  // namespace

json detail::link_tree(const LinkData& link) {
  json frames = json::array();
  for (const Frame& frame : link.frames) frames.push_back(frame_tree(frame));
  json tree{{"lithe_link", format_version},
            {"name", link.name},
            {"mass", link.mass},
            {"centre", entries_of(link.centre)},
            {"inertia", rows_of(link.inertia)},
            {"frames", std::move(frames)}};
  if (link.elastic.count() > 0) tree["elastic"] = elastic_tree(link.elastic);
  if (!link.outline.points.empty()) tree["outline"] = outline_tree(link.outline);
  if (!link.solids.empty()) tree["solids"] = solids_tree(link.solids);
  if (link.axis.length > 0) tree["axis"] = axis_tree(link.axis);
  if (link.statics) tree["statics"] = link_tree(*link.statics);
  return tree;
}

namespace {

/// A value of the tree with its path, so that every complaint names file and key.
class Branch {
 public:
  Branch(const json& value, std::string file, std::string path)
      : value_(&value), file_(std::move(file)), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& message) const {
    throw std::runtime_error(path_.empty() ? fmt::format("link file '{}': {}", file_, message)
                                           : fmt::format("link file '{}': {}: {}", file_, path_, message));
  }
  bool has(const std::string& key) const { return value_->is_object() && value_->contains(key); }
  Branch operator[](const std::string& key) const {
    if (!has(key)) fail(fmt::format("'{}' is missing", key));
    return {(*value_)[key], file_, path_.empty() ? key : path_ + "." + key};
  }
  Branch operator[](std::size_t i) const { return {(*value_)[i], file_, fmt::format("{}[{}]", path_, i)}; }
  std::size_t list_size() const {
    if (!value_->is_array()) fail("expected a list");
    return value_->size();
  }
  void require_list(std::size_t size) const {
    if (list_size() != size) fail(fmt::format("expected {} entries, but there are {}", size, value_->size()));
  }
  double number() const {
    if (!value_->is_number()) fail("expected a number");
    return value_->get<double>();
  }
  std::string text() const {
    if (!value_->is_string()) fail("expected text");
    return value_->get<std::string>();
  }
  VectorX vector(Eigen::Index size) const {
    require_list(size);
    VectorX result(size);
    for (Eigen::Index i = 0; i < size; ++i) result[i] = (*this)[i].number();
    return result;
  }
  MatrixX matrix(Eigen::Index rows, Eigen::Index columns) const {
    require_list(rows);
    MatrixX result(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i) result.row(i) = (*this)[i].vector(columns).transpose();
    return result;
  }
  template <class Matrix>
  void axes_matrices(std::array<Matrix, 3>& matrices, Eigen::Index rows, Eigen::Index columns) const {
    require_list(3);
    for (std::size_t a = 0; a < 3; ++a) matrices[a] = (*this)[a].matrix(rows, columns);
  }
  template <class Matrix>
  void axes_axes_matrices(std::array<std::array<Matrix, 3>, 3>& matrices, Eigen::Index rows,
                          Eigen::Index columns) const {
    require_list(3);
    for (std::size_t a = 0; a < 3; ++a) (*this)[a].axes_matrices(matrices[a], rows, columns);
  }

 private:
  const json* value_;
  std::string file_, path_;
};

Frame read_frame(const Branch& tree, Eigen::Index count) {
  Frame frame;
  frame.name = tree["name"].text();
  frame.pose.position = tree["position"].vector(3);
  frame.pose.rotation = tree["rotation"].matrix(3, 3);
  // A frame that was added to a finished link stands still in it.
  if (count == 0 || !tree.has("shape")) return frame;
  frame.shape = tree["shape"].matrix(3, count);
  frame.turn = tree["turn"].matrix(3, count);
  if (tree.has("foreshortening")) tree["foreshortening"].axes_matrices(frame.foreshortening, count, count);
  if (tree.has("residual")) frame.residual = tree["residual"].matrix(6, 6);
  return frame;
}

std::shared_ptr<const StressSection> read_stress(const Branch& tree) {
  StressSection section;
  const Branch fibres = tree["fibres"];
  for (std::size_t i = 0; i < fibres.list_size(); ++i) {
    const VectorX given = fibres[i].vector(6);
    std::copy(given.begin(), given.end(), section.fibres.emplace_back().per_force.begin());
  }
  if (tree.has("yield")) section.strength.yield = tree["yield"].number();
  if (tree.has("fatigue")) {
    const VectorX line = tree["fatigue"].vector(5);
    section.strength.fatigue = SnLine{line[0], line[1], line[2], line[3], line[4]};
  }
  return std::make_shared<const StressSection>(std::move(section));
}

ElasticData read_elastic(const Branch& tree) {
  ElasticData e;
  const Branch names = tree["names"];
  const auto n = static_cast<Eigen::Index>(names.list_size());
  for (std::size_t i = 0; i < names.list_size(); ++i) e.names.push_back(names[i].text());
  e.frequencies = tree["frequencies"].vector(n);
  e.mass = tree["mass"].matrix(n, n);
  e.stiffness = tree["stiffness"].matrix(n, n);
  e.damping = tree["damping"].matrix(n, n);
  for (const auto& [key, matrix] :
       {std::pair{"mass", &e.mass}, std::pair{"stiffness", &e.stiffness}, std::pair{"damping", &e.damping}})
    if ((*matrix - matrix->transpose()).norm() > 1e-9 * matrix->norm()) tree[key].fail("the matrix is not symmetric");
  if (Eigen::LLT<MatrixX>(e.mass).info() != Eigen::Success) tree["mass"].fail("the matrix is not positive definite");
  const std::string word = tree["stiffening"].text();
  for (int i = 0; i < 3; ++i)
    if (word == stiffening_words[i]) e.stiffening = static_cast<Stiffening>(i);
  if (word != stiffening_words[static_cast<int>(e.stiffening)])
    tree["stiffening"].fail(fmt::format("expected off, consistent or stress, but this is '{}'", word));
  e.translation = tree["translation"].matrix(3, n);
  e.rotation = tree["rotation"].matrix(3, n);
  tree["position_shape"].axes_axes_matrices(e.position_shape, 1, n);
  tree["shape_shape"].axes_axes_matrices(e.shape_shape, n, n);
  if (e.stiffening != Stiffening::off || tree.has("foreshortening")) {
    tree["foreshortening"].axes_matrices(e.foreshortening, n, n);
    tree["position_foreshortening"].axes_axes_matrices(e.position_foreshortening, n, n);
    if (tree.has("foreshortening_squares")) {
      const Branch squares = tree["foreshortening_squares"];
      for (std::size_t i = 0; i < squares.list_size(); ++i) e.foreshortening_squares.push_back(squares[i].matrix(n, n));
    }
  }
  if (!tree.has("section_forces")) return e;
  const Branch forces = tree["section_forces"];
  std::vector<std::shared_ptr<const StressSection>> stresses;
  if (tree.has("stress_sections")) {
    const Branch sections = tree["stress_sections"];
    for (std::size_t i = 0; i < sections.list_size(); ++i) stresses.push_back(read_stress(sections[i]));
  }
  for (std::size_t i = 0; i < forces.list_size(); ++i) {
    e.section_forces.push_back({forces[i]["name"].text(), forces[i]["position"].vector(3),
                                forces[i]["axes"].matrix(3, 3), forces[i]["rows"].matrix(6, n)});
    if (!forces[i].has("stress")) continue;
    const double number = forces[i]["stress"].number();
    if (!(number >= 0 && number < static_cast<double>(stresses.size())))
      forces[i]["stress"].fail("there is no such stress section");
    e.section_forces.back().stress = stresses[static_cast<std::size_t>(number)];
  }
  return e;
}

/// A kind that is stored as its number, from zero to `last`.
template <class Kind>
Kind read_kind(double number, Kind last, const Branch& where) {
  if (!(number >= 0 && number <= static_cast<int>(last))) where.fail(fmt::format("the kind {} is not known", number));
  return static_cast<Kind>(static_cast<int>(number));
}

Outline read_outline(const Branch& tree, const ElasticData& elastic) {
  Outline outline;
  const Branch points = tree["points"], shapes = tree["shapes"], lines = tree["lines"];
  shapes.require_list(points.list_size());
  for (std::size_t i = 0; i < points.list_size(); ++i)
    outline.points.push_back({points[i].vector(3), shapes[i].matrix(3, elastic.count())});
  for (std::size_t i = 0; i < lines.list_size(); ++i) {
    const VectorX line = lines[i].vector(4);
    const auto last = static_cast<double>(outline.points.size());
    if (!(line[0] >= 0 && line[0] < last && line[1] >= 0 && line[1] < last))
      lines[i].fail("joins a point that is not there");
    // A link that was taken as rigid keeps the lines of its elastic twin, but no forces.
    const double force = elastic.section_forces.empty() ? -1.0 : line[3];
    if (!(force >= -1 && force < static_cast<double>(elastic.section_forces.size())))
      lines[i].fail("names a section force that is not there; -1 is none");
    outline.lines.push_back(
        {static_cast<int>(line[0]), static_cast<int>(line[1]), line[2], static_cast<int>(force), {}, Vec3::Zero()});
  }
  if (!tree.has("profiles")) return outline;
  const Branch profiles = tree["profiles"];
  profiles.require_list(lines.list_size());
  for (std::size_t i = 0; i < profiles.list_size(); ++i) {
    const VectorX given = profiles[i].vector(8);
    outline.lines[i].profile = {read_kind<Profile::Kind>(given[0], Profile::Kind::i, profiles[i]),
                                {given[1], given[2], given[3], given[4]}};
    outline.lines[i].across = given.tail<3>();
  }
  return outline;
}

std::vector<Solid> read_solids(const Branch& tree) {
  std::vector<Solid> solids;
  for (std::size_t i = 0; i < tree.list_size(); ++i)
    solids.push_back({read_kind<Solid::Kind>(tree[i]["kind"].number(), Solid::Kind::sphere, tree[i]),
                      tree[i]["centre"].vector(3), tree[i]["axes"].matrix(3, 3), tree[i]["size"].vector(3)});
  return solids;
}

/// Numbers that rise from zero.
std::vector<double> read_ends(const Branch& tree) {
  const VectorX ends = tree.vector(static_cast<Eigen::Index>(tree.list_size()));
  bool rises = ends.size() >= 2 && ends[0] == 0.0;
  for (Eigen::Index i = 1; i < ends.size(); ++i) rises = rises && ends[i] > ends[i - 1];
  if (!rises) tree.fail("expected at least two distances that rise from 0");
  return {ends.begin(), ends.end()};
}

Axis read_axis(const Branch& tree, Eigen::Index count, std::size_t frames) {
  Axis axis;
  axis.ends = read_ends(tree["ends"]);
  axis.length = axis.ends.back();
  const VectorX places = tree["frames"].vector(static_cast<Eigen::Index>(tree["frames"].list_size()));
  if (static_cast<std::size_t>(places.size()) > frames)
    tree["frames"].fail(fmt::format("expected at most {} distances, one per frame", frames));
  axis.frames.assign(places.begin(), places.end());
  const double points = tree["gauss_points"].number();
  if (!(points >= 1 && points <= 1000 && points == std::floor(points)))
    tree["gauss_points"].fail("expected a whole number from 1 to 1000");
  axis.gauss_points = static_cast<int>(points);
  axis.element_stress = tree["whole_elements"].number() != 0.0;
  const Branch starts = tree["start"], ways = tree["along"], shapes = tree["shape"], slopes = tree["slopes"];
  const std::size_t pieces = axis.ends.size() - 1;
  for (const Branch* each : {&starts, &ways, &shapes, &slopes}) each->require_list(pieces);
  for (std::size_t i = 0; i < pieces; ++i) {
    Axis::Piece piece;
    piece.start = starts[i].vector(3);
    piece.along = ways[i].vector(3);
    if (std::abs(piece.along.norm() - 1) > 1e-6) ways[i].fail("expected a unit vector");
    const std::size_t samples = shapes[i].list_size();
    if (samples == 0) shapes[i].fail("expected at least one sample");
    slopes[i].require_list(samples);
    for (std::size_t j = 0; j < samples; ++j) {
      piece.shape.emplace_back(shapes[i][j].matrix(3, count));
      piece.slopes.emplace_back(slopes[i][j].matrix(2, count));
    }
    axis.pieces.push_back(std::move(piece));
  }
  return axis;
}

LinkData read_link(const Branch& tree) {
  if (!tree.has("lithe_link")) tree.fail("this is not a link file: 'lithe_link' is missing");
  if (tree["lithe_link"].number() != format_version)
    tree["lithe_link"].fail(
        fmt::format("version {} is not known; this program reads {}", tree["lithe_link"].number(), format_version));
  LinkData link;
  link.name = tree["name"].text();
  link.mass = tree["mass"].number();
  if (!(link.mass >= 0)) tree["mass"].fail("it must not be negative");
  link.centre = tree["centre"].vector(3);
  link.inertia = tree["inertia"].matrix(3, 3);
  if (tree.has("elastic")) link.elastic = read_elastic(tree["elastic"]);
  link.frames.clear();
  const Branch frames = tree["frames"];
  for (std::size_t i = 0; i < frames.list_size(); ++i)
    link.frames.push_back(read_frame(frames[i], link.elastic.count()));
  if (link.frames.empty() || link.frames[0].name != "origin") frames.fail("the first frame must be 'origin'");
  if (tree.has("outline")) link.outline = read_outline(tree["outline"], link.elastic);
  if (tree.has("solids")) link.solids = read_solids(tree["solids"]);
  if (tree.has("axis")) link.axis = read_axis(tree["axis"], link.elastic.count(), link.frames.size());
  if (!tree.has("statics")) return link;
  const Branch statics = tree["statics"];
  if (statics.has("statics")) statics.fail("a static twin has no static twin of its own");
  const LinkData twin = read_link(statics);
  if (twin.elastic.count() < link.elastic.count() || twin.frames.size() != link.frames.size() ||
      twin.elastic.section_forces.size() != link.elastic.section_forces.size())
    statics.fail(
        "it must have the elastic coordinates, the frames and the section forces of the link, and may have further "
        "coordinates");
  link.statics = std::make_shared<const LinkData>(twin);
  return link;
}

bool ends_with(const std::string& path, const std::string& ending) {
  return path.size() > ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

/// true: HDF5, false: JSON.
bool is_hdf5(const std::string& path) {
  if (ends_with(path, ".h5") || ends_with(path, ".hdf5")) return true;
  if (!ends_with(path, ".json"))
    throw std::runtime_error(fmt::format("link file '{}': the name must end in .json, .h5 or .hdf5", path));
  return false;
}

}  // namespace

void write_link_data(const LinkData& link, const std::string& path) {
  if (is_hdf5(path)) return detail::write_hdf5_tree(detail::link_tree(link), path);
  ReplacingFile file(path);
  file.open();
  file.write(detail::json_text(detail::link_tree(link), 1) + '\n');
  file.commit();
}

LinkData detail::link_of_tree(const json& tree, const std::string& file) { return read_link(Branch(tree, file, "")); }

LinkData detail::link_of_bytes(const std::string& bytes, const std::string& path) {
  if (is_hdf5(path)) return link_of_tree(read_hdf5_tree(bytes, path), path);
  json tree;
  try {
    tree = detail::json_of(bytes);
  } catch (const json::parse_error& error) {
    throw std::runtime_error(fmt::format("link file '{}' is not JSON: byte {}", path, error.byte));
  } catch (const json::exception&) {
    throw std::runtime_error(fmt::format("link file '{}' holds a number that is too large", path));
  }
  return link_of_tree(tree, path);
}

LinkData read_link_data(const std::string& path) {
  is_hdf5(path);  // refuses other endings
  const io::FileText file = io::read_text_file(path, io::largest_data_file);
  if (!file.fault.empty()) throw std::runtime_error(fmt::format("link file '{}' cannot be opened", path));
  return detail::link_of_bytes(file.text, path);
}

}  // namespace lithe
