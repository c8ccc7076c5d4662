#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen {

/// How deep lists and objects may stand inside each other in requests and responses of Dolmen's own operations.
inline constexpr unsigned kObjectNesting = 68;

/// A JSON object of Dolmen's own operations (X-Amz-Target: Dolmen_20261115.*): its members, each as it was written, so
/// that a document inside is passed on byte for byte. Sees the text that it was read from, which must outlive it.
/// `ObjectWriter` writes such objects.
class ObjectView {
 public:
  using Names = std::initializer_list<std::string_view>;

  /// The body of a request. Fails with kSerialization when it is not a JSON object, and with kQueryInvalid for a member
  /// that is not among `allowed`; what is then asked of it fails with kQueryInvalid.
  static Result<ObjectView> request(std::string_view text, Names allowed);
  /// An object inside a request. Everything fails with kQueryInvalid.
  static Result<ObjectView> part(std::string_view text, Names allowed);
  /// A response. It may have members that this program does not know. Everything fails with kUnexpectedResponse.
  static Result<ObjectView> response(std::string_view text);

  /// The value as it was written; nothing when there is no such member.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
  /// The same of a member that must be there.
  [[nodiscard]] Result<std::string_view> json(std::string_view name) const;
  /// A string that must be there.
  [[nodiscard]] Result<std::string> text(std::string_view name) const;
  /// A string that may be missing.
  [[nodiscard]] Result<std::optional<std::string>> optional_text(std::string_view name) const;
  /// true or false; false when it is missing.
  [[nodiscard]] Result<bool> flag(std::string_view name) const;
  /// The elements of a list, each as it was written; none when the list is missing.
  [[nodiscard]] Result<std::vector<std::string_view>> list(std::string_view name) const;

  /// For people: the characters of a string, and what else there is as it was written; empty when it is missing.
  [[nodiscard]] std::string shown(std::string_view name) const;

 private:
  /// Why something cannot be read; empty when it can.
  using Problem = std::string;

  Problem read(std::string_view text);
  [[nodiscard]] Result<void> check_members(Names allowed) const;

  std::map<std::string, std::string_view, std::less<>> members_;
  Code code_ = Code::kQueryInvalid;
};

/// Whether the text is one JSON value.
bool is_json(std::string_view text);
/// The characters of a JSON string; nothing when the value is something else.
std::optional<std::string> json_text(std::string_view value);
/// The elements of a JSON list, each as it was written; nothing when the value is something else.
std::optional<std::vector<std::string_view>> json_elements(std::string_view value);

}  // namespace dolmen
