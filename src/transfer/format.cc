#include "transfer/format.h"

namespace dolmen::transfer {

Format format_of_file(std::string_view path) { return path.ends_with(".csv") ? Format::kCsv : Format::kPlain; }

}  // namespace dolmen::transfer
