#include "generate/cpp_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

#include "base/ascii.h"

namespace dolmen::generate {

namespace {

/// Keywords of C++, words with a special meaning at the start of a line, macros of common headers, and the namespaces
/// that generated code refers to.
constexpr auto kReserved = std::to_array<std::string_view>({
    "EOF",
    "NULL",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "dolmen",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "i386",
    "if",
    "import",
    "inline",
    "int",
    "linux",
    "long",
    "major",
    "minor",
    "module",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "stderr",
    "stdin",
    "stdout",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
});
static_assert(std::ranges::is_sorted(kReserved));

bool is_reserved(std::string_view word) { return std::ranges::binary_search(kReserved, word); }

}  // namespace

CppScope::CppScope() : Scope(kReserved) {}

bool is_cpp_namespace(std::string_view name) {
  for (std::string_view rest = name;;) {
    const std::size_t end = rest.find("::");
    const std::string_view part = rest.substr(0, end);
    if (part.empty() || !is_letter(part[0]) || is_reserved(part)) return false;
    if (!std::ranges::all_of(part, [](char c) { return is_letter_or_digit(c) || c == '_'; })) return false;
    if (part.find("__") != std::string_view::npos) return false;
    if (end == std::string_view::npos) return true;
    rest.remove_prefix(end + 2);
  }
}

std::string cpp_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    // Two question marks could begin a trigraph.
    if (c == '"' || c == '\\' || (c == '?' && out.ends_with('?')))
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      fmt::format_to(std::back_inserter(out), "\\{:03o}", static_cast<unsigned>(c));
    else
      out.push_back(c);
  }
  return out + '"';
}

std::string cpp_comment(std::string text) {
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return text;
}

}  // namespace dolmen::generate
