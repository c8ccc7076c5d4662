// A contract accepts every row that leases and pages write.
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "base/test_result.h"
#include "contract/contracts.h"
#include "page_world.h"

namespace dolmen {
namespace {

std::string text_of_file(const std::string& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Binds the table of a world to the models of all its rows, as docs/contracts.md does it.
void bind_rows(contract::Contracts& contracts) {
  contract::Definition definition;
  definition.models.push_back({"isr_rows.yml", text_of_file("contract/models/isr_rows.yml")});
  definition.kinds = {{.model = "PageRow", .sort_prefix = "META"},
                      {.model = "VersionRow", .sort_prefix = "VER#"},
                      {.model = "LeaseRow", .sort_prefix = "LOCK"},
                      {.model = "RequestRow", .sort_prefix = "REQ#"}};
  ASSERT_THAT(contracts.bind({.table = "cache", .version = "v1", .definition = definition}), succeeds());
}

TEST(ContractOfPages, accepts_leases_fences_requests_and_versions) {
  for (const bool fencing : {false, true}) {
    // Contracts are a matter of stores in this process.
    PageWorld world(open("memory:").value());
    contract::Contracts contracts(*world.store);
    bind_rows(contracts);
    PageCache cache = world.make({.leases = {.fencing = fencing}});

    // A lease that is refreshed and given back; with fencing its row stays.
    Leases& leases = cache.leases();
    Lease lease = leases.acquire({page_partition(world.key)}, 30s).value();
    ASSERT_THAT(leases.refresh(lease, 60s), succeeds());
    ASSERT_THAT(leases.release(lease), succeeds());
    EXPECT_EQ(world.row("LOCK").has_value(), fencing);

    // Requests that are begun, failed and completed, and versions that are kept and restored.
    ASSERT_THAT(cache.begin_request(world.key, {"r1", "h"}), succeeds());
    ASSERT_THAT(cache.fail_request(world.key, {"r1", "h"}), succeeds());
    for (const char* version : {"1", "2"}) {
      const LeaseGuard guard = cache.hold(world.key).value();
      ASSERT_THAT(cache.publish(guard, world.key, {.body = version}, {.version = version}), succeeds());
    }
    {
      const LeaseGuard guard = cache.hold(world.key).value();
      ASSERT_THAT(cache.restore(guard.lease().value(), world.key, "1"), succeeds());
    }
    ASSERT_THAT(cache.begin_request(world.key, {"r2", "h"}), succeeds());
    const LeaseGuard guard = cache.hold(world.key).value();
    ASSERT_THAT(cache.publish(guard, world.key, {.body = "x"}, {.request = PageRequest{"r2", "h"}}), succeeds());
    EXPECT_EQ(contracts.status("cache")->findings.refused, 0U) << contracts.status("cache")->findings.last;

    // Anything else is not a row of a page.
    EXPECT_THAT(world.store->put_item("cache", {{"pk", page_partition(world.key)}, {"sk", "OTHER"}}),
                fails_with(Code::kValidation));
    EXPECT_THAT(world.store->put_item("cache", {{"pk", page_partition(world.key)}, {"sk", "LOCK"}}),
                fails_with(Code::kValidation));
  }
}

}  // namespace
}  // namespace dolmen
