#include "cli/completion.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>

#include "base/fail.h"
#include "cli/examples.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "config/node.h"

namespace dolmen::cli {
namespace {

/// Calls `visit(path, verb)` for the program (with an empty path) and every verb below it.
void walk_verbs(const std::string& path, const VerbInfo& verb,
                const std::function<void(const std::string&, const VerbInfo&)>& visit) {
  visit(path, verb);
  for (const VerbInfo& below : verb.verbs)
    walk_verbs(path.empty() ? below.name : path + " " + below.name, below, visit);
}

/// In single quotes, for every shell that is written here.
std::string quoted_word(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : c == '\n' ? std::string(" ") : std::string(1, c);
  return out + "'";
}

std::string words_of(const VerbInfo& verb) {
  std::string words;
  for (const VerbInfo& below : verb.verbs) words += below.name + " ";
  for (const VerbInfo::OptionInfo& option : verb.options) words += option.name + " ";
  if (!words.empty()) words.pop_back();
  return words;
}

bool is_choice(const VerbInfo::OptionInfo& option) { return option.value.find('|') != std::string::npos; }

std::string choices_of(const VerbInfo::OptionInfo& option) {
  std::string words = option.value;
  std::ranges::replace(words, '|', ' ');
  return words;
}

/// The first sentence, because shells show a line for each word.
std::string short_help(const std::string& help) {
  return help.substr(0, std::min(help.find_first_of(".;:"), help.size()));
}

}  // namespace

std::string bash_completion(const VerbInfo& program) {
  std::string verbs;
  std::string values;
  walk_verbs("", program, [&](const std::string& path, const VerbInfo& verb) {
    verbs += fmt::format("    {}) words={} ;;\n", quoted_word(path), quoted_word(words_of(verb)));
    for (const VerbInfo::OptionInfo& option : verb.options)
      if (is_choice(option))
        values += fmt::format("    {}) COMPREPLY=($(compgen -W {} -- \"$now\")); return ;;\n",
                              quoted_word(path + " " + option.name), quoted_word(choices_of(option)));
  });
  return fmt::format(R"(# Completion of dolmen for bash: source <(dolmen completion bash)
_dolmen() {{
  local now="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" path="" words="" i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "${{COMP_WORDS[i]}}" in
      -*) break ;;
      *) _dolmen_is_verb "${{path:+$path }}${{COMP_WORDS[i]}}" && path="${{path:+$path }}${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$path $before" in
{}  esac
  case "$before" in
    --data|--from|--to|--config|--resume|--rejected) COMPREPLY=($(compgen -f -- "$now")); return ;;
  esac
  case "$path" in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$now"))
  [[ ${{#COMPREPLY[@]}} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$now"))
}}
_dolmen_is_verb() {{
  case "$1" in
{}      return 0 ;;
  esac
  return 1
}}
complete -o filenames -F _dolmen dolmen
)",
                     values, verbs, [&] {
                       std::string all;
                       walk_verbs("", program, [&](const std::string& path, const VerbInfo&) {
                         if (!path.empty()) all += (all.empty() ? "    " : "|") + quoted_word(path);
                       });
                       return all + ")\n";
                     }());
}

std::string zsh_completion(const VerbInfo& program) {
  std::string cases;
  walk_verbs("", program, [&](const std::string& path, const VerbInfo& verb) {
    cases += fmt::format("    {})\n      words_here=(", quoted_word(path));
    const auto add = [&](const std::string& name, const std::string& help) {
      std::string text = short_help(help);
      std::erase(text, ':');
      cases += quoted_word(name + ":" + text) + " ";
    };
    for (const VerbInfo& below : verb.verbs) add(below.name, below.help);
    for (const VerbInfo::OptionInfo& option : verb.options) add(option.name, option.help);
    cases += ") ;;\n";
  });
  return fmt::format(R"(#compdef dolmen
# Completion of dolmen for zsh: dolmen completion zsh > "${{fpath[1]}}/_dolmen"
_dolmen() {{
  local path_here="" word
  local -a words_here
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    [[ "$word" == -* ]] && break
    path_here="${{path_here:+$path_here }}$word"
  done
  case "$path_here" in
{}  esac
  if (( ${{#words_here}} )); then
    _describe 'dolmen' words_here
  else
    _files
  fi
}}
_dolmen "$@"
)",
                     cases);
}

std::string fish_completion(const VerbInfo& program) {
  std::string lines =
      R"(# Completion of dolmen for fish: dolmen completion fish > ~/.config/fish/completions/dolmen.fish
function __dolmen_at
  set -l words
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    set -a words $word
  end
  test "$words" = "$argv[1]"
end
function __dolmen_below
  string match -q -- "$argv[1]*" (string join ' ' (commandline -opc)[2..-1])
end
)";
  walk_verbs("", program, [&](const std::string& path, const VerbInfo& verb) {
    for (const VerbInfo& below : verb.verbs)
      lines += fmt::format("complete -c dolmen -f -n {} -a {} -d {}\n", quoted_word("__dolmen_at \"" + path + "\""),
                           quoted_word(below.name), quoted_word(short_help(below.help)));
    if (path.empty()) return;
    for (const VerbInfo::OptionInfo& option : verb.options)
      lines += fmt::format("complete -c dolmen -n {} -l {}{} -d {}\n", quoted_word("__dolmen_below \"" + path + "\""),
                           option.name.substr(2),
                           !option.takes_value ? ""
                           : is_choice(option) ? " -x -a " + quoted_word(choices_of(option))
                                               : " -r",
                           quoted_word(short_help(option.help)));
  });
  return lines;
}

namespace {

struct HelpFlags {
  std::vector<std::string> words;
  std::string shell;
  bool json = false;
};

int print_completion(const CommandLine& line, const HelpFlags& flags) {
  const VerbInfo program = line.describe();
  const std::string script = flags.shell == "bash"  ? bash_completion(program)
                             : flags.shell == "zsh" ? zsh_completion(program)
                                                    : fish_completion(program);
  if (flags.json)
    print_json(LogicalItem{{"shell", flags.shell}, {"script", script}});
  else
    fmt::print("{}", script);
  return kDone;
}

int print_help(const CommandLine& line, const HelpFlags& flags) {
  const std::string path = fmt::format("{}", fmt::join(flags.words, " "));
  const std::optional<std::string> help = line.help_of(flags.words);
  if (!help) {
    std::vector<std::string> known;
    walk_verbs("", line.describe(), [&](const std::string& each, const VerbInfo&) { known.push_back(each); });
    const std::vector<std::string_view> views(known.begin(), known.end());
    const std::string_view near = config::nearest_name(path, views, 3);
    return report(
        Error(Code::kInvalidArgument, fmt::format("there is no verb \"{}\"{}", path,
                                                  near.empty() ? "; \"dolmen --help\" lists them"
                                                               : fmt::format("; did you mean \"{}\"?", near))),
        flags.json);
  }
  const auto known_examples = verb_examples().find(path);
  const std::vector<std::string> examples =
      known_examples == verb_examples().end() ? std::vector<std::string>() : known_examples->second;
  if (flags.json) {
    print_json(LogicalItem{{"help", *help}, {"examples", LogicalValue::List(examples.begin(), examples.end())}});
    return kDone;
  }
  fmt::print("{}", *help);
  if (!examples.empty()) fmt::print("\nExamples:\n");
  for (const std::string& example : examples) fmt::print("  {}\n", example);
  return kDone;
}

}  // namespace

void add_completion_and_help(const CommandLine& line, const Verb& program) {
  auto completing = std::make_shared<HelpFlags>();
  const Verb completion = program.verb("completion", "Print the script that completes verbs and options in a shell");
  completion.text("SHELL", completing->shell, "bash, zsh or fish").one_of({"bash", "zsh", "fish"}).required();
  completion.flag("--json", completing->json, "Print JSON");
  completion.runs([&line, completing] { return print_completion(line, *completing); });

  auto helping = std::make_shared<HelpFlags>();
  const Verb help = program.verb("help", "Show the options of a verb, with examples");
  help.arguments("VERB", helping->words, "The verb, such as: table create");
  help.flag("--json", helping->json, "Print JSON");
  help.runs([&line, helping] { return print_help(line, *helping); });
}

}  // namespace dolmen::cli
