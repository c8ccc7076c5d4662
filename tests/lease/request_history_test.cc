// The check of lease_torture finds what must not happen to requests, and nothing else.
#include "tests/lease/torture/request_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dolmen::torture {
namespace {

RequestClaim begun(Moment moment, std::int64_t now_ms, std::int64_t end) {
  return {.id = "r", .begun = {moment, moment + 1}, .now_ms = now_ms, .end = end};
}

TEST(RequestHistory, is_good_when_each_follows_the_end_of_another) {
  RequestClaim failed = begun(1, 10'000, 13);
  failed.ended = Interval{3, 4};
  RequestClaim last = begun(7, 14'000, 17);
  last.completed = true;
  EXPECT_THAT(check_requests({failed, begun(5, 11'000, 14), last}, {}), testing::IsEmpty());
}

TEST(RequestHistory, has_no_two_holders) {
  EXPECT_THAT(check_requests({begun(1, 10'000, 13), begun(3, 12'999, 16)}, {}),
              testing::ElementsAre(testing::HasSubstr("although it is another's until 13 s")));
}

TEST(RequestHistory, leaves_a_request_to_whoever_has_the_lease) {
  RequestClaim holder = begun(1, 10'000, 13);
  holder.leases = {{.asked = {3, 4}, .expires_at = 20}};
  EXPECT_THAT(check_requests({holder, begun(5, 19'999, 23)}, {}),
              testing::ElementsAre(testing::HasSubstr("its holder has the lease until 20 s")));
  EXPECT_THAT(check_requests({holder, begun(5, 20'000, 23)}, {}), testing::IsEmpty());
  // Another whose clock is ahead has taken the lease, and given it back.
  EXPECT_THAT(check_requests({holder, begun(9, 19'999, 23)}, {Acquisition{.key = 0, .acquired = {5, 6}}}),
              testing::IsEmpty());
  // A refresh afterwards proves nothing, and neither does one meanwhile.
  holder.leases.push_back({.asked = {7, 8}, .expires_at = 30});
  EXPECT_THAT(check_requests({holder, begun(5, 20'000, 23)}, {}), testing::IsEmpty());
  holder.leases.back().asked = {5, 7};
  EXPECT_THAT(check_requests({holder, begun(6, 20'000, 23)}, {}), testing::IsEmpty());
}

TEST(RequestHistory, completes_a_request_once) {
  RequestClaim first = begun(1, 10'000, 13);
  first.ended = Interval{3, 4};
  first.completed = true;
  RequestClaim second = begun(5, 14'000, 17);
  second.completed = true;
  EXPECT_THAT(check_requests({first, second}, {}), testing::ElementsAre(testing::HasSubstr("completed twice")));
}

}  // namespace
}  // namespace dolmen::torture
