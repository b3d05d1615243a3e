#include "lithe/io/link_store.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// Room for one more.
template <class Map>
void make_room(Map& kept, std::size_t most) {
  if (kept.size() < most) return;
  kept.erase(std::min_element(kept.begin(), kept.end(),
                              [](const auto& a, const auto& b) { return a.second.asked < b.second.asked; }));
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
  if (found == bodies_.end()) return nullptr;
  found->second.asked = ++questions_;
  return found->second.read;
}

void LinkStore::keep_body(const std::string& text, const ReadElastic& body) {
  const std::lock_guard lock(mutex_);
  make_room(bodies_, most);
  bodies_.emplace(text, Body{std::make_shared<const ReadElastic>(body), ++questions_});
}

std::shared_ptr<const LinkStore::Made> LinkStore::find(const std::string& text, const std::string& name,
                                                       const std::optional<StaticChoice>& statics) const {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = made_.equal_range(name + "\n" + text);
  for (auto each = begin; each != end; ++each)
    if (each->second.statics == statics) {
      each->second.asked = ++questions_;
      return each->second.made;
    }
  return nullptr;
}

void LinkStore::keep(const std::string& text, const std::string& name, const std::optional<StaticChoice>& statics,
                     Made made) {
  const std::lock_guard lock(mutex_);
  make_room(made_, most);
  made_.emplace(name + "\n" + text, Entry{statics, std::make_shared<const Made>(std::move(made)), ++questions_});
}

}  // namespace lithe::io
