#include "cli/response.h"

#include "config/read.h"

namespace dolmen::cli {

config::Node parse_response(const std::string& response) {
  constexpr std::size_t kResponseBytesMax = std::size_t{64} << 20;
  return config::read_json(response, {.bytes = kResponseBytesMax, .depth = 100}).root.value_or(config::Node{});
}

std::string text_in(const config::Node& node, std::string_view name) {
  const config::Node* found = node.find(name);
  return found == nullptr ? "" : found->text;
}

}  // namespace dolmen::cli
