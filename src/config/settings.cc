#include "config/settings.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "base/fail.h"
#include "config/read.h"

namespace dolmen::config {
namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<bool> truth(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

/// "one", "one or two", "one, two or three".
std::string alternatives(const std::vector<std::string>& words) {
  if (words.size() < 2) return fmt::format("{}", fmt::join(words, ""));
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string number_problem(const Setting& setting, const std::string& text) {
  const std::optional<std::uint64_t> number = whole_number(text);
  if (number && *number >= setting.smallest && *number <= setting.largest) return "";
  if (setting.largest == std::numeric_limits<std::uint64_t>::max())
    return fmt::format("\"{}\" is not a whole number of at least {}", text, setting.smallest);
  return fmt::format("\"{}\" is not a whole number from {} to {}", text, setting.smallest, setting.largest);
}

std::string text_problem(const Setting& setting, const std::string& text) {
  if (text.empty() && !setting.may_be_empty) return "the value is empty";
  if (!setting.words.empty() && std::ranges::find(setting.words, text) == setting.words.end())
    return fmt::format("\"{}\" is not allowed; use {}", text, alternatives(setting.words));
  return setting.check ? setting.check(text) : "";
}

/// The values have been checked.
void assign(Setting& setting, std::span<const std::string> values, Origin origin, std::string place) {
  if (auto* const* list = std::get_if<Setting::Texts*>(&setting.target)) {
    (*list)->assign(values.begin(), values.end());
  } else if (auto* const* text = std::get_if<std::string*>(&setting.target)) {
    **text = values.front();
  } else if (auto* const* number = std::get_if<std::uint64_t*>(&setting.target)) {
    **number = *whole_number(values.front());
  } else {
    *std::get<bool*>(setting.target) = *truth(values.front());
  }
  setting.origin = origin;
  setting.place = std::move(place);
}

/// The elements of a list in a variable.
std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

/// The kind of value that a setting has in a file.
Node::Kind kind_of(const Setting& setting) {
  if (setting.is_switch()) return Node::Kind::kBoolean;
  return std::holds_alternative<std::uint64_t*>(setting.target) ? Node::Kind::kNumber : Node::Kind::kString;
}

/// The text of a value in a file, or what is wrong with its kind.
std::expected<std::string, std::string> text_of(const Setting& setting, const Node& node) {
  const Node::Kind wanted = kind_of(setting);
  if (node.kind != wanted)
    return std::unexpected(
        fmt::format("{} has to be a {}, and this is a {}", setting.name, kind_name(wanted), kind_name(node.kind)));
  return node.kind == Node::Kind::kBoolean ? std::string(node.boolean ? "true" : "false") : node.text;
}

char in_capitals(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool is_one_of(std::string_view name, std::span<const std::string_view> patterns) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) {
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
  });
}

Error error_about(const std::vector<ErrorDetail>& details) {
  std::string message = details.front().message;
  if (details.size() > 1) message += fmt::format(" (and {} more)", details.size() - 1);
  return {Code::kInvalidArgument, std::move(message), details};
}

}  // namespace

// ---- One setting ----

std::string Setting::flag() const {
  std::string flag = "--" + name;
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::string Setting::variable() const {
  std::string variable(kVariablePrefix);
  std::ranges::transform(name, std::back_inserter(variable), in_capitals);
  return variable;
}

std::string Setting::text() const {
  if (auto* const* list = std::get_if<Texts*>(&target)) return fmt::format("{}", fmt::join(**list, ","));
  if (auto* const* text = std::get_if<std::string*>(&target)) return **text;
  if (auto* const* number = std::get_if<std::uint64_t*>(&target)) return fmt::format("{}", **number);
  return *std::get<bool*>(target) ? "true" : "false";
}

std::string Setting::problem_of(const std::string& text) const {
  if (std::holds_alternative<std::uint64_t*>(target)) return number_problem(*this, text);
  if (is_switch()) return truth(text) ? "" : fmt::format("\"{}\" is neither true nor false", text);
  return text_problem(*this, text);
}

// ---- All of them ----

const Setting* Settings::find(std::string_view name) const {
  const auto found = std::ranges::find(settings_, name, &Setting::name);
  return found == settings_.end() ? nullptr : &*found;
}

Setting* Settings::changeable(std::string_view name) {
  const auto found = std::ranges::find(settings_, name, &Setting::name);
  return found == settings_.end() ? nullptr : &*found;
}

std::string_view Settings::nearest(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const Setting& setting : settings_) names.emplace_back(setting.name);
  return nearest_name(name, names, std::max<std::size_t>(2, name.size() / 2));
}

Result<void> Settings::read_file(const std::filesystem::path& file) {
  DOLMEN_TRY(const std::string text, config::read_file(file));
  return read_text(text, file.string());
}

Result<void> Settings::read_text(std::string_view text, const std::string& file_name) {
  Reading reading = read_document(text, file_name);
  if (!reading.problems.empty()) return std::unexpected(error_of(Code::kInvalidArgument, file_name, reading.problems));
  const Node& root = *reading.root;
  std::vector<Problem> problems;
  if (root.kind != Node::Kind::kMap)
    problems.push_back({.position = root.position,
                        .path = "",
                        .rule = "map",
                        .message = "the settings have to be a map, such as \"port: 8000\""});
  for (const Node::Entry& entry : root.entries) read_entry(entry, file_name, problems);
  if (!problems.empty()) return std::unexpected(error_of(Code::kInvalidArgument, file_name, problems));
  return {};
}

void Settings::read_entry(const Node::Entry& entry, const std::string& file_name, std::vector<Problem>& problems) {
  const auto refuse = [&](Position position, std::string rule, std::string message) {
    problems.push_back({position, entry.name, std::move(rule), std::move(message)});
  };
  Setting* setting = changeable(entry.name);
  if (setting == nullptr) {
    const std::string_view near = nearest(entry.name);
    const std::string hint =
        near.empty() ? "; \"dolmen config show\" lists them all" : fmt::format("; did you mean \"{}\"?", near);
    return refuse(entry.name_position, "known", fmt::format("\"{}\" is not a setting{}", entry.name, hint));
  }
  const bool is_list = setting->is_list() && entry.value.kind == Node::Kind::kList;
  const std::span<const Node> nodes =
      is_list ? std::span<const Node>(entry.value.elements) : std::span(&entry.value, 1);
  std::vector<std::string> values;
  for (const Node& node : nodes) {
    std::expected<std::string, std::string> text = text_of(*setting, node);
    if (!text) return refuse(node.position, "kind", std::move(text).error());
    if (const std::string problem = setting->problem_of(*text); !problem.empty())
      return refuse(node.position, "value", fmt::format("{}: {}", setting->name, problem));
    values.push_back(*std::move(text));
  }
  const Position& position = entry.value.position;
  assign(*setting, values, Origin::kFile, fmt::format("{}:{}:{}", file_name, position.line, position.column));
}

Result<void> Settings::read_environment(std::span<const std::string> variables,
                                        std::span<const std::string_view> others) {
  std::vector<ErrorDetail> details;
  for (const std::string& variable : variables) {
    const std::size_t equals = std::min(variable.find('='), variable.size());
    const std::string name = variable.substr(0, equals);
    if (!name.starts_with(kVariablePrefix) || is_one_of(name, others)) continue;
    const std::string value = equals < variable.size() ? variable.substr(equals + 1) : "";
    const auto setting = std::ranges::find(settings_, name, &Setting::variable);
    if (setting == settings_.end()) {
      const Setting* near = find(nearest(std::string_view(name).substr(kVariablePrefix.size())));
      details.push_back({name, "known",
                         fmt::format("{} in the environment is not a setting{}", name,
                                     near == nullptr ? "" : fmt::format("; did you mean {}?", near->variable()))});
      continue;
    }
    const std::vector<std::string> values = setting->is_list() ? split_at_commas(value) : std::vector{value};
    for (const std::string& each : values)
      if (const std::string problem = setting->problem_of(each); !problem.empty())
        details.push_back({name, "value", fmt::format("{}: {}", name, problem)});
    if (details.empty()) assign(*setting, values, Origin::kEnvironment, name);
  }
  if (!details.empty()) return std::unexpected(error_about(details));
  return {};
}

Result<void> Settings::read_flag(std::string_view name, std::span<const std::string> values) {
  Setting* setting = changeable(name);
  for (const std::string& value : values)
    if (const std::string problem = setting->problem_of(value); !problem.empty())
      return fail(Code::kInvalidArgument, "{}: {}", setting->flag(), problem);
  assign(*setting, values, Origin::kFlag, setting->flag());
  return {};
}

Result<void> Settings::check_exclusions() const {
  for (const Setting& setting : settings_) {
    if (setting.not_with.empty() || !*std::get<bool*>(setting.target)) continue;
    for (const std::string& name : setting.not_with) {
      const Setting* other = find(name);
      if (other->origin == Origin::kDefault || other->origin < setting.origin) continue;
      return fail(Code::kInvalidArgument, "{} ({}) and {} ({}) cannot be used together", setting.name, setting.place,
                  other->name, other->place);
    }
  }
  return {};
}

}  // namespace dolmen::config
