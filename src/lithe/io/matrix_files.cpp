// Matrices of other finite-element programs: MatrixMarket files and the file of their nodes.

#include "lithe/io/matrix_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "lithe/io/link_file.hpp"
#include "lithe/io/source_files.hpp"

namespace lithe {

namespace {

/// Lines of a text file that are neither empty nor comments, with their numbers for complaints.
class Lines {
 public:
  Lines(const io::DataFile& file, char comment) : path_(file.path), comment_(comment), file_(file.bytes) {}
  bool next(std::string& line) {
    while (std::getline(file_, line)) {
      ++number_;
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first != std::string::npos && line[first] != comment_) return true;
    }
    return false;
  }
  /// The very first line, comment or not.
  std::string head() {
    std::string line;
    std::getline(file_, line);
    ++number_;
    return line;
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw std::runtime_error(fmt::format("{}:{}: {}", path_, number_, message));
  }

 private:
  std::string path_;
  char comment_;
  std::istringstream file_;
  int number_ = 0;
};

/// With `size` rows and columns.
SparseMatrix read_matrix(const io::DataFile& file, std::size_t size) {
  Lines lines(file, '%');
  std::string head = lines.head();
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
  std::istringstream words(head);
  std::string banner, object, format, field, symmetry;
  words >> banner >> object >> format >> field >> symmetry;
  if (banner != "%%matrixmarket" || object != "matrix" || format != "coordinate" ||
      (field != "real" && field != "integer") || (symmetry != "symmetric" && symmetry != "general"))
    lines.fail("expected '%%MatrixMarket matrix coordinate real symmetric' (or general)");
  const bool symmetric = symmetry == "symmetric";
  std::string line;
  long rows = 0, columns = 0, count = 0;
  if (!lines.next(line) || !(std::istringstream(line) >> rows >> columns >> count) || rows < 1 || columns < 1 ||
      count < 0)
    lines.fail("expected the numbers of rows, columns and entries");
  if (static_cast<std::size_t>(rows) != size || columns != rows)
    lines.fail(fmt::format("expected a {0} x {0} matrix, one row for each of 'rows' in the file of the nodes", size));
  std::vector<Eigen::Triplet<double>> entries;
  for (long i = 0; i < count; ++i) {
    int row = 0, column = 0;
    double value = 0.0;
    if (!lines.next(line)) lines.fail(fmt::format("{} entries are announced, but there are {}", count, i));
    if (!(std::istringstream(line) >> row >> column >> value) || row < 1 || row > rows || column < 1 ||
        column > columns)
      lines.fail(fmt::format("expected row, column and value of an entry of a {} x {} matrix", rows, columns));
    entries.emplace_back(row - 1, column - 1, value);
    if (symmetric && row != column) entries.emplace_back(column - 1, row - 1, value);
  }
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// Sections `nodes`, `rows` and `lines`, one entry per line.
void read_nodes(const io::DataFile& file, ImportedMatrices& part) {
  static const std::map<std::string, int> directions{{"x", 0}, {"y", 1}, {"z", 2}, {"rx", 3}, {"ry", 4}, {"rz", 5}};
  Lines lines(file, '#');
  std::map<int, int> places;
  const auto place = [&](int number) {
    const auto found = places.find(number);
    if (found == places.end()) lines.fail(fmt::format("node {} is not among the nodes above", number));
    return found->second;
  };
  std::string line, section;
  while (lines.next(line)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "nodes" || word == "rows" || word == "lines") {
      section = word;
      continue;
    }
    std::istringstream entry(line);
    int number = 0, other = 0;
    if (section == "nodes") {
      Vec3 p;
      if (!(entry >> number >> p[0] >> p[1] >> p[2])) lines.fail("expected a node number and its x, y, z in m");
      if (!places.emplace(number, static_cast<int>(part.nodes.size())).second)
        lines.fail(fmt::format("node {} stands here for the second time", number));
      part.nodes.push_back({number, p});
    } else if (section == "rows") {
      if (!(entry >> number >> word) || directions.count(word) == 0)
        lines.fail("expected a node number and one of x, y, z, rx, ry, rz");
      part.rows.push_back({place(number), directions.at(word)});
    } else if (section == "lines") {
      if (!(entry >> number >> other)) lines.fail("expected two node numbers");
      part.lines.push_back({place(number), place(other)});
    } else {
      lines.fail("expected 'nodes', 'rows' or 'lines' before the first entry");
    }
  }
}

io::DataFile data_file(const std::string& path) {
  io::FileText file = io::read_text_file(path, io::largest_data_file);
  if (!file.fault.empty()) throw std::runtime_error(fmt::format("file '{}' cannot be read: {}", path, file.fault));
  return {path, std::move(file.text)};
}

}  // namespace

ImportedMatrices io::matrices_of(const DataFile& mass, const DataFile& stiffness, const DataFile& nodes) {
  ImportedMatrices part;
  read_nodes(nodes, part);
  part.mass = read_matrix(mass, part.rows.size());
  part.stiffness = read_matrix(stiffness, part.rows.size());
  return part;
}

ImportedMatrices read_imported_matrices(const std::string& mass, const std::string& stiffness,
                                        const std::string& nodes) {
  return io::matrices_of(data_file(mass), data_file(stiffness), data_file(nodes));
}

}  // namespace lithe
