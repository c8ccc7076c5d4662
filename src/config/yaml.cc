#include <algorithm>
#include <fmt/format.h>
#include <libfyaml.h>
#include <memory>
#include <set>

#include "base/unicode.h"
#include "config/read.h"
#include "config/scalar.h"

namespace dolmen::config {

namespace {

/// libfyaml guarantees to read so many levels and may refuse more.
constexpr unsigned kYamlDepthMax = 60;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using Diagnostics = std::unique_ptr<fy_diag, Destroy<fy_diag_destroy>>;
using Parser = std::unique_ptr<fy_parser, Destroy<fy_parser_destroy>>;

std::string_view text_of(fy_token* token) {
  std::size_t length = 0;
  const char* text = token == nullptr ? nullptr : fy_token_get_text(token, &length);
  return text == nullptr ? std::string_view() : std::string_view(text, length);
}

Position position_of_mark(const fy_mark* mark, Position otherwise) {
  return mark == nullptr ? otherwise : Position{.line = mark->line + 1, .column = mark->column + 1};
}

/// Where the sign stands that a token begins with, a quote, & or *: libfyaml's tokens begin after it.
Position position_of_sign(fy_token* token, Position otherwise) {
  Position position = position_of_mark(fy_token_start_mark(token), otherwise);
  position.column = std::max(position.column - 1, 1);
  return position;
}

/// Builds the tree from libfyaml's events, and notes everything that JSON could not say.
class TreeBuilder {
 public:
  /// `source` is what the events are read from.
  TreeBuilder(std::string_view source, unsigned depth_max)
      : source_(source), depth_max_(std::min(depth_max, kYamlDepthMax)) {}

  /// False when there is no point in reading on.
  bool take(fy_event& event) {
    last_ = position_of_mark(fy_event_start_mark(&event), last_);
    switch (event.type) {
      case FYET_DOCUMENT_START: return start_document(event.document_start);
      case FYET_MAPPING_START:
        refuse_properties(event.mapping_start.anchor, event.mapping_start.tag);
        return open(Node::Kind::kMap);
      case FYET_SEQUENCE_START:
        refuse_properties(event.sequence_start.anchor, event.sequence_start.tag);
        return open(Node::Kind::kList);
      case FYET_MAPPING_END:
      case FYET_SEQUENCE_END: close(); return true;
      case FYET_ALIAS:
        last_ = position_of_sign(event.alias.anchor, last_);
        refuse("alias", fmt::format("*{} is an alias; write the value itself", text_of(event.alias.anchor)));
        add(Node{.position = last_});
        return true;
      case FYET_SCALAR: take_scalar(event.scalar); return true;
      default: return true;
    }
  }

  Reading finish() && {
    if (problems_.empty() && !root_) problems_.push_back({{}, "", "yaml", "the file is empty"});
    return {.root = std::move(root_), .problems = std::move(problems_)};
  }

  void refuse(std::string rule, std::string message) { refuse_at(last_, std::move(rule), std::move(message)); }
  void refuse_at(Position position, std::string rule, std::string message) {
    problems_.push_back({position, path(), std::move(rule), std::move(message)});
  }

 private:
  /// A list or map that has begun and not ended. In a map a name waits for its value.
  struct Open {
    Node node;
    std::optional<Node::Entry> waiting = std::nullopt;
    std::set<std::string> names = {};
  };

  bool start_document(const fy_event_document_start_data& document) {
    if (documents_++ > 0) {
      refuse("one_document", "a second document begins here; put it into a file of its own");
      return false;
    }
    if (fy_document_state_version_explicit(document.document_state) ||
        fy_document_state_tags_explicit(document.document_state))
      refuse_at({}, "directive", "a line that begins with % is a directive; remove it");
    return true;
  }

  void refuse_properties(fy_token* anchor, fy_token* tag) {
    if (anchor != nullptr)
      refuse_at(position_of_sign(anchor, last_), "anchor",
                fmt::format("&{} is an anchor; remove it and write the value where it is needed", text_of(anchor)));
    if (tag != nullptr)
      refuse_at(position_of_mark(fy_token_start_mark(tag), last_), "tag",
                "a value with a tag (!…) means different things in different languages; remove the tag");
  }

  bool open(Node::Kind kind) {
    if (expects_name()) refuse("string_names", "a name must be a string, not a list or map");
    if (stack_.size() >= depth_max_) {
      refuse("depth", fmt::format("lists and maps are nested more than {} deep; nest them less", depth_max_));
      return false;
    }
    stack_.push_back({.node = {.kind = kind, .position = last_}});
    return true;
  }

  void close() {
    Node node = std::move(stack_.back().node);
    stack_.pop_back();
    add(std::move(node));
  }

  [[nodiscard]] bool expects_name() const {
    return !stack_.empty() && stack_.back().node.kind == Node::Kind::kMap && !stack_.back().waiting;
  }

  void take_scalar(const fy_event_scalar_data& scalar) {
    refuse_properties(scalar.anchor, scalar.tag);
    const fy_scalar_style style = scalar.value == nullptr ? FYSS_PLAIN : fy_token_scalar_style(scalar.value);
    const bool plain = style == FYSS_PLAIN;
    const std::string text =
        style == FYSS_SINGLE_QUOTED ? read_single_quoted(source_of(scalar.value)) : std::string(text_of(scalar.value));
    if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) last_ = position_of_sign(scalar.value, last_);
    Scalar meaning = plain ? resolve_plain_scalar(text) : Scalar{.text = text};
    if (expects_name()) {
      take_name(text, plain, meaning);
      return;
    }
    if (!meaning.refusal.empty()) refuse("scalar", meaning.refusal);
    add({.kind = meaning.kind, .position = last_, .boolean = meaning.boolean, .text = std::move(meaning.text)});
  }

  /// What stands in the file for a token, without its quotes.
  [[nodiscard]] std::string_view source_of(fy_token* token) const {
    const std::size_t begin = fy_token_start_mark(token)->input_pos;
    return source_.substr(begin, fy_token_end_mark(token)->input_pos - begin);
  }

  void take_name(std::string_view text, bool plain, const Scalar& meaning) {
    if (plain && text == "<<") {
      refuse("merge_key", "<< is a merge key; write the entries themselves");
    } else if (meaning.kind != Node::Kind::kString || !meaning.refusal.empty()) {
      refuse("string_names", fmt::format("a name must be a string; write \"{}\"", text));
    }
    if (!stack_.back().names.insert(std::string(text)).second)
      refuse("unique_names", fmt::format("\"{}\" occurs twice in one map; remove one of them", text));
    stack_.back().waiting = Node::Entry{.name = std::string(text), .name_position = last_, .value = {}};
  }

  void add(Node node) {
    if (stack_.empty()) {
      if (!root_) root_ = std::move(node);
      return;
    }
    Open& parent = stack_.back();
    if (parent.node.kind == Node::Kind::kList) {
      parent.node.elements.push_back(std::move(node));
    } else if (!parent.waiting) {
      // A list, map or alias in the place of a name, which was refused; its value must still go somewhere.
      parent.waiting = Node::Entry{.name = "", .name_position = node.position, .value = {}};
    } else {
      parent.waiting->value = std::move(node);
      parent.node.entries.push_back(std::move(*parent.waiting));
      parent.waiting.reset();
    }
  }

  [[nodiscard]] std::string path() const {
    std::string out;
    for (const Open& open : stack_) {
      if (open.node.kind == Node::Kind::kList) {
        out = child_path(out, open.node.elements.size());
      } else if (open.waiting) {
        out = child_path(out, open.waiting->name);
      }
    }
    return out;
  }

  std::string_view source_;
  unsigned depth_max_;
  int documents_ = 0;
  Position last_;
  std::vector<Open> stack_;
  std::optional<Node> root_;
  std::vector<Problem> problems_;
};

/// libfyaml says what it stumbled over, and seldom what to change.
std::string with_advice(std::string_view message) {
  struct Advice {
    std::string_view part;
    std::string_view text;
  };
  constexpr Advice kAdvice[] = {
      {"tab ", "use spaces"},
      {"indendation", "align this line with the lines that it belongs to"},
      {"missing comma", "add a comma, or close the { or [ before it"},
      {"could not find expected", "close every { and [, and put a colon after every name"},
  };
  std::string text(message);
  if (const std::size_t typo = text.find("indendation"); typo != std::string::npos)
    text.replace(typo, 11, "indentation");
  for (const Advice& advice : kAdvice)
    if (message.find(advice.part) != std::string_view::npos) return fmt::format("{}; {}", text, advice.text);
  return text;
}

/// The place behind the last character.
Position end_of(std::string_view text) {
  Position end;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_return = text[i] == '\r' && !text.substr(i + 1).starts_with('\n');
    const bool continues_character = (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
    if (text[i] == '\n' || is_return)
      end = {.line = end.line + 1, .column = 1};
    else if (!continues_character)
      ++end.column;
  }
  return end;
}

/// What libfyaml says about the place where it gave up.
void note_syntax_error(fy_diag* diagnostics, std::string_view text, TreeBuilder& tree) {
  void* previous = nullptr;
  if (const fy_diag_error* error = fy_diag_errors_iterate(diagnostics, &previous); error != nullptr) {
    Position position{.line = std::max(error->line, 1), .column = std::max(error->column, 1)};
    // At the end of a text whose last line does not end, libfyaml names the line after it.
    if (const Position end = end_of(text); position.line > end.line) position = end;
    tree.refuse_at(position, "yaml", fmt::format("this is not YAML: {}", with_advice(error->msg)));
  } else {
    tree.refuse("yaml", "this is not YAML");
  }
}

bool is_control_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x7F || (byte < 0x20 && c != '\n' && c != '\r' && c != '\t');
}

void parse(std::string_view text, TreeBuilder& tree) {
  fy_diag_cfg diagnostics_config;
  fy_diag_cfg_default(&diagnostics_config);
  diagnostics_config.fp = nullptr;
  diagnostics_config.level = FYET_ERROR;
  const Diagnostics diagnostics(fy_diag_create(&diagnostics_config));
  fy_diag_set_collect_errors(diagnostics.get(), true);
  fy_parse_cfg config{};
  config.flags =
      static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE);
  config.diag = diagnostics.get();
  const Parser parser(fy_parser_create(&config));
  if (parser == nullptr || fy_parser_set_string(parser.get(), text.data(), text.size()) != 0) {
    tree.refuse("yaml", "the YAML reader could not be started");
    return;
  }
  while (fy_event* event = fy_parser_parse(parser.get())) {
    const bool end = event->type == FYET_STREAM_END;
    const bool go_on = tree.take(*event);
    fy_parser_event_free(parser.get(), event);
    if (end || !go_on) return;
  }
  note_syntax_error(diagnostics.get(), text, tree);
}

}  // namespace

Reading read_yaml(std::string_view text, const ReadLimits& limits) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  TreeBuilder tree(text, limits.depth);
  if (text.size() > limits.bytes) {
    tree.refuse("size", fmt::format("the text is larger than the limit of {} bytes", limits.bytes));
  } else if (!is_utf8(text)) {
    tree.refuse_at(first_line_not_utf8(text), "utf8", std::string(kNotUtf8));
  } else if (const auto control = std::ranges::find_if(text, is_control_character); control != text.end()) {
    tree.refuse_at(line_of(text, control), "yaml",
                   "this is a control character; write it as an escape in double quotes");
  } else if (!text.empty()) {
    parse(text, tree);
  }
  return std::move(tree).finish();
}

}  // namespace dolmen::config
