#include "value/item_rules.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "base/limits.h"
#include "base/unicode.h"
#include "value/encoded_item.h"
#include "value/mistakes.h"

namespace dolmen {
namespace {

/// Walks a tree and keeps the path to the current value. The first violation ends the walk.
class Checker {
 public:
  Result<void> item(const Item& item, unsigned depth) {
    for (const auto& [name, value] : item) {
      const PathStep step(*this, depth == 0 ? name : "." + name);
      DOLMEN_TRY_VOID(text(name));
      if (const auto named = check_attribute_name(name); !named) return violation("name", named.error().message());
      DOLMEN_TRY_VOID(check(value, depth + 1));
    }
    return {};
  }

 private:
  /// Extends the path during its lifetime.
  class PathStep {
   public:
    PathStep(Checker& checker, const std::string& step) : path_(checker.path_), length_(path_.size()) { path_ += step; }
    ~PathStep() { path_.resize(length_); }
    PathStep(const PathStep&) = delete;
    PathStep& operator=(const PathStep&) = delete;

   private:
    std::string& path_;
    std::size_t length_;
  };

  [[nodiscard]] std::unexpected<Error> violation(std::string rule, std::string message) const {
    return std::unexpected(Error(Code::kValidation, message, {{path_, std::move(rule), message}}));
  }

  Result<void> text(std::string_view text) {
    if (!is_utf8(text)) return violation("utf8", "The text is not valid UTF-8");
    return {};
  }

  Result<void> check(const AttributeValue& value, unsigned depth) {
    if (depth > limits::kNestingLevels)
      return violation("nesting",
                       "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
                       "beyond supported limit");
    switch (value.type()) {
      case Type::kString: return text(value.string());
      case Type::kList: return list(value.list(), depth);
      case Type::kMap: return item(value.map(), depth);
      case Type::kStringSet: return string_set(value.string_set());
      case Type::kNumberSet: return not_empty(value.number_set().size(), "An number set  may not be empty");
      case Type::kBinarySet: return not_empty(value.binary_set().size(), "Binary sets should not be empty");
      default: return {};
    }
  }

  Result<void> list(const List& list, unsigned depth) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const PathStep step(*this, fmt::format("[{}]", i));
      DOLMEN_TRY_VOID(check(list[i], depth + 1));
    }
    return {};
  }

  Result<void> string_set(const StringSet& set) {
    for (const std::string& member : set) DOLMEN_TRY_VOID(text(member));
    return not_empty(set.size(), "An string set  may not be empty");
  }

  Result<void> not_empty(std::size_t size, std::string_view message) {
    if (size == 0) return violation("empty set", fmt::format("One or more parameter values were invalid: {}", message));
    return {};
  }

  std::string path_;
};

}  // namespace

std::unexpected<Error> wrong_attribute_name(std::string_view name) {
  if (name.empty()) return fail(Code::kValidation, "Empty attribute name");
  return fail(Code::kValidation, "Attribute name is too large, must be less than {} bytes",
              limits::kAttributeNameBytes + 1);
}

Result<std::size_t> check_item_size(std::string_view item) { return check_item_size(item_size(item)); }

Result<std::size_t> check_item_size(std::size_t size) {
  if (size > limits::kItemBytes)
    return std::unexpected(Error(Code::kValidation, "Item size has exceeded the maximum allowed size",
                                 std::shared_ptr<const ErrorPayload>(new ItemTooLarge)));
  return size;
}

Result<void> check_item_rules(const Item& item) { return Checker().item(item, 0); }

}  // namespace dolmen
