#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Pieces of generated code in TypeScript, Go and Python.
namespace dolmen::generate {

/// A literal on one line whose value is the text, with the quotes that the formatter of the language prefers.
std::string python_literal(std::string_view text);
std::string typescript_literal(std::string_view text);
std::string go_literal(std::string_view text);

/// The text for a comment on one line, also between three quotes or /** and */: what could end it becomes a question
/// mark.
std::string comment_text(std::string_view text);

/// How many columns the text takes in an editor.
std::size_t columns(std::string_view text);

/// How a call or a list is laid out by the formatters of Python and TypeScript: on one line where it fits, else with
/// each part on a line of its own.
struct Layout {
  std::size_t width;
  std::size_t indent_step;
};

/// `open`, the parts and `close`, beginning at `indent`, with the end of the last line.
std::string laid_out(const Layout& layout, std::size_t indent, std::string_view open,
                     const std::vector<std::string>& parts, std::string_view close);

}  // namespace dolmen::generate
