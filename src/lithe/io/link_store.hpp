#pragma once
// Elastic links that were made before, for models of one file that differ in a few values (a study): what a link is made
// from has not changed as long as its text and the parameters in it have not.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "lithe/io/elastic_kinds.hpp"

namespace lithe::io {

/// The text of `node` with its file and the values of all parameters that it may use: equal texts mean equal links.
std::string text_with_values(const Node& node, const Reader& reader);

/// Used by many threads at once. It keeps so many links and no more, since a value that differs in every variant would
/// fill the memory with links that nobody asks for again: the one that has not been asked for longest gives way. What
/// never changes stays so, and neighbours that differ in one value (slopes, sensitivities) find the links of the
/// others.
class LinkStore {
 public:
  /// Before reduction, by text.
  std::shared_ptr<const ReadElastic> find_body(const std::string& text) const;
  void keep_body(const std::string& text, const ReadElastic& body);

  struct Made {
    LinkData data;
    LinkOrigin origin;
  };
  /// Finished, by text, name and what acts on it.
  std::shared_ptr<const Made> find(const std::string& text, const std::string& name,
                                   const std::optional<StaticChoice>& statics) const;
  void keep(const std::string& text, const std::string& name, const std::optional<StaticChoice>& statics, Made made);

 private:
  static constexpr std::size_t most = 200;  ///< of either kind
  struct Body {
    std::shared_ptr<const ReadElastic> read;
    long asked;  ///< when, for the last time, counted in questions
  };
  struct Entry {
    std::optional<StaticChoice> statics;
    std::shared_ptr<const Made> made;
    long asked;
  };
  mutable std::mutex mutex_;
  mutable long questions_ = 0;
  mutable std::map<std::string, Body> bodies_;
  mutable std::multimap<std::string, Entry> made_;  ///< by text and name
};

}  // namespace lithe::io
