#include "expr/cache.h"

#include <functional>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "expr/parser.h"

namespace dolmen::expr {
namespace {

/// Many more text than an application has. Beyond that the texts are probably generated, so the cache is simply
/// cleared. What is parsed takes a multiple of its text.
constexpr std::size_t kBytesMax = std::size_t{256} << 10;

struct TextHash : std::hash<std::string_view> {
  using is_transparent = void;
};

template <class Parsed>
class Cache {
 public:
  using Parse = Result<Parsed> (*)(std::string_view, TextLimits);

  explicit Cache(Parse parse) : parse_(parse) {}

  Result<std::shared_ptr<const Parsed>> get(std::string_view text) {
    {
      const std::shared_lock lock(texts_mutex_);
      const auto found = texts_.find(text);
      if (found != texts_.end()) return found->second;
    }
    DOLMEN_TRY(Parsed parsed, parse_(text, TextLimits::kDynamoDb));
    auto shared = std::make_shared<const Parsed>(std::move(parsed));
    const std::unique_lock lock(texts_mutex_);
    if (bytes_ + text.size() > kBytesMax) {
      texts_.clear();
      bytes_ = 0;
    }
    if (texts_.emplace(text, shared).second) bytes_ += text.size();
    return shared;
  }

 private:
  Parse parse_;
  std::shared_mutex texts_mutex_;  // guards the members below
  std::size_t bytes_ = 0;
  std::unordered_map<std::string, std::shared_ptr<const Parsed>, TextHash, std::equal_to<>> texts_;
};

}  // namespace

Result<std::shared_ptr<const Node>> cached_condition(std::string_view text) {
  static Cache<Node> cache(parse_condition);
  return cache.get(text);
}

Result<std::shared_ptr<const std::vector<UpdateAction>>> cached_update(std::string_view text) {
  static Cache<std::vector<UpdateAction>> cache(parse_update);
  return cache.get(text);
}

Result<std::shared_ptr<const std::vector<Path>>> cached_projection(std::string_view text) {
  static Cache<std::vector<Path>> cache(parse_projection);
  return cache.get(text);
}

}  // namespace dolmen::expr
