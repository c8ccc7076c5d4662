#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/node.h"
#include "dolmen/error.h"

namespace dolmen::config {

/// Where a value comes from. Each place beats those before it.
enum class Origin : std::uint8_t { kDefault, kFile, kEnvironment, kFlag };

/// One setting of a program. It is declared once: the file, the environment, the flags, the help and
/// `dolmen config show` are all made of these.
///
///     {.name = "tls_cert", .target = &values.tls_cert, .help = "Certificate of the server", .shown_as = "FILE"}
struct Setting {
  using Texts = std::vector<std::string>;

  /// Words joined by underscores; the flag is --tls-cert and the variable DOLMEN_TLS_CERT.
  std::string name;
  /// The variable that holds the value; what it holds at first is the default.
  std::variant<std::string*, std::uint64_t*, bool*, Texts*> target;
  std::string help;
  /// The word for the value in the help.
  std::string shown_as = {};
  /// Both ends are allowed.
  std::uint64_t smallest = 0;
  std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  /// The only texts that are allowed; none allows all.
  Texts words = {};
  bool may_be_empty = true;
  /// What is wrong with one text; an empty text when nothing is.
  std::function<std::string(const std::string&)> check = {};
  /// Of a switch that is on: settings that have no meaning then.
  Texts not_with = {};
  /// A change counts without a restart.
  bool reloads = false;

  Origin origin = Origin::kDefault;
  /// "dolmen.yaml:3:7", "DOLMEN_TLS_CERT" or "--tls-cert"; empty for a default.
  std::string place = {};

  [[nodiscard]] std::string flag() const;
  [[nodiscard]] std::string variable() const;
  [[nodiscard]] bool is_switch() const { return std::holds_alternative<bool*>(target); }
  [[nodiscard]] bool is_list() const { return std::holds_alternative<Texts*>(target); }
  /// The value as a text; those of a list are separated by commas.
  [[nodiscard]] std::string text() const;
  /// What is wrong with a text for it, or with one element of a list; empty when nothing is.
  [[nodiscard]] std::string problem_of(const std::string& text) const;
};

inline constexpr std::string_view kVariablePrefix = "DOLMEN_";

/// The settings of a program. Read them in the order of `Origin`; whatever is wrong changes nothing but values that
/// were right before it.
class Settings {
 public:
  explicit Settings(std::vector<Setting> settings) : settings_(std::move(settings)) {}

  [[nodiscard]] std::span<const Setting> all() const { return settings_; }
  /// Null when there is no such setting.
  [[nodiscard]] const Setting* find(std::string_view name) const;

  /// A file of YAML or JSON: one map from names to values. Fails with kIo, and with kInvalidArgument and every problem
  /// with its line and column: what is not a setting, with the nearest name, and wrong values.
  Result<void> read_file(const std::filesystem::path& file);
  Result<void> read_text(std::string_view text, const std::string& file_name);

  /// Variables as "NAME=value". Those without the prefix are not for this program, nor are `others`, in which * at the
  /// end stands for any characters. Fails with kInvalidArgument and every problem.
  Result<void> read_environment(std::span<const std::string> variables, std::span<const std::string_view> others);

  /// The values of a flag; a switch has "true" or "false". The setting exists. Fails with kInvalidArgument.
  Result<void> read_flag(std::string_view name, std::span<const std::string> values);

  /// Fails with kInvalidArgument when settings of the same origin exclude each other, or a switch stands where it is
  /// beaten by what it excludes. A switch of a stronger origin makes the others meaningless.
  [[nodiscard]] Result<void> check_exclusions() const;

  /// A name that was probably meant; empty when none is near.
  [[nodiscard]] std::string_view nearest(std::string_view name) const;

 private:
  [[nodiscard]] Setting* changeable(std::string_view name);
  void read_entry(const Node::Entry& entry, const std::string& file_name, std::vector<Problem>& problems);

  std::vector<Setting> settings_;
};

}  // namespace dolmen::config
