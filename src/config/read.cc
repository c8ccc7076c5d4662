#include "config/read.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

#include "base/fail.h"
#include "base/unicode.h"

namespace dolmen::config {

Reading read_document(std::string_view text, std::string_view file_name, const ReadLimits& limits) {
  return file_name.ends_with(".json") ? read_json(text, limits) : read_yaml(text, limits);
}

Position line_of(std::string_view text, std::string_view::iterator place) {
  return {.line = static_cast<int>(std::count(text.begin(), place, '\n')) + 1, .column = 1};
}

Position first_line_not_utf8(std::string_view text) {
  auto begin = text.begin();
  for (auto end = begin; begin != text.end(); begin = end) {
    end = std::find(begin, text.end(), '\n');
    if (!is_utf8({begin, end})) break;
    if (end != text.end()) ++end;
  }
  return line_of(text, begin);
}

Result<std::string> read_file(const std::filesystem::path& file, const ReadLimits& limits) {
  std::error_code failure;
  if (std::filesystem::is_directory(file, failure))
    return fail(Code::kIo, "cannot read {}: it is a directory", file.string());
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail(Code::kIo, "cannot read {}: {}", file.string(), std::strerror(errno));
  std::string text(limits.bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return fail(Code::kIo, "cannot read {}: {}", file.string(), std::strerror(errno));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > limits.bytes)
    return fail(Code::kIo, "cannot read {}: it is larger than the limit of {} bytes", file.string(), limits.bytes);
  return text;
}

Error error_of(Code code, std::string_view file_name, const std::vector<Problem>& problems) {
  std::vector<ErrorDetail> details;
  details.reserve(problems.size());
  for (const Problem& problem : problems)
    details.push_back({.path = problem.path,
                       .rule = problem.rule,
                       .message = fmt::format("{}:{}:{}: {}", file_name, problem.position.line, problem.position.column,
                                              problem.message)});
  std::string message = details.empty() ? fmt::format("{} cannot be read", file_name) : details.front().message;
  if (details.size() > 1) message += fmt::format(" (and {} more)", details.size() - 1);
  return {code, std::move(message), std::move(details)};
}

}  // namespace dolmen::config
