#include "wire/admission.h"

#include <gtest/gtest.h>

namespace dolmen::wire {
namespace {

using boost::asio::ip::make_address;

TEST(Admission, counts_connections_in_all_and_by_address) {
  Traffic traffic;
  Admission admission({.connections_max = 3, .connections_per_address_max = 2}, traffic);
  const auto one = make_address("10.0.0.1");
  const auto other = make_address("10.0.0.2");
  EXPECT_EQ(admission.admit(one), std::nullopt);
  EXPECT_EQ(admission.admit(one), std::nullopt);
  EXPECT_EQ(admission.admit(one), Limit::kConnectionsPerAddress);
  EXPECT_EQ(admission.admit(other), std::nullopt);
  EXPECT_EQ(admission.admit(other), Limit::kConnections);
  EXPECT_EQ(traffic.connections, 3U);
  admission.leave(one);
  EXPECT_EQ(admission.admit(one), std::nullopt);
  EXPECT_EQ(traffic.connections_accepted, 4U);
}

TEST(Traffic, says_how_many_connections_there_are_and_were) {
  Traffic traffic;
  traffic.connections = 3;
  traffic.connections_accepted = 7;
  metrics::Report report;
  describe(traffic, report);
  const std::string text = report.text();
  EXPECT_TRUE(text.contains("\ndolmen_connections 3\n")) << text;
  EXPECT_TRUE(text.contains("\ndolmen_connections_accepted_total 7\n")) << text;
}

TEST(Admission, takes_a_network_of_ipv6_for_one_address) {
  Traffic traffic;
  Admission admission({.connections_max = 9, .connections_per_address_max = 1}, traffic);
  EXPECT_EQ(admission.admit(make_address("2001:db8::1")), std::nullopt);
  EXPECT_EQ(admission.admit(make_address("2001:db8::ffff:1")), Limit::kConnectionsPerAddress);
  EXPECT_EQ(admission.admit(make_address("2001:db8:0:1::1")), std::nullopt);
  EXPECT_EQ(admission.admit(make_address("::ffff:10.0.0.1")), std::nullopt);
  EXPECT_EQ(admission.admit(make_address("10.0.0.1")), Limit::kConnectionsPerAddress);
}

TEST(Admission, keeps_descriptors_for_the_store) {
  EXPECT_EQ(connections_within(1'000'000, 700, 10'000), 10'000U);
  EXPECT_EQ(connections_within(4'096, 700, 10'000), 3'396U);
  EXPECT_EQ(connections_within(1'024, 700, 10'000), 512U);
  EXPECT_EQ(connections_within(1, 700, 10'000), 1U);
  EXPECT_EQ(connections_within(1'000'000, 700, 5), 5U);
}

TEST(Limit, has_a_name_of_its_own) {
  for (std::size_t i = 0; i < kLimitCount; ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(limit_name(static_cast<Limit>(i)), limit_name(static_cast<Limit>(j)));
}

}  // namespace
}  // namespace dolmen::wire
