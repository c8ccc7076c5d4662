#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "dolmen/error.h"
#include "value/encoded_item.h"
#include "value/json_types.h"
#include "wire/texts.h"

namespace dolmen::wire {

/// The members of requests that this thread reads, for the test that looks for ignored ones; null when nobody asks.
inline thread_local std::vector<json::Element>* noted_reads = nullptr;

/// The members of a request whose types and constraints have been checked. Null is the same as absent.
class Parameters {
 public:
  /// `layer` is needed for a request as a whole, and must outlive this object.
  explicit Parameters(json::Element object, const Layer* layer = nullptr)
      : object_(json::object_of(object)), members_(object_), layer_(layer) {}

  /// The layer in which the request is checked.
  [[nodiscard]] const Layer& layer() const {
    DOLMEN_CHECK(layer_ != nullptr, "only a request as a whole has a layer");
    return *layer_;
  }

  [[nodiscard]] std::optional<json::Element> find(std::string_view name) const {
    const std::optional<json::Element> found = members_.find(name);
    if (!found || found->is_null()) return std::nullopt;
    if (noted_reads != nullptr) noted_reads->push_back(*found);
    return found;
  }

  [[nodiscard]] bool has(std::string_view name) const { return find(name).has_value(); }

  [[nodiscard]] std::optional<std::string> string(std::string_view name) const {
    const auto found = find(name);
    return found ? std::optional(std::string(json::string_of(*found))) : std::nullopt;
  }

  /// A parameter that the constraints require.
  [[nodiscard]] std::string required_string(std::string_view name) const { return string(name).value_or(""); }

  [[nodiscard]] bool boolean(std::string_view name, bool otherwise) const {
    const auto found = find(name);
    return found ? json::boolean_of(*found) : otherwise;
  }

  /// A number within the range of its type; its fraction is cut off, as DynamoDB does.
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const {
    const auto found = find(name);
    return found ? std::optional(json::integer_of(*found)) : std::nullopt;
  }

  [[nodiscard]] std::optional<Parameters> structure(std::string_view name) const {
    const auto found = find(name);
    return found ? std::optional(Parameters(*found)) : std::nullopt;
  }

  [[nodiscard]] const json::Members& members() const { return members_; }

  /// All of them as JSON.
  [[nodiscard]] std::string text() const { return simdjson::minify(object_); }

 private:
  json::Object object_;
  json::Members members_;
  const Layer* layer_;
};

}  // namespace dolmen::wire
