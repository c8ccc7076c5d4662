#include "schema/violations.h"

#include <algorithm>
#include <fmt/format.h>

#include "schema/limits.h"

namespace dolmen::schema {
namespace {

constexpr std::size_t kShownMax = 5;

void append_path(std::string& out, const PlaceView* place) {
  if (place == nullptr) return;
  append_path(out, place->above);
  if (place->is_element) {
    out.append(fmt::format("[{}]", place->index));
  } else {
    if (!out.empty()) out.push_back('.');
    out.append(place->name);
  }
}

}  // namespace

std::string path_of(const PlaceView* place) {
  if (place == nullptr) return "$root";
  std::string path;
  append_path(path, place);
  return path;
}

void Violations::add(const PlaceView* place, std::string_view rule, std::string message) {
  all_.push_back({.path = path_of(place), .rule = std::string(rule), .message = std::move(message)});
}

std::vector<ErrorDetail> Violations::take() {
  const auto by_all = [](const ErrorDetail& detail) { return std::tie(detail.path, detail.rule, detail.message); };
  std::ranges::sort(all_, {}, by_all);
  const auto twice = std::ranges::unique(all_);
  all_.erase(twice.begin(), twice.end());
  return std::move(all_);
}

Error validation_error(const SchemaRef& ref, std::vector<ErrorDetail> details) {
  std::string message = fmt::format("the document does not fit {}: ", to_string(ref));
  for (std::size_t i = 0; i < std::min(details.size(), kShownMax); ++i)
    message.append(i == 0 ? "" : "; ").append(details[i].path).append(": ").append(details[i].message);
  if (details.size() > kShownMax) message += fmt::format("; and {} more", details.size() - kShownMax);
  return {Code::kSchemaValidationFailed, std::move(message), std::move(details)};
}

std::string document_id_problem(std::string_view id) {
  if (id.empty()) return "an _id cannot be empty";
  if (id.find('\0') != std::string_view::npos) return "an _id cannot contain a NUL character";
  if (id.size() > limits::kDocumentIdBytes)
    return fmt::format("an _id can have at most {} bytes, and this one has {}", limits::kDocumentIdBytes, id.size());
  return {};
}

}  // namespace dolmen::schema
