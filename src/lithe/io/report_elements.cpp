#include "lithe/io/report_elements.hpp"

#include "lithe/mechanism/elements/bushing.hpp"
#include "lithe/mechanism/elements/contact.hpp"
#include "lithe/mechanism/elements/rope.hpp"
#include "lithe/mechanism/elements/spring.hpp"

namespace lithe::detail {
namespace {

using Json = nlohmann::ordered_json;

Json turn_of(const Mat3& rotation) {
  const Quat q(rotation);
  return {q.w(), q.x(), q.y(), q.z()};
}

}  // namespace

void draw_elements(const Mechanism& mechanism, const std::vector<Drawing>& drawings, Json& scene) {
  const auto place = [&](FrameRef at) -> Json { return {at.link, drawings[at.link].frame_points[at.frame]}; };
  const auto axes = [&](FrameRef at) -> const Mat3& { return mechanism.links[at.link].frames[at.frame].pose.rotation; };
  for (const auto& element : mechanism.elements) {
    if (const auto* spring = dynamic_cast<const Spring*>(element.get())) {
      scene["springs"].push_back(
          {{"name", element->name()}, {"a", place(spring->data().a)}, {"b", place(spring->data().b)}});
    } else if (const auto* rope = dynamic_cast<const Rope*>(element.get())) {
      Json through = Json::array();
      for (const FrameRef& each : rope->data().through) through.push_back(place(each));
      scene["ropes"].push_back({{"name", element->name()}, {"through", std::move(through)}});
    } else if (const auto* bushing = dynamic_cast<const Bushing*>(element.get())) {
      const FrameRef from = bushing->data().from, to = bushing->data().to;
      scene["bushings"].push_back(
          {{"name", element->name()}, {"from", place(from)}, {"to", place(to)}, {"turn", turn_of(axes(from))}});
    } else if (const auto* contact = dynamic_cast<const Contact*>(element.get())) {
      const ContactData& data = contact->data();
      scene["contacts"].push_back({{"name", element->name()},
                                   {"point", place(data.point)},
                                   {"radius", data.radius},
                                   {"plane", place(data.plane)},
                                   {"turn", turn_of(axes(data.plane) * frame_with_z(data.normal))},
                                   {"size", {data.length, data.width}}});
    }
  }
}

}  // namespace lithe::detail
