#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace dolmen::cli {

class CommandLine;

/// Exit codes of every verb.
enum ExitCode : std::uint8_t {
  kDone = 0,
  kFailed = 1,      ///< It could not be done, or a check found something.
  kUsageError = 2,  ///< It was asked for in the wrong way.
};

/// The numbers that an option accepts, both ends included.
template <class T>
struct Range {
  T smallest = std::numeric_limits<T>::lowest();
  T largest = std::numeric_limits<T>::max();
};

/// An option or argument of a verb. A handle that is valid as long as its CommandLine.
class Option {
 public:
  Option required() const;
  /// The word for the value in the help, such as DIR.
  Option shown_as(const std::string& word) const;
  /// Refuses all other values.
  Option one_of(std::vector<std::string> words) const;
  /// `problem` returns what is wrong with a value, or an empty text. It is printed after the option's name.
  Option checked_by(std::function<std::string(const std::string& value)> problem) const;
  /// Refuses an empty value: a variable that a script forgot to set must not change what a command means.
  Option not_empty() const;
  Option not_with(Option other) const;
  Option only_with(Option other) const;
  /// Whether the arguments that were read have it.
  [[nodiscard]] bool given() const;

 private:
  friend class Verb;
  Option(CLI::Option* option, CommandLine* line) : option_(option), line_(line) {}

  CLI::Option* option_;
  CommandLine* line_;
};

/// A verb of the program, such as `lease`, or one below it, such as `lease acquire`. A handle that is valid as long as
/// its CommandLine. What options are written to must live until the action has run; let the action own it:
///
///     auto flags = std::make_shared<Flags>();
///     const Verb show = parent.verb("show", "Show a thing");
///     show.text("NAME", flags->name, "Name of the thing").required();
///     show.number("--limit", flags->limit, "Largest number of lines", {1, 1000});
///     show.runs([flags] { return show_thing(*flags); });
///
/// Names are "--name", "--name,--other-name", "NAME" for an argument that is known by its position, or "name,--name"
/// for one that can be given either way. The help shows what a target holds when the option is added as the default.
class Verb {
 public:
  /// Adds a verb below this one, which then needs one of them.
  Verb verb(const std::string& name, const std::string& help) const;

  /// Leaves the verb out of the help.
  Verb hidden() const;

  Option text(const std::string& names, std::string& target, const std::string& help) const;
  /// An option that can be given several times, each time with one value.
  Option texts(const std::string& name, std::vector<std::string>& target, const std::string& help) const;
  /// All remaining arguments that are known by their position.
  Option arguments(const std::string& name, std::vector<std::string>& target, const std::string& help) const;
  Option flag(const std::string& name, bool& target, const std::string& help) const;
  /// Stays empty unless it is given; "--name=false" is false.
  Option flag(const std::string& name, std::optional<bool>& target, const std::string& help) const;

  template <class T>
  Option number(const std::string& name, T& target, const std::string& help,
                std::type_identity_t<Range<T>> range = {}) const;
  /// Stays empty unless the option is given.
  template <class T>
  Option number(const std::string& name, std::optional<T>& target, const std::string& help,
                std::type_identity_t<Range<T>> range = {}) const;

  /// What the verb does. Returns the exit code.
  void runs(std::function<int()> action) const;

 private:
  friend class CommandLine;
  Verb(CLI::App* app, CommandLine* line) : app_(app), line_(line) {}

  CLI::App* app_;
  CommandLine* line_;
};

/// A verb as it was declared, for programs that help to type it.
struct VerbInfo {
  struct OptionInfo {
    /// "--name"
    std::string name;
    std::string help;
    bool takes_value = false;
    /// The word for the value in the help: DIR and FILE are places, "a|b" are the words that are allowed.
    std::string value;
    /// What holds without it; empty when that is nothing.
    std::string fallback;
    bool is_required = false;
    bool is_repeatable = false;
  };

  std::string name;
  std::string help;
  std::vector<OptionInfo> options;
  /// Arguments that are known by their position, in their order; their names are words such as TABLE.
  std::vector<OptionInfo> arguments;
  std::vector<VerbInfo> verbs;
};

/// The command line of a program whose verbs have options of their own.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// The program itself, to add verbs to.
  Verb root();

  /// Everything that was declared, apart from hidden verbs.
  [[nodiscard]] VerbInfo describe() const;

  /// The help of the verb that these words name, such as {"lease", "run"}; nothing when there is no such verb.
  [[nodiscard]] std::optional<std::string> help_of(const std::vector<std::string>& words) const;

  /// What is wrong with these words after the program's name; empty when a verb would run. Runs nothing.
  [[nodiscard]] std::string problem_of(const std::vector<std::string>& words);

  /// Reads the arguments and runs the action of the verb that they name. Prints help to `out`. Prints what is wrong
  /// with the arguments to `err`, and where to find help, and returns kUsageError; when --json is among them, prints it
  /// to `out` as JSON instead.
  int run(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

 private:
  /// The exit code, when --help or --version have been answered.
  std::optional<int> read(int argc, const char* const* argv, std::string& problem, std::ostream& out);

  friend class Option;
  friend class Verb;
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace dolmen::cli
