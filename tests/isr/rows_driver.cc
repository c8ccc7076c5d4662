// isr_rows: writes items of versions and requests for an independent client to read, and reads those that it has
// written. tests/system/isr_test.py runs it.
//
//   isr_rows write URL TABLE PAGE   publishes the version "ours" for the request "done", begins the request "begun" and
//                                   lets the request "failed" fail
//   isr_rows read URL TABLE PAGE    prints every version, and what is known of the requests begun, done and failed
#include <fmt/format.h>
#include <string_view>

#include "base/fail.h"
#include "base/test_directory.h"
#include "dolmen/isr.h"
#include "dolmen/isr/isr.h"
#include "dolmen/open.h"

namespace {

using namespace dolmen;

constexpr const char* kHash = "of what is asked for";

Result<void> write(PageCache& cache, const PageKey& page) {
  for (const char* id : {"begun", "done", "failed"}) DOLMEN_TRY_VOID(cache.begin_request(page, {id, kHash}));
  DOLMEN_TRY_VOID(cache.fail_request(page, {"failed", kHash}));
  DOLMEN_TRY(const LeaseGuard guard, cache.hold(page));
  DOLMEN_TRY_VOID(cache.publish(guard, page, {.body = "ours"},
                                {.version = "ours", .request = PageRequest{.id = "done", .hash = kHash}}));
  return {};
}

Result<void> read(PageCache& cache, const PageKey& page) {
  DOLMEN_TRY(const std::vector<PageVersion> versions, cache.versions(page));
  for (const PageVersion& version : versions)
    fmt::print("version {} {} {}\n", version.id, version.metadata.s3_key, version.metadata.generated_at);
  for (const char* id : {"begun", "done", "failed"}) {
    DOLMEN_TRY(const RequestState state, cache.begin_request(page, {id, kHash}));
    fmt::print("request {} {} {} {}\n", id, static_cast<int>(state.status), state.is_mine ? "mine" : "theirs",
               state.result_s3_key.value_or("-"));
  }
  return {};
}

Result<void> run(std::string_view what, const std::string& url, const std::string& table, const std::string& page) {
  if (what != "read" && what != "write") return fail(Code::kInvalidArgument, "read or write, not {}", what);
  const TemporaryDirectory folder;
  DOLMEN_TRY(const std::unique_ptr<BodyStore> bodies, open_body_directory(folder.path()));
  DOLMEN_TRY(const std::unique_ptr<Store> store, open(url));
  PageCache cache(*store, table, *bodies);
  return what == "write" ? write(cache, {page}) : read(cache, {page});
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) {
    fmt::print(stderr, "usage: isr_rows read|write URL TABLE PAGE\n");
    return 2;
  }
  const Result<void> done = run(arguments[1], arguments[2], arguments[3], arguments[4]);
  if (!done) fmt::print(stderr, "isr_rows: {}\n", done.error().message());
  return done ? 0 : 1;
}
