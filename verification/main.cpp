// Draws the charts of docs/verification: lithe-verification FOLDER writes FOLDER/NAME.svg for every study.

#include <fmt/format.h>

#include <fstream>

#include "studies.hpp"

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "Usage: lithe-verification FOLDER   (writes the charts of docs/verification there)\n");
    return 2;
  }
  std::vector<lithe::verification::Chart> charts = lithe::verification::link_charts();
  for (lithe::verification::Chart& chart : lithe::verification::flexible_charts()) charts.push_back(std::move(chart));
  for (const lithe::verification::Chart& chart : charts) {
    const std::string path = fmt::format("{}/{}.svg", words[1], chart.file);
    std::ofstream file(path);
    file << svg_chart(chart);
    if (!file.flush()) {
      fmt::print(stderr, "lithe-verification: cannot write {}\n", path);
      return 2;
    }
    fmt::print("{}\n", path);
  }
  return 0;
}
