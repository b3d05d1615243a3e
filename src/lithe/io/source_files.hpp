#pragma once
// The files that make up a model: reading them, and merging what `include:` names.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

/// The text of a file, or why it could not be read.
struct FileText {
  std::string text, fault;
};
constexpr std::uintmax_t largest_model_file = 64U << 20U, largest_data_file = std::uintmax_t{4} << 30U;  // bytes
FileText read_text_file(const std::filesystem::path& path, std::uintmax_t largest = largest_model_file);

/// A file name in a model file is relative to the file in which it stands.
std::filesystem::path beside(const Place& place, const std::string& file_name);

/// Reads model files with their includes into one tree.
class SourceFiles {
 public:
  /// `looked_for` gets the names of included files and parts, of missing ones too.
  explicit SourceFiles(Complaints& complaints, std::vector<std::string>* looked_for = nullptr)
      : complaints_(complaints), looked_for_(looked_for) {}

  /// Nothing when there is no model to go on with; why has been complained about.
  std::optional<Node> load(const std::string& text, const std::string& path);
  /// The model file that the scalar `name` names as a part; complaints are about the key `key`.
  std::optional<Node> load_part(const Node& name, const std::string& key);
  /// The model files that were read, the first one first.
  const std::vector<std::string>& read() const { return read_; }

 private:
  std::optional<Node> load_file(const std::string& text, const std::string& path);
  /// A missing version is complained about and taken as 1; false when the file cannot be read on.
  bool check_version(Node& root);
  std::optional<Node> load_included(const Node& name, const std::string& key);
  /// Takes the entries that `remove:` names out of what the includes brought.
  void remove_entries(const Entry& remove, Node& included);

  Complaints& complaints_;
  std::vector<std::string>* looked_for_;
  std::set<std::string> names_;     ///< places point to these
  std::vector<std::string> chain_;  ///< canonical paths of the files being read, the including ones first
  std::vector<std::string> read_;
  std::map<std::string, std::optional<Node>> parts_;  ///< by path; one file may be many parts
  int included_ = 0;
};

}  // namespace lithe::io
