#pragma once
// Reading results back: what a run recorded, and the model that it was recorded from.

#include <stdexcept>
#include <string>
#include <vector>

#include "lithe/simulation/simulate.hpp"

namespace lithe {

/// A file that is not there, not a result of Lithe, or damaged, or that cannot be written; names the file and says what
/// to do.
class ResultsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One HDF5 result (docs/results.md), read whole.
struct Results {
  std::string path;
  std::string version;  ///< of Lithe that wrote it
  std::string model_name, model_path, model_text;
  std::string flattened;                        ///< the text with includes, parameters and --set put in
  std::map<std::string, std::string> attached;  ///< contents of the data files that it names, by path
  std::string mechanism;                        ///< as it ran: links with their kept modes, joints, springs; JSON
  std::map<std::string, double> parameters;     ///< of the model, after command-line overrides
  std::map<std::string, std::string> replaced;  ///< values of its text that were replaced by their path (--set)
  std::string options;                          ///< of the run, JSON
  std::vector<std::string> columns;
  std::vector<double> data;  ///< rows one after the other
  bool finished = false;     ///< false: the run was killed, there is no audit
  std::string outcome;       ///< "complete", or why not
  Audit audit;

  std::size_t rows() const { return columns.empty() ? 0 : data.size() / columns.size(); }
  /// Index or -1. pos.LINK.x means pos.LINK.origin.x, other quantities of frames likewise.
  int find(const std::string& column) const;
  double at(std::size_t row, int column) const { return data[row * columns.size() + static_cast<std::size_t>(column)]; }
  std::vector<double> column(int index) const;
};

/// Throws ResultsError.
Results read_results(const std::string& path);

/// The model that a result was recorded from, read again from the flattened text and the data files that the result
/// carries. Elastic links without recorded amplitudes come back rigid: that is how they ran (--rigid). Throws
/// ModelError, as when a newer program reads the text in another way.
Model model_of(const Results& results);

/// What of the model is needed to draw it and to name its quantities: the mechanism as it ran, which frames were
/// recorded, which joints driven. From the result alone. Throws ResultsError.
Model drawn_model_of(const Results& results);

}  // namespace lithe
