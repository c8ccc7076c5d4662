#include "partiql/path.h"

#include <charconv>
#include <fmt/format.h>

#include "base/fail.h"
#include "base/limits.h"
#include "partiql/limits.h"

namespace dolmen::partiql {
namespace {

std::unexpected<Error> unexpected_component(const Position& position) {
  return fail(Code::kValidation, "Unexpected path component{}", at_text(position));
}

Result<expr::Path::Part> name_part(const std::string& name) {
  if (name.empty()) return fail(Code::kValidation, "Path component cannot be an empty string");
  return expr::Path::Part(name);
}

Result<expr::Path::Part> index_part(const Term& index) {
  if (index.text.find_first_of(".eE") != std::string::npos) return unexpected_component(index.position);
  std::int64_t value = 0;
  const char* const end = index.text.data() + index.text.size();
  const auto read = std::from_chars(index.text.data(), end, value);
  if (read.ec != std::errc() || value < 0 || value > limits::kListIndexMax)
    return fail(Code::kValidation, "List index is not within the allowable range; index: [{}]{}", index.text,
                at_text(index.position));
  return expr::Path::Part(static_cast<std::uint32_t>(value));
}

Result<expr::Path::Part> step_part(const Term& step) {
  if (step.kind == TermKind::kDotStep) return name_part(step.text);
  if (step.kind == TermKind::kAllMembers)
    return fail(Code::kValidation, "Unpivot path component like a.*.b are not supported{}", at_text(step.position));
  if (step.kind == TermKind::kAllElements)
    return fail(Code::kValidation, "Wildcard path component like a[*].b are not supported{}", at_text(step.position));
  const Term& index = step.children.front();
  if (index.kind == TermKind::kString || index.kind == TermKind::kName) return name_part(index.text);
  if (index.kind == TermKind::kNumber) return index_part(index);
  return unexpected_component(index.position);
}

}  // namespace

Result<expr::Path> path_of(const Term& term) {
  expr::Path path;
  if (term.kind == TermKind::kName) {
    DOLMEN_TRY(expr::Path::Part part, name_part(term.text));
    path.parts.push_back(std::move(part));
    return path;
  }
  if (term.kind != TermKind::kPath) return unexpected_component(term.position);
  DOLMEN_TRY(path, path_of(term.children.front()));
  for (std::size_t i = 1; i < term.children.size(); ++i) {
    DOLMEN_TRY(expr::Path::Part part, step_part(term.children[i]));
    path.parts.push_back(std::move(part));
  }
  if (path.parts.size() > dolmen::limits::kNestingLevels)
    return fail(Code::kValidation, "The document path has too many nesting levels; nesting levels: {}",
                path.parts.size());
  return path;
}

std::string column_name(const expr::Path& path) {
  std::string name;
  for (const expr::Path::Part& part : path.parts) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      name = *text;
    } else {
      name += fmt::format("[{}]", std::get<std::uint32_t>(part));
    }
  }
  return name;
}

}  // namespace dolmen::partiql
