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
  return fail(Code::kUnknownOperation, "{}{} is not an operation", prefix(), operation);
}

void DocumentTarget::execute(std::string_view operation, std::string_view body, Done<std::string> done) {
  // Shared, because the error below needs it too.
  auto answer = std::make_shared<Done<std::string>>(std::move(done));
  const bool taken = workers_.run([this, answer, name = std::string(operation), text = std::string(body)] {
    (*answer)(contract::is_operation(name) ? execute_on_contracts({.name = name, .body = text})
                                           : document::execute(documents_, name, text));
  });
  if (!taken)
    (*answer)(fail(Code::kThrottled, "too many operations on documents and contracts are waiting; try again"));
}

Result<std::string> DocumentTarget::execute_on_contracts(const contract::Operation& operation) {
  return contract::execute(contracts_, operation, [&](const SchemaRef& ref) -> Result<std::string> {
    DOLMEN_TRY(PublishedInfo info, documents_.schema(ref));
    return std::move(info.text);
  });
}

}  // namespace dolmen
