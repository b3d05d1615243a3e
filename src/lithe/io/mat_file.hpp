#pragma once
// MAT-files of level 5, uncompressed, as Octave, MATLAB and SciPy read them: matrices, complex columns, lists of texts.

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe::io {

class MatFile {
 public:
  explicit MatFile(const std::string& description);

  void add(const std::string& name, const MatrixX& matrix);
  void add(const std::string& name, const std::vector<std::complex<double>>& column);
  void add(const std::string& name, const std::string& text);
  void add(const std::string& name, const std::vector<std::string>& texts);  ///< a cell array with one column

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace lithe::io
