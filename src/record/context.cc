#include <fmt/format.h>

#include "dolmen/detail/record_context.h"

namespace dolmen::mapping {
namespace {

constexpr std::array kAllTypes{Type::kString, Type::kNumber, Type::kBinary,    Type::kBool,      Type::kNull,
                               Type::kList,   Type::kMap,    Type::kStringSet, Type::kNumberSet, Type::kBinarySet};

}  // namespace

std::string text_of(TypeSet types) {
  std::vector<std::string_view> names;
  for (const Type type : kAllTypes)
    if (types.contains(type)) names.push_back(type_name(type));
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string Context::path() const {
  std::vector<const Step*> steps;
  for (const Step* step = step_; step != nullptr; step = step->outer_) steps.push_back(step);
  std::string path;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    switch ((*step)->kind_) {
      case Step::Kind::kMember:
        fmt::format_to(std::back_inserter(path), "{}{}", path.empty() ? "" : ".", (*step)->name_);
        break;
      case Step::Kind::kEntry: fmt::format_to(std::back_inserter(path), "[\"{}\"]", (*step)->name_); break;
      case Step::Kind::kElement: fmt::format_to(std::back_inserter(path), "[{}]", (*step)->index_); break;
    }
  }
  return path;
}

bool Context::fail(std::string_view rule, std::string message) {
  problems_.push_back({.path = path(), .rule = std::string(rule), .message = std::move(message)});
  return false;
}

bool Context::wrong_type(TypeSet expected, const AttributeValue& found) {
  return fail("type", fmt::format("expected {}, found {}", text_of(expected), type_name(found.type())));
}

bool Context::refused_by_converter(const Error& error) { return fail("converter", error.message()); }

Error Context::error(std::string_view record) const {
  std::string message;
  for (const ErrorDetail& problem : problems_)
    fmt::format_to(std::back_inserter(message), "{}{}.{}: {}", message.empty() ? "" : "; ", record, problem.path,
                   problem.message);
  return {Code::kValidation, std::move(message), problems_};
}

}  // namespace dolmen::mapping
