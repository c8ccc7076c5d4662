#include <fmt/format.h>
#include <map>

#include "test_support.h"

/// Ranges of one prefix, and all others, in stores with and without filters of prefixes.
namespace dolmen::storage::test {
namespace {

constexpr std::size_t kPrefixBytes = 4;
constexpr int kGroups = 12;
constexpr int kRowsOfGroup = 8;

/// Some keys are shorter than a prefix.
std::string random_key(std::mt19937_64& random) {
  const auto group = static_cast<int>(random() % kGroups);
  if (random() % 16 == 0) return fmt::format("g{:02}", group).substr(0, 1 + random() % 3);
  return fmt::format("g{:03}{}", group, random() % kRowsOfGroup);
}

/// What a walk of the range shows, from its beginning or its end, or from a key.
std::vector<std::string> walked(const Storage& store, KeyRangeView range, bool forward,
                                const std::optional<std::string>& from) {
  std::vector<std::string> keys;
  Iterator rows = store.iterate(kRows, range);
  if (forward)
    from ? rows.seek(*from) : rows.seek_first();
  else
    from ? rows.seek_for_prev(*from) : rows.seek_last();
  for (; rows.valid(); forward ? rows.next() : rows.prev()) keys.emplace_back(rows.key());
  must(rows.status());
  return keys;
}

/// The same by the model.
std::vector<std::string> expected(const Content& rows, KeyRangeView range, bool forward,
                                  const std::optional<std::string>& from) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : rows) {
    const bool inside = key >= range.lower && (range.upper.empty() || key < range.upper);
    const bool wanted = !from || (forward ? key >= *from : key <= *from);
    if (inside && wanted) keys.push_back(key);
  }
  if (!forward) std::ranges::reverse(keys);
  return keys;
}

struct RangeText {
  std::string lower;
  std::string upper;
};

/// Half of them have one prefix.
RangeText random_range(std::mt19937_64& random) {
  const std::string group = fmt::format("g{:03}", random() % (kGroups + 1));
  switch (random() % 6) {
    case 0: return {"", ""};
    case 1: return {random_key(random), ""};
    case 2: return {std::min(group, random_key(random)), random_key(random)};
    case 3: return {group, group + "~"};
    default: return {fmt::format("{}{}", group, random() % 4), fmt::format("{}{}", group, 4 + random() % 5)};
  }
}

class Prefixes : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {};

/// The store is reopened with the one number of bytes and with the other, as by a newer and by an older program.
TEST_P(Prefixes, hide_no_row_of_any_range) {
  const std::uint64_t seed = test_seed("Prefixes");
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  const TemporaryDirectory directory;
  Content model;
  for (int round = 0; round < 12; ++round) {
    Options options = options_for(directory.path());
    options.prefix_bytes = round % 2 == 0 ? GetParam().first : GetParam().second;
    const auto store = open_store(options);
    for (int write = 0; write < 30; ++write) {
      Batch batch;
      const std::string key = random_key(random);
      if (random() % 4 == 0) {
        batch.remove(kRows, key);
        model.erase(key);
      } else {
        batch.put(kRows, key, fmt::format("{}", random()));
        model[key] = "";
      }
      must(store->commit(std::move(batch)));
    }
    for (int look = 0; look < 200; ++look) {
      const RangeText range = random_range(random);
      const KeyRangeView view{.lower = range.lower, .upper = range.upper};
      const bool forward = random() % 2 == 0;
      const std::optional<std::string> from = random() % 2 == 0 ? std::nullopt : std::optional(random_key(random));
      ASSERT_EQ(walked(*store, view, forward, from), expected(model, view, forward, from))
          << range.lower << " to " << range.upper << (forward ? ", forward from " : ", backward from ")
          << from.value_or("the end");
    }
    // What is in memory becomes a file of its own.
    must(store->close());
  }
}

INSTANTIATE_TEST_SUITE_P(OfStores, Prefixes,
                         testing::Values(std::pair(kPrefixBytes, kPrefixBytes), std::pair(std::size_t{0}, kPrefixBytes),
                                         std::pair(kPrefixBytes, kPrefixBytes + 1)));

}  // namespace
}  // namespace dolmen::storage::test
