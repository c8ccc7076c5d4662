#include "dolmen/relation/urn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "base/test_result.h"
#include "base/test_seed.h"

namespace dolmen {
namespace {

constexpr const char* kJob = "urn:pp:System.Account.JobCollection.Job::01955556-3cd2-7df2-b839-693fa6fbd505";

TEST(Urn, is_read_into_its_three_parts) {
  const Urn urn = Urn::parse(kJob).value();
  EXPECT_EQ(urn.domain, "pp");
  EXPECT_EQ(urn.type, "System.Account.JobCollection.Job");
  EXPECT_EQ(urn.id, "01955556-3cd2-7df2-b839-693fa6fbd505");
  EXPECT_EQ(urn.format().value(), kJob);
}

TEST(Urn, takes_ids_that_are_no_version_7) {
  EXPECT_TRUE(Urn::parse("urn:pp:System::c04b27bf-7604-48a5-9e67-298c67cd70ab"));
  EXPECT_TRUE(Urn::parse("urn:pp:System.User::123-abc-890-xyz"));
}

TEST(Urn, refuses_everything_that_is_not_exactly_one) {
  for (const std::string& text : {std::string(""),
                                  std::string("urn"),
                                  std::string("urn:pp"),
                                  std::string("urn:pp:System"),
                                  std::string("urn:pp:System:1"),
                                  std::string("urn:pp:System::"),
                                  std::string("urn:pp:::1"),
                                  std::string("urn:p:System::1"),
                                  std::string("urn:PP:System::1"),
                                  std::string("urn:-p:System::1"),
                                  std::string(" urn:pp:System::1"),
                                  std::string("urn:pp:System::1 "),
                                  std::string("URN:pp:System::1"),
                                  std::string("urn:pp:System.::1"),
                                  std::string("urn:pp:.System::1"),
                                  std::string("urn:pp:9System::1"),
                                  std::string("urn:pp:Sys tem::1"),
                                  std::string("urn:pp:Sys#tem::1"),
                                  std::string("urn:pp:System::A"),
                                  std::string("urn:pp:System::1::2"),
                                  std::string("urn:pp:System:::1"),
                                  std::string("urn:pp:System::a_b"),
                                  std::string("urn:pp:System::1\n"),
                                  "urn:pp:System::" + std::string(65, '1'),
                                  "urn:pp:" + std::string(500, 'a') + "::" + std::string(64, '1'),
                                  "urn:" + std::string(33, 'a') + ":System::1",
                                  std::string("urn:pp:System::1\0", 17)}) {
    const Result<Urn> urn = Urn::parse(text);
    ASSERT_FALSE(urn) << text;
    EXPECT_THAT(urn, fails_with(Code::kInvalidUrn)) << text;
  }
}

TEST(Urn, of_random_parts_is_read_back_as_it_was_written) {
  std::mt19937_64 random(test_seed("urn round trip"));
  const auto text = [&](std::string_view letters, std::size_t length) {
    std::string made;
    for (std::size_t i = 0; i < length; ++i) made += letters[random() % letters.size()];
    return made;
  };
  for (int i = 0; i < 1000; ++i) {
    std::string type = "T" + text("abcXYZ019", random() % 10);
    for (std::size_t n = random() % 5; n > 0; --n) type += ".s" + text("abcXYZ019", random() % 10);
    const Urn urn{
        .domain = "a" + text("abc019-", 1 + random() % 31), .type = type, .id = text("09az-", 1 + random() % 64)};
    const std::string written = urn.format().value();
    EXPECT_EQ(Urn::parse(written).value(), urn);
  }
}

TEST(UuidGenerator, follows_the_layout_of_version_7) {
  UuidGenerator ids([] { return TimePoint(std::chrono::seconds(1'645'557'742)); },
                    [] { return 0xFFFF'FFFF'FFFF'FFFFULL; });
  // The example of RFC 9562 has this time: 2022-02-22T19:22:22Z is 017f22e279b0.
  EXPECT_EQ(ids.next(), "017f22e2-79b0-77ff-bfff-ffffffffffff");
  EXPECT_EQ(ids.next(), "017f22e2-79b0-7800-bfff-ffffffffffff");
  EXPECT_TRUE(is_uuid_v7("017f22e2-79b0-77ff-bfff-ffffffffffff"));
}

TEST(UuidGenerator, sorts_in_order_within_a_millisecond_and_when_the_clock_goes_back) {
  std::mt19937_64 random(test_seed("uuid order"));
  std::int64_t now = 1'700'000'000;
  UuidGenerator ids([&] { return TimePoint(std::chrono::seconds(now)); }, [&] { return random(); });
  std::string last;
  for (int i = 0; i < 20'000; ++i) {
    if (i % 5000 == 4999) now -= 1;
    std::string id = ids.next();
    EXPECT_TRUE(is_uuid_v7(id));
    EXPECT_LT(last, id);
    last = std::move(id);
  }
}

TEST(UuidV7, is_lower_case_and_of_that_version_and_variant) {
  EXPECT_FALSE(is_uuid_v7("017F22E2-79B0-77ff-bfff-ffffffffffff"));
  EXPECT_FALSE(is_uuid_v7("c04b27bf-7604-48a5-9e67-298c67cd70ab"));
  EXPECT_FALSE(is_uuid_v7("017f22e2-79b0-77ff-cfff-ffffffffffff"));
  EXPECT_FALSE(is_uuid_v7("017f22e279b077ffbfffffffffffffff"));
}

TEST(UuidV7, of_a_time_begins_that_time) {
  const Timestamp time{.seconds = 1'700'000'000, .nanoseconds = 5'000'000};
  UuidGenerator ids([&] { return time.to_time_point(); });
  EXPECT_LE(first_uuid_v7(time), ids.next());
  EXPECT_GT(first_uuid_v7({.seconds = 1'700'000'000, .nanoseconds = 6'000'000}), ids.next());
}

}  // namespace
}  // namespace dolmen
