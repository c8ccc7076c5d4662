#include "cli/write_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/fail.h"
#include "base/file_writer.h"

namespace dolmen::cli {
namespace {

/// Into what is there and is to stay, such as a pipe or a terminal.
Result<void> write_into(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return fail(Code::kIo, "cannot write {}: {}", path, std::generic_category().message(errno));
  return {};
}

}  // namespace

Result<void> write_file(const std::string& path, const std::string& text) {
  std::error_code ignored;
  const std::filesystem::file_type type = std::filesystem::symlink_status(path, ignored).type();
  if (type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::regular)
    return write_into(path, text);
  if (const Result<void> replaced = FileWriter().replace(path, text); !replaced)
    return fail(Code::kIo, "{}", replaced.error().message());
  return {};
}

}  // namespace dolmen::cli
