#include "lithe/io/control_items.hpp"

#include <fmt/format.h>

namespace lithe::io {

std::vector<Item> one_or_more(const Item& item, const std::string& type, Reader& reader) {
  Item single = item;
  single.type = type;
  if (item.node->kind != Node::Kind::list) return {single};
  Item several = item;
  several.type = "list of " + type;
  return reader.list(several, 1).value_or(std::vector<Item>{});
}

std::optional<MatrixX> matrix(const Item& item, Reader& reader) {
  const auto rows = reader.list(item, 1);
  if (!rows) return std::nullopt;
  MatrixX result;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto row = reader.numbers((*rows)[i], 1, SIZE_MAX);
    if (!row) return std::nullopt;
    const auto columns = static_cast<Eigen::Index>(row->size());
    if (i == 0) result.resize(static_cast<Eigen::Index>(rows->size()), columns);
    if (columns != result.cols()) {
      reader.complain((*rows)[i], fmt::format("the rows of a matrix are equally long, but the first has {} numbers and "
                                              "this one {}",
                                              result.cols(), columns));
      return std::nullopt;
    }
    for (Eigen::Index k = 0; k < columns; ++k) result(static_cast<Eigen::Index>(i), k) = (*row)[k];
  }
  return result;
}

}  // namespace lithe::io
