#include "cli/write_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/fail.h"

namespace dolmen::cli {

Result<void> write_file(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return fail(Code::kIo, "cannot write {}: {}", path, std::generic_category().message(errno));
  return {};
}

}  // namespace dolmen::cli
