#pragma once
// Matrices in JSON answers: a list of rows.

#include <Eigen/Core>
#include <nlohmann/json.hpp>

namespace lithe::cli {

inline nlohmann::json rows_of(const Eigen::MatrixXd& m) {
  nlohmann::json rows = nlohmann::json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    rows.push_back(nlohmann::json::array());
    for (Eigen::Index j = 0; j < m.cols(); ++j) rows.back().push_back(m(i, j));
  }
  return rows;
}

}  // namespace lithe::cli
