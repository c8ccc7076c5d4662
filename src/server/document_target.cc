#include "server/document_target.h"

#include <memory>
#include <utility>

#include "base/fail.h"
#include "contract/operations.h"
#include "document/operations.h"

namespace dolmen {

std::string_view DocumentTarget::prefix() const { return document::kTargetPrefix; }

Result<void> DocumentTarget::check_operation(std::string_view operation) const {
  if (document::is_operation(operation) || contract::is_operation(operation)) return {};
  return fail(Code::kUnknownOperation, "there is no operation {}{}", prefix(), operation);
}

void DocumentTarget::execute(std::string_view operation, std::string_view body, Done<std::string> done) {
  // Shared, because the refusal below needs it too.
  auto answer = std::make_shared<Done<std::string>>(std::move(done));
  const bool taken = workers_.run([this, answer, name = std::string(operation), text = std::string(body)] {
    (*answer)(contract::is_operation(name) ? contract::execute(contracts_, name, text)
                                           : document::execute(documents_, name, text));
  });
  if (!taken) (*answer)(fail(Code::kThrottled, "too many operations on documents and contracts wait; try again"));
}

}  // namespace dolmen
