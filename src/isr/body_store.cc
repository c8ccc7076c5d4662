#include "dolmen/isr/body_store.h"

#include "base/fail.h"

namespace dolmen {

Result<void> BodyStore::list(const std::string& /*prefix*/, const Found& /*found*/) {
  return fail(Code::kUnsupported, "these bodies cannot be listed");
}

}  // namespace dolmen
