// The only file that includes CLI11, whose headers take seconds to compile.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <ostream>
#include <sstream>
#include <utility>

#include "config/node.h"
#include "dolmen/error.h"
#include "protocol/object_writer.h"

namespace dolmen::cli {

struct CommandLine::Content {
  Content(const std::string& name, const std::string& description) : app(description, name) {}

  CLI::App app;
  std::vector<std::pair<CLI::Option*, CLI::Option*>> exclusions;
  /// Of the verb that the arguments name.
  std::function<int()> action;
};

namespace {

template <class T>
std::optional<T> read_number(const std::string& text, const Range<T>& range) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  // Nothing that is not a number lies between two numbers.
  return number >= range.smallest && number <= range.largest ? std::optional(number) : std::nullopt;
}

template <class T>
std::string number_problem(const std::string& text, const Range<T>& range) {
  if (read_number<T>(text, range)) return {};
  const char* kind = std::is_integral_v<T> ? "whole number" : "number";
  if (range.smallest == Range<T>{}.smallest && range.largest == Range<T>{}.largest && std::is_signed_v<T>)
    return fmt::format("\"{}\" is not a {}", text, kind);
  if (range.largest == Range<T>{}.largest && sizeof(T) == sizeof(std::uint64_t))
    return fmt::format("\"{}\" is not a {} of at least {}", text, kind, range.smallest);
  return fmt::format("\"{}\" is not a {} from {} to {}", text, kind, range.smallest, range.largest);
}

template <class T>
CLI::Option* add_number(CLI::App& app, const std::string& name, const std::string& help, const Range<T>& range,
                        std::function<void(T)> set) {
  CLI::Option* option = app.add_option_function<std::string>(
      name,
      [range, set = std::move(set)](const std::string& text) {
        if (const std::optional<T> number = read_number<T>(text, range)) set(*number);
      },
      help);
  option->check([range](const std::string& text) { return number_problem<T>(text, range); });
  return option->type_name("NUMBER");
}

/// A positional is known by its name; its type would only repeat that.
CLI::Option* dressed(CLI::Option* option) { return option->type_name(option->get_positional() ? "" : "TEXT"); }

/// "one", "one or two", "one, two or three".
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text.append(text.empty() ? "" : &word == &words.back() ? " or " : ", ").append(word);
  return text;
}

/// Shows an option as "--name WORD [default] ...".
class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    const auto add = [&](const std::string& word) { text.append(word.empty() ? "" : " ").append(word); };
    if (option->get_type_size() != 0) {
      add(option->get_type_name());
      if (!option->get_default_str().empty()) add("[" + option->get_default_str() + "]");
      if (option->get_expected_max() > 1) add("...");
    }
    if (option->get_required()) add("(required)");
    return text;
  }
};

/// How the verb is called, such as "dolmen lease".
std::string path_of(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : path_of(*parent) + " " + app.get_name();
}

/// The verb that the arguments name, as far as they do.
struct Named {
  const CLI::App* app;
  std::string path;
  int depth = 0;
};

Named named_verb(const CLI::App& root) {
  Named named{.app = &root, .path = {}};
  for (auto below = root.get_subcommands(); !below.empty(); below = named.app->get_subcommands()) {
    named.app = below.front();
    ++named.depth;
  }
  named.path = path_of(*named.app);
  return named;
}

/// The verbs that could have been meant.
std::string verbs_of(const CLI::App& app) {
  std::string verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    verbs += (verbs.empty() ? "" : ", ") + verb->get_name();
  return verbs;
}

/// "; did you mean ...?", when one of the words is nearly the one that was written.
std::string suggestion(std::string_view written, const std::vector<std::string>& known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  const std::string_view near =
      config::nearest_name(written, words, std::clamp<std::size_t>((written.size() + 2) / 3, 1, 3));
  return near.empty() ? std::string() : fmt::format("; did you mean {}?", near);
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string missing_verb(const Named& named, int argc, const char* const* argv) {
  const std::string word = argc > named.depth + 1 ? argv[named.depth + 1] : "";
  const std::string known = verbs_of(*named.app);
  if (word.empty() || word.starts_with("-")) return fmt::format("\"{}\" needs a verb: {}", named.path, known);
  std::vector<std::string> verbs;
  for (const CLI::App* verb : named.app->get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  const std::string meant = suggestion(word, verbs);
  return fmt::format("\"{}\" is not a verb of \"{}\"{}", word, named.path,
                     meant.empty() ? "; its verbs are " + known : meant);
}

std::string missing_argument(const Named& named, int argc, const char* const* argv) {
  if (named.app->get_require_subcommand_min() > 0) return missing_verb(named, argc, argv);
  for (const CLI::Option* option : named.app->get_options())
    if (option->get_required() && option->count() == 0) return option->get_name() + " is missing";
  return "an option is missing";
}

std::string wrong_count(const Named& named, const CLI::ArgumentMismatch& error) {
  for (const CLI::Option* option : named.app->get_options())
    if (option->count() > 1 && option->get_items_expected_max() == 1)
      return option->get_name() + " can be given only once";
  // CLI11 tells the name of the option in no other way.
  const std::string_view text = error.what();
  return fmt::format("{} needs a value", text.substr(0, text.find(':')));
}

std::string unexpected_argument(const Named& named) {
  const std::string word = named.app->remaining().empty() ? "" : named.app->remaining().front();
  if (word.starts_with("-"))
    return fmt::format("{} is not an option of \"{}\"{}", word, named.path,
                       suggestion(word.substr(0, word.find('=')), options_of(*named.app)));
  return fmt::format("\"{}\" is one argument too many for \"{}\"", word, named.path);
}

bool is_shown(const CLI::App* app) { return !app->get_group().empty(); }

VerbInfo::OptionInfo option_info(const CLI::Option& option, std::string name) {
  return {.name = std::move(name),
          .help = option.get_description(),
          .takes_value = option.get_type_size() != 0,
          .value = option.get_type_name(),
          .fallback = option.get_type_size() == 0 ? "" : option.get_default_str(),
          .is_required = option.get_required(),
          .is_repeatable = option.get_items_expected_max() > 1};
}

VerbInfo info_of(const CLI::App& app) {
  VerbInfo info{.name = app.get_name(), .help = app.get_description(), .options = {}, .arguments = {}, .verbs = {}};
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) info.options.push_back(option_info(*option, "--" + name));
    if (option->get_positional()) info.arguments.push_back(option_info(*option, option->get_name(true)));
  }
  for (const CLI::App* verb : app.get_subcommands(is_shown)) info.verbs.push_back(info_of(*verb));
  return info;
}

/// Whether --json is among the arguments, wherever it stands; what follows "--" belongs to another command.
bool wants_json(int argc, const char* const* argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i)
    if (std::string_view(argv[i]) == "--json") return true;
  return false;
}

}  // namespace

// ---- Options ----

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::shown_as(const std::string& word) const {
  option_->type_name(word);
  return *this;
}

Option Option::one_of(std::vector<std::string> words) const {
  option_->type_name(fmt::format("{}", fmt::join(words, "|")));
  return checked_by([words = std::move(words)](const std::string& value) {
    for (const std::string& word : words)
      if (word == value) return std::string();
    return fmt::format("\"{}\" is not allowed; use {}", value, alternatives(words));
  });
}

Option Option::checked_by(std::function<std::string(const std::string&)> problem) const {
  option_->check(std::move(problem));
  return *this;
}

Option Option::not_empty() const {
  return checked_by([](const std::string& value) { return value.empty() ? "the value is empty" : ""; });
}

Option Option::not_with(Option other) const {
  line_->content_->exclusions.emplace_back(option_, other.option_);
  return *this;
}

Option Option::only_with(Option other) const {
  option_->needs(other.option_);
  return *this;
}

bool Option::given() const { return option_->count() > 0; }

// ---- Verbs ----

Verb Verb::verb(const std::string& name, const std::string& help) const {
  app_->require_subcommand(1);
  app_->footer(fmt::format("Run \"{} VERB --help\" for the options of a verb.", path_of(*app_)));
  return {app_->add_subcommand(name, help)->footer(""), line_};
}

Verb Verb::hidden() const {
  app_->group("");
  return *this;
}

Option Verb::text(const std::string& names, std::string& target, const std::string& help) const {
  CLI::Option* option = dressed(app_->add_option(names, target, help));
  if (!target.empty()) option->default_str(target);
  return {option, line_};
}

Option Verb::texts(const std::string& name, std::vector<std::string>& target, const std::string& help) const {
  return {dressed(app_->add_option(name, target, help)->allow_extra_args(false)), line_};
}

Option Verb::arguments(const std::string& name, std::vector<std::string>& target, const std::string& help) const {
  return {dressed(app_->add_option(name, target, help)), line_};
}

Option Verb::flag(const std::string& name, bool& target, const std::string& help) const {
  return {app_->add_flag(name, target, help), line_};
}

Option Verb::flag(const std::string& name, std::optional<bool>& target, const std::string& help) const {
  return {app_->add_flag_function(name, [&target](std::int64_t count) { target = count > 0; }, help), line_};
}

template <class T>
Option Verb::number(const std::string& name, T& target, const std::string& help,
                    std::type_identity_t<Range<T>> range) const {
  CLI::Option* option = add_number<T>(*app_, name, help, range, [&target](T number) { target = number; });
  return {option->default_str(fmt::format("{}", target)), line_};
}

template <class T>
Option Verb::number(const std::string& name, std::optional<T>& target, const std::string& help,
                    std::type_identity_t<Range<T>> range) const {
  return {add_number<T>(*app_, name, help, range, [&target](T number) { target = number; }), line_};
}

template Option Verb::number(const std::string&, std::uint16_t&, const std::string&, Range<std::uint16_t>) const;
template Option Verb::number(const std::string&, std::uint32_t&, const std::string&, Range<std::uint32_t>) const;
template Option Verb::number(const std::string&, std::uint64_t&, const std::string&, Range<std::uint64_t>) const;
template Option Verb::number(const std::string&, std::int32_t&, const std::string&, Range<std::int32_t>) const;
template Option Verb::number(const std::string&, std::int64_t&, const std::string&, Range<std::int64_t>) const;
template Option Verb::number(const std::string&, double&, const std::string&, Range<double>) const;
template Option Verb::number(const std::string&, std::optional<std::int64_t>&, const std::string&,
                             Range<std::int64_t>) const;
template Option Verb::number(const std::string&, std::optional<std::uint32_t>&, const std::string&,
                             Range<std::uint32_t>) const;
template Option Verb::number(const std::string&, std::optional<std::uint64_t>&, const std::string&,
                             Range<std::uint64_t>) const;
template Option Verb::number(const std::string&, std::optional<double>&, const std::string&, Range<double>) const;

void Verb::runs(std::function<int()> action) const {
  app_->callback([content = line_->content_.get(), action = std::move(action)] { content->action = action; });
}

// ---- The command line ----

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version)
    : content_(std::make_unique<Content>(name, description)) {
  content_->app.set_version_flag("--version", version);
  content_->app.formatter(std::make_shared<HelpFormat>());
}

CommandLine::~CommandLine() = default;

Verb CommandLine::root() { return {&content_->app, this}; }

VerbInfo CommandLine::describe() const { return info_of(content_->app); }

std::optional<std::string> CommandLine::help_of(const std::vector<std::string>& words) const {
  const CLI::App* app = &content_->app;
  for (const std::string& word : words) {
    const auto below = app->get_subcommands([&](const CLI::App* each) { return each->get_name() == word; });
    if (below.empty()) return std::nullopt;
    app = below.front();
  }
  // The app itself would give the help of the verb that the arguments name.
  return app->get_formatter()->make_help(app, path_of(*app), CLI::AppFormatMode::Normal);
}

std::optional<int> CommandLine::read(int argc, const char* const* argv, std::string& problem, std::ostream& out) {
  CLI::App& app = content_->app;
  try {
    app.parse(argc, argv);
    for (const auto& [one, other] : content_->exclusions)
      if (one->count() > 0 && other->count() > 0)
        problem = fmt::format("{} and {} cannot be used together", one->get_name(), other->get_name());
  } catch (const CLI::Success& request) {
    return app.exit(request, out, out);  // --help or --version
  } catch (const CLI::RequiredError&) {
    problem = missing_argument(named_verb(app), argc, argv);
  } catch (const CLI::ArgumentMismatch& error) {
    problem = wrong_count(named_verb(app), error);
  } catch (const CLI::ExtrasError&) {
    problem = unexpected_argument(named_verb(app));
  } catch (const CLI::ParseError& error) {
    problem = error.what();
  }
  return std::nullopt;
}

std::string CommandLine::problem_of(const std::vector<std::string>& words) {
  std::vector<const char*> arguments{content_->app.get_name().c_str()};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  std::string problem;
  std::ostringstream answer;
  read(static_cast<int>(arguments.size()), arguments.data(), problem, answer);
  return problem;
}

int CommandLine::run(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  std::string problem;
  if (const std::optional<int> answered = read(argc, argv, problem, out)) return *answered;
  if (problem.empty()) return content_->action();
  if (wants_json(argc, argv)) {
    out << object_text([&](ObjectWriter& error) {
      error.json("details", "[]").text("error", code_name(Code::kInvalidArgument)).text("message", problem);
    }) << "\n";
    return kUsageError;
  }
  err << fmt::format("dolmen: {}\nRun \"{} --help\" to see how it is used.\n", problem, named_verb(content_->app).path);
  return kUsageError;
}

}  // namespace dolmen::cli
