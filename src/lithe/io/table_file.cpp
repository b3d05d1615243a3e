// CSV tables: a header line with the names of the columns, then numbers. Separated by comma, semicolon, tab or spaces;
// empty lines and lines that start with # are skipped.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lithe/io/model_builder.hpp"
#include "lithe/io/table_columns.hpp"

namespace lithe::io {

namespace {

struct Cell {
  std::string text;
  int column = 1;  ///< in the line, from 1
};

char separator_of(const std::string& header) {
  for (const char candidate : {',', ';', '\t'})
    if (header.find(candidate) != std::string::npos) return candidate;
  return ' ';
}

std::vector<Cell> split(const std::string& line, char separator) {
  std::vector<Cell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::size_t first = begin, last = end;
    while (first < last && (std::isspace(static_cast<unsigned char>(line[first])) || line[first] == '"')) ++first;
    while (last > first && (std::isspace(static_cast<unsigned char>(line[last - 1])) || line[last - 1] == '"')) --last;
    if (separator != ' ' || last > first)
      cells.push_back({line.substr(first, last - first), static_cast<int>(first) + 1});
    begin = end + 1;
  }
  return cells;
}

/// Reads a table line by line; the first fault ends it.
class TableLines {
 public:
  enum class Values { one, all };  ///< a law needs every value of one column, a record may have gaps in any

  TableLines(const std::string& file, std::string_view abscissa, Reader& reader)
      : file_(file), abscissa_(abscissa), reader_(reader) {}

  /// The lines of the text that are neither empty nor comments. False: there was a complaint.
  bool read(const std::string& text, const std::optional<std::string>& time_column,
            const std::optional<std::string>& value_column, Values which = Values::one) {
    which_ = which;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      begin = end + 1;
      ++line_number_;
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string::npos || line[first] == '#') continue;
      if (!(header.empty() ? read_header(line, time_column, value_column) : read_row(line))) return false;
    }
    if (!times.empty()) return true;
    line_number_ = 0;
    complain(0, {}, "the table has no samples");
    return false;
  }

  std::vector<Cell> header;
  std::size_t time_index = 0;
  std::vector<std::size_t> value_indices;
  std::vector<double> times;
  std::vector<std::vector<double>> values;  ///< per value index

 private:
  void complain(int column, const std::string& key, const std::string& message) {
    reader_.complaints().add({&file_, line_number_, column}, key, message);
  }

  bool read_header(const std::string& line, const std::optional<std::string>& time_column,
                   const std::optional<std::string>& value_column) {
    separator_ = separator_of(line);
    header = split(line, separator_);
    std::vector<std::string> names;
    for (const Cell& cell : header) names.push_back(cell.text);
    const auto find = [&](const std::optional<std::string>& wanted,
                          std::size_t otherwise) -> std::optional<std::size_t> {
      if (wanted) {
        const auto found = std::find(names.begin(), names.end(), *wanted);
        if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
        complain(1, {}, fmt::format("there is no column '{}'{}", *wanted, hint(*wanted, names)));
        return std::nullopt;
      }
      if (otherwise < names.size()) return otherwise;
      complain(1, {}, fmt::format("a table needs at least two columns, but the header has {}", names.size()));
      return std::nullopt;
    };
    const auto time = find(time_column, 0), value = find(value_column, 1);
    if (!time || !value) return false;
    time_index = *time;
    if (which_ == Values::one) value_indices = {*value};
    for (std::size_t i = 0; which_ == Values::all && i < header.size(); ++i)
      if (i != time_index) value_indices.push_back(i);
    values.resize(value_indices.size());
    return true;
  }

  bool read_row(const std::string& line) {
    const std::vector<Cell> cells = split(line, separator_);
    if (cells.size() != header.size()) {
      complain(1, {},
               fmt::format("expected {} values as in the header, but the line has {}", header.size(), cells.size()));
      return false;
    }
    const auto time = number(cells, time_index);
    if (!time) return false;
    if (!times.empty() && !(times.back() < *time)) {
      complain(cells[time_index].column, header[time_index].text,
               fmt::format("the {} must increase, but {} follows {}", abscissa_, *time, times.back()));
      return false;
    }
    times.push_back(*time);
    for (std::size_t i = 0; i < value_indices.size(); ++i) {
      const std::string& text = cells[value_indices[i]].text;
      const bool is_gap = which_ == Values::all && (text.empty() || text == "nan" || text == "NaN" || text == "NAN");
      const auto value = is_gap ? std::nan("") : number(cells, value_indices[i]);
      if (!value) return false;
      values[i].push_back(*value);
    }
    return true;
  }

  std::optional<double> number(const std::vector<Cell>& cells, std::size_t index) {
    const Cell& cell = cells[index];
    double value = 0.0;
    const char* last = cell.text.data() + cell.text.size();
    const char* start = cell.text.data() + (cell.text.starts_with('+') ? 1 : 0);
    const auto [stop, error] = std::from_chars(start, last, value);
    if (error == std::errc{} && stop == last && std::isfinite(value)) return value;
    complain(cell.column, header[index].text, fmt::format("expected a finite number, but this is '{}'", cell.text));
    return std::nullopt;
  }

  const std::string& file_;
  std::string_view abscissa_;
  Reader& reader_;
  Values which_ = Values::one;
  int line_number_ = 0;
  char separator_ = ',';
};

std::optional<std::string> table_text(const std::filesystem::path& path, const Item& item, Reader& reader) {
  FileText file = reader.files.read(*item.node, path);
  if (file.fault.empty()) return std::move(file.text);
  reader.complain(item, fmt::format("the table {} cannot be read: {}", path.string(), file.fault));
  return std::nullopt;
}

}  // namespace

std::optional<TableLaw> read_table_file(const std::filesystem::path& path,
                                        const std::optional<std::string>& time_column,
                                        const std::optional<std::string>& value_column,
                                        TableLaw::Interpolation interpolation, const Item& item, Reader& reader,
                                        std::string_view abscissa) {
  const std::optional<std::string> text = table_text(path, item, reader);
  const std::string file_name = path.string();
  TableLines table(file_name, abscissa, reader);
  if (!text || !table.read(*text, time_column, value_column)) return std::nullopt;
  TableLaw law = make_table(std::move(table.times), std::move(table.values[0]), interpolation);
  law.file = file_name;
  law.column = table.header[table.value_indices[0]].text;
  return law;
}

std::optional<TableColumns> read_table_columns(const std::filesystem::path& path,
                                               const std::optional<std::string>& time_column, const Item& item,
                                               Reader& reader) {
  const std::optional<std::string> text = table_text(path, item, reader);
  const std::string file_name = path.string();
  TableLines table(file_name, "times", reader);
  if (!text || !table.read(*text, time_column, std::nullopt, TableLines::Values::all)) return std::nullopt;
  TableColumns columns;
  for (const std::size_t index : table.value_indices) columns.names.push_back(table.header[index].text);
  columns.times = std::move(table.times);
  columns.values = std::move(table.values);
  return columns;
}

}  // namespace lithe::io
