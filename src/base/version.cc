#include "dolmen/version.h"

namespace dolmen {

std::string_view version() { return DOLMEN_VERSION; }

}  // namespace dolmen
