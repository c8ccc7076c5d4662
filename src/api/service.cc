#include "api/service.h"

#include "base/fail.h"

namespace dolmen {

void Service::call_dolmen(std::string_view operation, std::string /*body*/, Done<std::string> done) {
  done(fail(Code::kUnknownOperation, "a store in this process has no operation {} to call", operation));
}

}  // namespace dolmen
