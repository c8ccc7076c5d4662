#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"
#include "dolmen/error.h"

namespace dolmen::config {

struct ReadLimits {
  std::size_t bytes = 1024 * 1024;
  /// How deep lists and maps may stand inside each other. YAML allows no more than 60, whatever is asked here.
  unsigned depth = 32;
};

struct Reading {
  /// Nothing when the text could not be read to its end.
  std::optional<Node> root;
  /// All that is wrong; when there is anything, the root is good only for finding more.
  std::vector<Problem> problems;
};

/// Strict JSON (RFC 8259) without repeated names. Ends at the first problem.
Reading read_json(std::string_view text, const ReadLimits& limits = {});

/// YAML 1.2, but only what JSON can say as well, and nothing that readers of YAML understand differently: no anchors,
/// aliases, merge keys, tags or directives, one document, names that are strings and occur once, no dates, no numbers
/// in forms that JSON does not have, and none of yes, no, on, off, ~, NULL, 1:30, 1_000 and 1e3 without quotes.
Reading read_yaml(std::string_view text, const ReadLimits& limits = {});

/// JSON when the file name ends in .json, else YAML, of which JSON is a part.
Reading read_document(std::string_view text, std::string_view file_name, const ReadLimits& limits = {});

/// The beginning of the line that a place of the text is in.
Position line_of(std::string_view text, std::string_view::iterator place);

/// Of a text that is not UTF-8.
Position first_line_not_utf8(std::string_view text);
inline constexpr std::string_view kNotUtf8 = "this line is not UTF-8; save the file as UTF-8";

/// The bytes of a file. Fails with kIo when it cannot be read or is larger than the limit.
Result<std::string> read_file(const std::filesystem::path& file, const ReadLimits& limits = {});

/// An error whose details are the problems, each with file:line:column before its message.
Error error_of(Code code, std::string_view file_name, const std::vector<Problem>& problems);

}  // namespace dolmen::config
