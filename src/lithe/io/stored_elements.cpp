#include "lithe/io/stored_elements.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "lithe/mechanism/elements/bushing.hpp"
#include "lithe/mechanism/elements/contact.hpp"
#include "lithe/mechanism/elements/rope.hpp"
#include "lithe/mechanism/elements/spring.hpp"

namespace lithe::detail {
namespace {

using nlohmann::json;

/// What a picture shows of an element besides its frames.
json look_of(const Element& element) {
  if (const auto* rope = dynamic_cast<const Rope*>(&element)) return {{"free", rope->data().free_length.at(0.0).value}};
  const auto* contact = dynamic_cast<const Contact*>(&element);
  if (contact == nullptr) return json::object();
  const ContactData& data = contact->data();
  return {{"radius", data.radius},
          {"normal", {data.normal.x(), data.normal.y(), data.normal.z()}},
          {"size", {data.length, data.width}}};
}

bool is_drawn(const Element& element) {
  for (const char* kind : {"rope", "bushing", "contact", "spring"})
    if (element.kind() == kind) return true;
  return false;
}

std::shared_ptr<const Element> element_of(const std::string& kind, const std::string& name,
                                          const std::vector<FrameRef>& frames, const json& look) {
  if (kind == "rope") return std::make_shared<Rope>(name, RopeData{frames, ConstantLaw{look.at("free")}, 1.0, 0.0});
  if (frames.size() != 2) throw std::runtime_error(fmt::format("the stored element '{}' has no two frames", name));
  if (kind == "bushing") return std::make_shared<Bushing>(name, BushingData{frames[0], frames[1], {}, {}, {}});
  if (kind == "spring")
    return std::make_shared<Spring>(name, SpringData{frames[0], frames[1], 0.0, ForceCurve(0.0), 0.0});
  if (kind != "contact") throw std::runtime_error(fmt::format("the kind '{}' of a stored element is not known", kind));
  ContactData data;
  data.point = frames[0];
  data.plane = frames[1];
  data.radius = look.at("radius");
  for (int i = 0; i < 3; ++i) data.normal[i] = look.at("normal").at(i);
  data.length = look.at("size").at(0);
  data.width = look.at("size").at(1);
  data.stiffness = 1.0;
  return std::make_shared<Contact>(name, data);
}

}  // namespace

json element_trees(const Mechanism& mechanism) {
  json trees = json::array();
  for (const auto& element : mechanism.elements) {
    if (!is_drawn(*element)) continue;
    json frames = json::array();
    for (const FrameRef& frame : element->frames()) frames.push_back({frame.link, frame.frame});
    trees.push_back({{"kind", element->kind()},
                     {"name", element->name()},
                     {"frames", std::move(frames)},
                     {"look", look_of(*element)}});
  }
  return trees;
}

void add_stored_elements(const json& trees, Mechanism& mechanism) {
  for (const json& tree : trees) {
    std::vector<FrameRef> frames;
    for (const json& frame : tree.at("frames")) frames.push_back({frame.at(0).get<int>(), frame.at(1).get<int>()});
    mechanism.elements.push_back(
        element_of(tree.at("kind").get<std::string>(), tree.at("name").get<std::string>(), frames, tree.at("look")));
    for (const FrameRef& frame : frames) {
      const auto link = static_cast<std::size_t>(frame.link), index = static_cast<std::size_t>(frame.frame);
      if (frame.link < 0 || link >= mechanism.links.size() || frame.frame < 0 ||
          index >= mechanism.links[link].frames.size())
        throw std::runtime_error("a stored element names a frame that is not there");
    }
  }
}

}  // namespace lithe::detail
