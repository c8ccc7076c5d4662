#include "expr/cache.h"

#include "expr/parser.h"
#include "expr/text_cache.h"

namespace dolmen::expr {

Result<std::shared_ptr<const Node>> cached_condition(std::string_view text) {
  static TextCache<Node> cache([](std::string_view given) { return parse_condition(given, TextLimits::kDynamoDb); });
  return cache.get(text);
}

Result<std::shared_ptr<const std::vector<UpdateAction>>> cached_update(std::string_view text) {
  static TextCache<std::vector<UpdateAction>> cache(
      [](std::string_view given) { return parse_update(given, TextLimits::kDynamoDb); });
  return cache.get(text);
}

Result<std::shared_ptr<const std::vector<Path>>> cached_projection(std::string_view text) {
  static TextCache<std::vector<Path>> cache(
      [](std::string_view given) { return parse_projection(given, TextLimits::kDynamoDb); });
  return cache.get(text);
}

}  // namespace dolmen::expr
