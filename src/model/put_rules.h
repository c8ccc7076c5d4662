#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/model.h"
#include "model/types.h"

/// What a put checks and fills in, one attribute at a time, whatever its values are made of: logical values
/// (encode.cc) or the members of a record (record_codec.cc).
namespace dolmen {

/// What a put has for an attribute. `is_empty` is asked only of values that are neither missing nor NULL.
template <class T>
concept PutValue = requires(const T& value) {
  { value.is_missing() } -> std::same_as<bool>;
  { value.is_null() } -> std::same_as<bool>;
  /// A text or bytes of length zero, which DynamoDB takes for no key. Zero and false are keys like any other.
  { value.is_blank() } -> std::same_as<bool>;
  /// In the sense of omit_empty.
  { value.is_empty() } -> std::same_as<bool>;
};

/// An attribute of the model, and what the rules look at.
struct PutAttribute {
  const ModelAttribute* attribute = nullptr;
  /// What the attribute is called in the details of errors.
  std::string_view path;
  bool is_key = false;
  /// created_at or updated_at.
  bool is_time = false;
  bool is_version = false;

  static PutAttribute of(const Model& model, const ModelAttribute& attribute);
};

/// What a put does with an attribute.
enum class PutStep : std::uint8_t {
  kStore,      ///< stores the value
  kStoreNow,   ///< stores the present, whatever the value
  kStoreZero,  ///< stores 0: the version of a new item
  kLeaveOut,   ///< stores nothing; what is wrong with that has been noted
};

/// kMissingPrimaryKey: the key attribute "pk" is missing.
Error missing_key(std::string_view name, std::string_view how);

/// Why the value cannot be a part of a key; nothing when it can.
template <PutValue T>
std::optional<Error> key_error(std::string_view name, const T& value) {
  if (value.is_missing()) return missing_key(name, "missing");
  if (value.is_null()) return missing_key(name, "null");
  if (value.is_blank()) return missing_key(name, "empty");
  return std::nullopt;
}

/// Decides for each attribute of a put and gathers what is wrong. A key that is missing, or keys that cannot be had,
/// fail the put as a whole; everything else is gathered, so that all of it is told at once.
class PutRules {
 public:
  /// Without `check_required` a put may lack required attributes, as in other implementations of DMS.
  explicit PutRules(bool check_required) : check_required_(check_required) {}

  template <PutValue T>
  PutStep step(const PutAttribute& rule, const T& value) {
    if (rule.is_time) return PutStep::kStoreNow;
    if (rule.is_key) {
      if (std::optional<Error> error = key_error(rule.attribute->name, value)) return fail_with(*std::move(error));
      return PutStep::kStore;
    }
    const bool is_nothing = value.is_missing();
    if (rule.is_version)
      return is_nothing || value.is_null() || value.is_empty() ? PutStep::kStoreZero : PutStep::kStore;
    if (is_nothing) return leave_out(rule, "missing");
    if (rule.attribute->omit_empty && (value.is_null() || value.is_empty())) return leave_out(rule, "empty");
    if (check_required_ && rule.attribute->required && rule.attribute->type != Type::kNull) {
      // What would be stored as NULL is no value.
      const bool is_set_type = is_set(rule.attribute->type);
      if (is_set_type && (value.is_null() || value.is_empty())) return leave_out(rule, "empty");
      if (value.is_null()) return leave_out(rule, "null");
    }
    return PutStep::kStore;
  }

  /// The value could not be stored: what the model has against it is noted, anything else fails the put.
  void refuse(const PutAttribute& rule, const Error& error);
  /// Fails the put as a whole, unless it has failed already.
  PutStep fail_with(Error error);

  /// Why the put fails whatever else is wrong with it.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
  [[nodiscard]] const std::vector<ErrorDetail>& problems() const noexcept { return problems_; }

 private:
  PutStep leave_out(const PutAttribute& rule, std::string_view how);

  bool check_required_;
  std::optional<Error> error_;
  std::vector<ErrorDetail> problems_;
};

}  // namespace dolmen
