#include "credentials/environment.h"

#include <cstdlib>

namespace dolmen {

Environment process_environment() {
  return [](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return std::string(value == nullptr ? "" : value);
  };
}

}  // namespace dolmen
