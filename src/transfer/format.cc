#include "transfer/format.h"

#include <filesystem>

namespace dolmen::transfer {

Format format_of_file(std::string_view path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) return Format::kAws;
  return path.ends_with(".csv") || path.ends_with(".csv.gz") ? Format::kCsv : Format::kPlain;
}

}  // namespace dolmen::transfer
