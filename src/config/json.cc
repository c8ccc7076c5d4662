#include <fmt/format.h>
#include <set>

#include "base/unicode.h"
#include "config/read.h"

namespace dolmen::config {

namespace {

class JsonReader {
 public:
  JsonReader(std::string_view text, const ReadLimits& limits) : text_(text), limits_(limits) {}

  Reading read() && {
    Reading reading;
    if (text_.size() > limits_.bytes) {
      stop(fmt::format("the text is larger than the limit of {} bytes", limits_.bytes));
    } else if (!is_utf8(text_)) {
      problems_.push_back({first_line_not_utf8(text_), "", "utf8", std::string(kNotUtf8)});
    } else {
      Node root = value("", 0);
      skip_space();
      if (!failed() && at_ < text_.size()) stop("text follows the value; remove it");
      if (!failed()) reading.root = std::move(root);
    }
    reading.problems = std::move(problems_);
    return reading;
  }

 private:
  [[nodiscard]] bool failed() const { return !problems_.empty(); }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool at_digit() const { return peek() >= '0' && peek() <= '9'; }

  void stop(std::string message) {
    if (!failed()) problems_.push_back({here(), path_, "json", std::move(message)});
  }

  /// Where `at_` is. The text is walked once, because `at_` only grows.
  Position here() {
    for (; counted_ < at_ && counted_ < text_.size(); ++counted_) {
      const auto byte = static_cast<unsigned char>(text_[counted_]);
      if (byte == '\n') {
        ++position_.line;
        position_.column = 1;
      } else if ((byte & 0xC0U) != 0x80U) {
        ++position_.column;
      }
    }
    return position_;
  }

  void skip_space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }

  bool skip(char wanted) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  Node value(const std::string& path, unsigned depth) {
    skip_space();
    path_ = path;
    Node node;
    node.position = here();
    if (depth == limits_.depth && (peek() == '{' || peek() == '[')) {
      stop(fmt::format("lists and maps are nested more than {} deep; nest them less", limits_.depth));
      return node;
    }
    switch (peek()) {
      case '{': read_map(node, path, depth); break;
      case '[': read_list(node, path, depth); break;
      case '"':
        node.kind = Node::Kind::kString;
        node.text = string();
        break;
      case 't': word("true", node, Node::Kind::kBoolean); break;
      case 'f': word("false", node, Node::Kind::kBoolean); break;
      case 'n': word("null", node, Node::Kind::kNull); break;
      default: read_number(node); break;
    }
    return node;
  }

  void word(std::string_view wanted, Node& node, Node::Kind kind) {
    if (!text_.substr(at_).starts_with(wanted)) {
      stop("this is not a JSON value; put strings in double quotes");
      return;
    }
    at_ += wanted.size();
    node.kind = kind;
    node.boolean = wanted == "true";
  }

  void read_list(Node& node, const std::string& path, unsigned depth) {
    node.kind = Node::Kind::kList;
    ++at_;
    if (skip(']')) return;
    do {
      node.elements.push_back(value(child_path(path, node.elements.size()), depth + 1));
    } while (!failed() && skip(','));
    if (!failed() && !skip(']')) stop("expected , or ] here");
  }

  void read_map(Node& node, const std::string& path, unsigned depth) {
    node.kind = Node::Kind::kMap;
    ++at_;
    if (skip('}')) return;
    std::set<std::string> names;
    do {
      skip_space();
      Node::Entry entry;
      entry.name_position = here();
      if (peek() != '"') {
        stop(peek() == '}'   ? "expected a name in double quotes here; remove the comma before the }"
             : peek() == '/' ? "JSON does not allow comments; remove it, or use YAML"
                             : "expected a name in double quotes here");
        return;
      }
      path_ = path;
      entry.name = string();
      if (failed()) return;
      if (!names.insert(entry.name).second) {
        problems_.push_back({entry.name_position, child_path(path, entry.name), "unique_names",
                             fmt::format("\"{}\" occurs twice in one map; remove one of them", entry.name)});
        return;
      }
      if (!skip(':')) {
        stop("expected : after the name");
        return;
      }
      entry.value = value(child_path(path, entry.name), depth + 1);
      node.entries.push_back(std::move(entry));
    } while (!failed() && skip(','));
    if (!failed() && !skip('}')) stop("expected , or } here");
  }

  void read_number(Node& node) {
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    if (!at_digit()) {
      at_ = start;
      stop(peek() == ']'    ? "expected a value here; remove the comma before the ]"
           : peek() == '/'  ? "JSON does not allow comments; remove it, or use YAML"
           : peek() == '\0' ? "the text ends where a value is expected"
                            : "this is not a JSON value");
      return;
    }
    const bool zero = peek() == '0';
    ++at_;
    if (zero && at_digit()) {
      stop("a number must not begin with 0; remove the zero");
      return;
    }
    while (at_digit()) ++at_;
    if (peek() == '.') {
      ++at_;
      digits("after the decimal point");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits("in the exponent");
    }
    node.kind = Node::Kind::kNumber;
    node.text = text_.substr(start, at_ - start);
  }

  void digits(std::string_view where) {
    if (!at_digit()) stop(fmt::format("expected a digit {}", where));
    while (at_digit()) ++at_;
  }

  std::string string() {
    std::string out;
    ++at_;
    while (!failed()) {
      const std::size_t end = std::min(text_.find_first_of("\"\\\n", at_), text_.size());
      for (; at_ < end; ++at_) {
        if (static_cast<unsigned char>(text_[at_]) < 0x20) {
          stop("a control character must be written as an escape such as \\t");
          return out;
        }
        out.push_back(text_[at_]);
      }
      if (peek() == '"') {
        ++at_;
        return out;
      }
      if (peek() != '\\') {
        stop("the string does not end on its line; add a double quote");
        return out;
      }
      escape(out);
    }
    return out;
  }

  void escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    ++at_;
    if (peek() == 'u') {
      ++at_;
      unicode_escape(out);
      return;
    }
    const std::size_t which = at_ < text_.size() ? kLetters.find(text_[at_]) : std::string_view::npos;
    if (which == std::string_view::npos) {
      stop("this is not an escape that JSON allows; use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX");
      return;
    }
    out.push_back(kMeanings[which]);
    ++at_;
  }

  void unicode_escape(std::string& out) {
    char32_t code = hex_digits();
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      at_ += 2;
      const char32_t low = hex_digits();
      if (low < 0xDC00 || low > 0xDFFF) {
        stop("half of a surrogate pair is not a character; write both halves");
        return;
      }
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    }
    if (code >= 0xD800 && code <= 0xDFFF) stop("half of a surrogate pair is not a character; write both halves");
    if (!failed()) append_utf8(out, code);
  }

  char32_t hex_digits() {
    char32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (!letter && !at_digit()) {
        stop("expected four hexadecimal digits after \\u");
        return 0;
      }
      code = code * 16 + static_cast<char32_t>(letter ? (c | 0x20) - 'a' + 10 : c - '0');
    }
    return code;
  }

  std::string_view text_;
  ReadLimits limits_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;
  Position position_;
  std::string path_;
  std::vector<Problem> problems_;
};

}  // namespace

Reading read_json(std::string_view text, const ReadLimits& limits) { return JsonReader(text, limits).read(); }

}  // namespace dolmen::config
