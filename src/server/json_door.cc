#include "server/json_door.h"

#include <optional>
#include <utility>

#include "base/fail.h"
#include "document/operations.h"
#include "service/dolmen_calls.h"
#include "service/json_calls.h"
#include "service/wait.h"
#include "wire/operations.h"

namespace dolmen {

namespace {

constexpr std::string_view kTablesPrefix = "DynamoDB_20120810.";
constexpr std::string_view kStreamsPrefix = "DynamoDBStreams_20120810.";

}  // namespace

/// Where an operation is found: in one of DynamoDB's interfaces, or, without one, among Dolmen's own.
struct JsonDoor::Target {
  std::string_view operation;
  std::optional<wire::Interface> interface;
};

JsonDoor::JsonDoor(Store& store, std::string region) : store_(store), account_{.region = std::move(region)} {}

JsonDoor::~JsonDoor() {
  if (own_) own_->stop();
}

JsonDoor::Target JsonDoor::target_of(std::string_view operation) {
  using wire::Interface;
  const auto without = [&](std::string_view prefix) { return operation.substr(prefix.size()); };
  if (operation.starts_with(kTablesPrefix)) return {without(kTablesPrefix), Interface::kTables};
  if (operation.starts_with(kStreamsPrefix)) return {without(kStreamsPrefix), Interface::kStreams};
  if (operation.starts_with(document::kTargetPrefix)) return {without(document::kTargetPrefix), std::nullopt};
  if (wire::check_operation(Interface::kStreams, operation)) return {operation, Interface::kStreams};
  if (DocumentTarget::has_operation(operation)) return {operation, std::nullopt};
  return {operation, Interface::kTables};
}

Result<std::string> JsonDoor::call(std::string_view operation, std::string_view body) {
  if (body.size() > kBodyBytesMax)
    return fail(Code::kRequestTooLarge, "the request has {} bytes; at most {} are allowed", body.size(), kBodyBytesMax);
  const Target target = target_of(operation);
  if (!target.interface) return call_own(target.operation, body);
  if (auto* const remote = store_.companions().find<JsonCalls>())
    return wait_for<std::string>([&](Done<std::string> done) {
      remote->call_json(target.operation, *target.interface == wire::Interface::kStreams, std::string(body),
                        std::move(done));
    });
  const wire::Backend backend{.service = store_.service(), .account = account_, .reached_at = "localhost"};
  return wait_for<std::string>([&](Done<std::string> done) {
    wire::execute(*target.interface, target.operation, body, backend, std::move(done));
  });
}

Result<std::string> JsonDoor::call_own(std::string_view operation, std::string_view body) {
  if (auto* const remote = store_.companions().find<DolmenCalls>())
    return wait_for<std::string>(
        [&](Done<std::string> done) { remote->call(operation, std::string(body), std::move(done)); });
  DOLMEN_TRY(DocumentTarget* const own, own_operations());
  DOLMEN_TRY_VOID(own->check_operation(operation));
  return wait_for<std::string>([&](Done<std::string> done) { own->execute(operation, body, std::move(done)); });
}

Result<DocumentTarget*> JsonDoor::own_operations() {
  const std::lock_guard lock(own_mutex_);
  if (!own_) {
    DOLMEN_TRY(Documents documents, Documents::open(store_));
    own_ = std::make_unique<DocumentTarget>(std::move(documents), store_,
                                            DocumentTarget::Options{.warn = [](const std::string&) {}});
  }
  return own_.get();
}

}  // namespace dolmen
