#include "dolmen/table.h"

#include "base/check.h"

namespace dolmen {

std::string_view key_type_name(KeyType type) {
  switch (type) {
    case KeyType::kString: return "S";
    case KeyType::kNumber: return "N";
    case KeyType::kBinary: return "B";
  }
  DOLMEN_UNREACHABLE("a key type outside the closed list");
}

}  // namespace dolmen
