#include <bit>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "dolmen/record.h"
#include "value/test_items.h"

namespace dolmen {
namespace {

enum class Mood { calm, wild };
DOLMEN_ENUM(Mood, calm, wild);

struct Leaf {
  std::string name;
  std::optional<double> weight;
  friend bool operator==(const Leaf&, const Leaf&) = default;
};
DOLMEN_RECORD(Leaf, name, weight);

struct Twig {
  float length = 0;
  std::vector<Leaf> leaves;
  friend bool operator==(const Twig&, const Twig&) = default;
};
DOLMEN_RECORD(Twig, (length, "l"), leaves);

/// A member of every kind.
struct Everything {
  std::string text;
  bool flag = false;
  std::int8_t small = 0;
  std::uint64_t large = 0;
  double real = 0;
  Number number;
  Bytes bytes;
  AttributeValue any;
  Item item;
  Mood mood = Mood::calm;
  std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds> time;
  std::optional<std::chrono::sys_seconds> expires;
  std::optional<Leaf> leaf;
  std::vector<std::optional<std::int64_t>> numbers;
  std::array<std::byte, 3> three{};
  std::set<std::string> strings;
  std::unordered_set<std::int16_t> integers;
  std::set<Bytes> binaries;
  std::map<std::string, Twig> twigs;
  std::unordered_map<std::string, std::set<float>> floats;
  std::variant<std::monostate, std::string, std::int32_t, Leaf, Twig> one_of;
  friend bool operator==(const Everything&, const Everything&) = default;
};
DOLMEN_RECORD(Everything, text, flag, small, large, real, number, bytes, any, item, mood, time,
              (expires, "ttl", as_seconds), leaf, numbers, three, strings, integers, binaries, twigs, floats, one_of);

class RandomRecords {
 public:
  explicit RandomRecords(std::uint64_t seed) : items_(seed), random_(seed) {}

  Everything everything() {
    Everything all{.text = items_.text(),
                   .flag = below(2) == 0,
                   .small = static_cast<std::int8_t>(random_()),
                   .large = random_() >> below(64),
                   .real = real<double>(),
                   .number = items_.number(),
                   .bytes = Bytes(items_.bytes()),
                   .item = items_.item(),
                   .mood = below(2) == 0 ? Mood::calm : Mood::wild};
    if (const Item item = items_.item(); !item.empty()) all.any = item.begin()->second;
    all.time = decltype(all.time)(std::chrono::nanoseconds(std::bit_cast<std::int64_t>(random_())));
    if (below(2) == 0) all.expires = std::chrono::sys_seconds(std::chrono::seconds(below(std::size_t{1} << 40)));
    if (below(2) == 0) all.leaf = leaf();
    some([&] {
      all.numbers.push_back(below(3) == 0 ? std::nullopt : std::optional(static_cast<std::int64_t>(random_())));
    });
    for (std::byte& byte : all.three) byte = static_cast<std::byte>(random_());
    some([&] { all.strings.insert(items_.text()); });
    some([&] { all.integers.insert(static_cast<std::int16_t>(random_())); });
    some([&] { all.binaries.insert(Bytes(items_.bytes())); });
    some([&] { all.twigs[items_.text()] = twig(); });
    some([&] {
      auto& floats = all.floats[items_.text()];
      some([&] { floats.insert(real<float>()); });
    });
    one_of(all);
    return all;
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  template <class Act>
  void some(Act act) {
    for (std::size_t n = below(4); n > 0; --n) act();
  }

  /// Any number that DynamoDB can hold, of every magnitude.
  template <class T>
  T real() {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    while (true) {
      const T value = std::bit_cast<T>(static_cast<Bits>(random_()));
      if (Number::from_double(value)) return value;
    }
  }

  Leaf leaf() {
    return {.name = items_.text(), .weight = below(2) == 0 ? std::nullopt : std::optional(real<double>())};
  }

  Twig twig() {
    Twig twig{.length = real<float>()};
    some([&] { twig.leaves.push_back(leaf()); });
    return twig;
  }

  void one_of(Everything& all) {
    switch (below(5)) {
      case 0: all.one_of = std::monostate(); break;
      case 1: all.one_of = items_.text(); break;
      case 2: all.one_of = static_cast<std::int32_t>(random_()); break;
      case 3: all.one_of = leaf(); break;
      default: all.one_of = twig();
    }
  }

  RandomItems items_;
  std::mt19937_64 random_;
};

TEST(RoundTrip, gives_back_every_record_that_was_written) {
  RandomRecords random(test_seed("RoundTrip"));
  for (int round = 0; round < 2000; ++round) {
    const Everything written = random.everything();
    const Result<Item> item = to_item(written);
    ASSERT_THAT(item, succeeds());
    const Result<Everything> read = from_item<Everything>(*item);
    ASSERT_THAT(read, succeeds());
    ASSERT_EQ(*read, written);
  }
}

TEST(RoundTrip, names_the_one_attribute_that_was_spoilt) {
  const std::uint64_t seed = test_seed("RoundTripSpoilt");
  RandomRecords random(seed);
  RandomItems items(seed);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    Item item = to_item(random.everything()).value();
    const std::string name = (item.begin() + static_cast<std::ptrdiff_t>(random.below(item.size())))->first;
    const Item other = items.item();
    if (other.empty())
      item.erase(name);
    else
      item.set(name, other.begin()->second);
    const Result<Everything> read = from_item<Everything>(item);
    if (read) {
      // Another value that fits: what was read is again what it was read from.
      ASSERT_EQ(from_item<Everything>(to_item(*read).value()).value(), *read);
      continue;
    }
    ++refused;
    const std::string member = name == "ttl" ? "expires" : name;
    for (const ErrorDetail& detail : read.error().details()) {
      ASSERT_TRUE(detail.path.starts_with(member)) << detail.path << " for " << name;
      ASSERT_FALSE(detail.rule.empty());
      ASSERT_FALSE(detail.message.empty());
    }
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace dolmen
