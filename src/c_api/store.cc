#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "c_api/arguments.h"
#include "c_api/handles.h"
#include "c_api/last_error.h"
#include "dolmen/c.h"
#include "dolmen/open.h"
#include "dolmen/version.h"
#include "protocol/errors.h"

namespace dolmen::c_api {
namespace {

constexpr const char* kUsualRegion = "us-east-1";

std::string region_of(const dolmen_options& options) { return options.region == nullptr ? "" : options.region; }

Result<std::unique_ptr<Store>> open_embedded_by(const detail::StoreAddress& address, const dolmen_options& options) {
  EmbeddedOptions embedded{.directory = address.where, .region = region_of(options)};
  if (embedded.region.empty()) embedded.region = kUsualRegion;
  if (options.durability == DOLMEN_OS) embedded.durability = Durability::kOs;
  if (address.kind != detail::StoreKind::kMemory) return open_embedded(embedded);
  embedded.directory.clear();
  embedded.durability = Durability::kMemory;
  if (!address.where.empty()) {
    DOLMEN_TRY(embedded.faults, FaultLab::from_text(address.where));
  }
  return open_embedded(embedded);
}

Result<std::unique_ptr<Store>> open_by(const std::string& text, const dolmen_options& options) {
  if (options.durability != DOLMEN_SYNC && options.durability != DOLMEN_OS)
    return fail(Code::kInvalidArgument, "{} is not a durability", static_cast<int>(options.durability));
  DOLMEN_TRY(const detail::StoreAddress address, detail::parse_store_address(text));
  const std::string region = region_of(options);
  if (options.durability != DOLMEN_SYNC && address.kind != detail::StoreKind::kDirectory)
    return fail(Code::kInvalidArgument, "{} decides by itself how durable it is; leave the durability out", text);
  switch (address.kind) {
    case detail::StoreKind::kEndpoint: return open_remote({.endpoint = address.where, .region = region});
    case detail::StoreKind::kAws:
      if (!region.empty() && !address.where.empty() && region != address.where)
        return fail(Code::kInvalidArgument, "{} names another region than {}", text, region);
      return open_remote({.region = address.where.empty() ? region : address.where});
    default: return open_embedded_by(address, options);
  }
}

Result<void> open_store(const char* address, const dolmen_options* given, dolmen_store** store) {
  DOLMEN_TRY_VOID(check_given(address, "address"));
  DOLMEN_TRY_VOID(check_given(store, "store"));
  DOLMEN_TRY(const dolmen_options options, options_of(given, dolmen_options DOLMEN_OPTIONS));
  DOLMEN_TRY(std::unique_ptr<Store> opened, open_by(address, options));
  const std::string region = region_of(options);
  *store = Handles::all().add(std::make_shared<OpenStore>(std::move(opened), region.empty() ? kUsualRegion : region));
  return {};
}

Result<void> fork_store(dolmen_store* store, const char* directory, dolmen_store** fork) {
  DOLMEN_TRY_VOID(check_given(fork, "fork"));
  DOLMEN_TRY(const StoreInUse used, Handles::all().use(store));
  DOLMEN_TRY(std::unique_ptr<Store> forked, used->store->fork(directory == nullptr ? "" : directory));
  *fork = Handles::all().add(std::make_shared<OpenStore>(std::move(forked), used->region));
  return {};
}

Result<void> call(dolmen_store* store, const char* operation, const char* request, char** answer) {
  DOLMEN_TRY_VOID(check_given(operation, "operation"));
  DOLMEN_TRY_VOID(check_given(request, "request"));
  DOLMEN_TRY_VOID(check_given(answer, "answer"));
  DOLMEN_TRY(const StoreInUse used, Handles::all().use(store));
  DOLMEN_TRY(const std::string text, used->door->call(operation, request));
  *answer = copy_for_program(text);
  return {};
}

Result<void> answer_request(dolmen_store* store, std::string_view target, std::string_view body,
                            dolmen_answer& answer) {
  constexpr int kHttpOk = 200;
  DOLMEN_TRY(const StoreInUse used, Handles::all().use(store));
  const Result<std::string> text = used->door->call(target, body);
  const std::string said = text ? *text : error_body(text.error());
  answer = {.body = copy_for_program(said),
            .length = said.size(),
            .http_status = text ? kHttpOk : wire_error(text.error().code()).status};
  if (!text) return std::unexpected(text.error());
  return {};
}

}  // namespace
}  // namespace dolmen::c_api

extern "C" {

uint32_t dolmen_c_version(void) { return DOLMEN_C_VERSION; }

const char* dolmen_version(void) { return dolmen::version().data(); }

dolmen_status dolmen_open(const char* address, dolmen_store** store) {
  return dolmen_open_with(address, nullptr, store);
}

dolmen_status dolmen_open_with(const char* address, const dolmen_options* options, dolmen_store** store) {
  return dolmen::c_api::guarded([&] { return dolmen::c_api::open_store(address, options, store); });
}

dolmen_status dolmen_close(dolmen_store* store) {
  return dolmen::c_api::guarded([&] { return dolmen::c_api::Handles::all().close(store); });
}

dolmen_status dolmen_fork(dolmen_store* store, const char* directory, dolmen_store** fork) {
  return dolmen::c_api::guarded([&] { return dolmen::c_api::fork_store(store, directory, fork); });
}

dolmen_status dolmen_call(dolmen_store* store, const char* operation, const char* request, char** answer) {
  return dolmen::c_api::guarded([&] { return dolmen::c_api::call(store, operation, request, answer); });
}

dolmen_status dolmen_request(dolmen_store* store, const char* target, const char* body, size_t length,
                             dolmen_answer* answer) {
  using dolmen::c_api::check_given;
  return dolmen::c_api::guarded([&]() -> dolmen::Result<void> {
    DOLMEN_TRY_VOID(check_given(target, "target"));
    DOLMEN_TRY_VOID(check_given(body, "body"));
    DOLMEN_TRY_VOID(check_given(answer, "answer"));
    return dolmen::c_api::answer_request(store, target, {body, length}, *answer);
  });
}

void dolmen_free(void* memory) { std::free(memory); }
}
