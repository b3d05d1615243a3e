#include "lithe/io/link_store.hpp"

#include <fmt/format.h>

namespace lithe::io {
namespace {

void add_text(const Node& node, const Reader& reader, std::string& text) {
  switch (node.kind) {
    case Node::Kind::null:
      text += "~";
      break;
    case Node::Kind::scalar:
      text += node.quoted ? "'" : "";
      text += node.text;
      // A name that stands in the text only by chance does no harm.
      for (const auto& [name, value] : reader.scope_of(node).parameters)
        if (node.text.find(name) != std::string::npos) text += fmt::format(" {}={:.17g}", name, value);
      break;
    case Node::Kind::list:
      text += "[";
      for (const Node& item : node.items) {
        add_text(item, reader, text);
        text += "\n";
      }
      text += "]";
      break;
    case Node::Kind::map:
      text += "{";
      for (const Entry& entry : node.entries) {
        text += entry.key + ":";
        add_text(entry.value, reader, text);
        text += "\n";
      }
      text += "}";
      break;
  }
}

}  // namespace

std::string text_with_values(const Node& node, const Reader& reader) {
  std::string text = node.place.file == nullptr ? "" : *node.place.file + "\n";
  add_text(node, reader, text);
  return text;
}

std::shared_ptr<const ReadElastic> LinkStore::find_body(const std::string& text) const {
  const std::lock_guard lock(mutex_);
  const auto found = bodies_.find(text);
  return found == bodies_.end() ? nullptr : found->second;
}

void LinkStore::keep_body(const std::string& text, const ReadElastic& body) {
  const std::lock_guard lock(mutex_);
  if (bodies_.size() < most) bodies_.emplace(text, std::make_shared<const ReadElastic>(body));
}

std::shared_ptr<const LinkStore::Made> LinkStore::find(const std::string& text, const std::string& name,
                                                       const std::optional<StaticChoice>& statics) const {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = made_.equal_range(name + "\n" + text);
  for (auto each = begin; each != end; ++each)
    if (each->second.statics == statics) return each->second.made;
  return nullptr;
}

void LinkStore::keep(const std::string& text, const std::string& name, const std::optional<StaticChoice>& statics,
                     Made made) {
  const std::lock_guard lock(mutex_);
  if (made_.size() < most)
    made_.emplace(name + "\n" + text, Entry{statics, std::make_shared<const Made>(std::move(made))});
}

}  // namespace lithe::io
