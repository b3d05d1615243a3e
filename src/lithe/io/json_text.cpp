#include "lithe/io/json_text.hpp"

namespace lithe {

std::string detail::json_text(const nlohmann::json& tree, int indent) {
  return tree.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}
std::string detail::json_text(const nlohmann::ordered_json& tree, int indent) {
  return tree.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::json detail::json_of(std::string_view text) { return nlohmann::json::parse(text); }
nlohmann::ordered_json detail::ordered_json_of(std::string_view text) { return nlohmann::ordered_json::parse(text); }
nlohmann::json detail::json_or_discarded(std::string_view text) { return nlohmann::json::parse(text, nullptr, false); }

}  // namespace lithe
