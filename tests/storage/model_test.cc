// Random histories on a store and on a std::map, which must agree after every step.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::Content;
using test::content;
using test::kRows;
using test::must;

enum class Kind : std::uint8_t { kPut, kRemove, kRemoveRange, kCommit, kSnapshot, kSeek, kReopen };

struct Step {
  Kind kind = Kind::kPut;
  std::string key;
  std::string other;  ///< A value, or the upper bound of a range.
};

void showValue(const Step& step, std::ostream& out) {  // NOLINT(readability-identifier-naming): RapidCheck's name.
  out << static_cast<int>(step.kind) << "(" << step.key << ", " << step.other << ")";
}

std::ostream& operator<<(std::ostream& out, const Step& step) {
  showValue(step, out);
  return out;
}

/// A store and its model. Steps fill a batch until one commits it.
class Pair {
 public:
  explicit Pair(Options options) : options_(std::move(options)), storage_(test::open_store(options_)) {}

  /// Carries out a step and returns what disagrees, or nothing.
  std::string take(const Step& step) {
    switch (step.kind) {
      case Kind::kPut: put(step.key, step.other); return {};
      case Kind::kRemove: remove(step.key); return {};
      case Kind::kRemoveRange: remove_range(step.key, step.other); return {};
      case Kind::kCommit: commit(); return compare();
      case Kind::kSnapshot: snapshots_.emplace_back(storage_->snapshot(), model_); return {};
      case Kind::kSeek: return compare_seeks(step.key, step.other);
      case Kind::kReopen: reopen(); return compare();
    }
    return "no such step";
  }

  std::string finish() {
    commit();
    for (const auto& [snapshot, then] : snapshots_) {
      if (content(*storage_, kRows, {}, &snapshot) != then) return "a snapshot has changed";
    }
    return compare();
  }

 private:
  void put(const std::string& key, const std::string& value) {
    batch_.put(kRows, key, value);
    pending_[key] = value;
  }

  void remove(const std::string& key) {
    batch_.remove(kRows, key);
    pending_.erase(key);
  }

  void remove_range(const std::string& lower, const std::string& upper) {
    if (upper.empty()) return;
    batch_.remove_range(kRows, {.lower = lower, .upper = upper});
    if (lower < upper) pending_.erase(pending_.lower_bound(lower), pending_.lower_bound(upper));
  }

  void commit() {
    must(storage_->commit(std::exchange(batch_, {})));
    model_ = pending_;
  }

  void reopen() {
    snapshots_.clear();
    commit();
    must(storage_->close());
    storage_ = test::open_store(options_);
  }

  std::string compare() const {
    if (content(*storage_, kRows) != model_) return "walking forwards";
    Content backwards;
    Iterator iterator = storage_->iterate(kRows, {});
    std::string last;
    for (iterator.seek_last(); iterator.valid(); iterator.prev()) {
      if (!backwards.empty() && !(iterator.key() < last)) return "the order of walking backwards";
      last = iterator.key();
      backwards.emplace(iterator.key(), iterator.value());
    }
    return backwards == model_ ? "" : "walking backwards";
  }

  std::string compare_seeks(const std::string& lower, const std::string& upper) const {
    if (!upper.empty() && upper < lower) return {};
    const auto begin = model_.lower_bound(lower);
    const auto end = upper.empty() ? model_.end() : model_.lower_bound(upper);
    if (content(*storage_, kRows, {.lower = lower, .upper = upper}) != Content(begin, end)) return "a range";

    Iterator iterator = storage_->iterate(kRows, {.lower = lower, .upper = upper});
    const auto agrees = [&](bool found, Content::const_iterator expected) {
      return found ? iterator.valid() && iterator.key() == expected->first && iterator.value() == expected->second
                   : !iterator.valid();
    };
    for (const auto& [key, value] : model_) {
      iterator.seek(key);
      const auto at = std::max(key, lower);
      const auto first = model_.lower_bound(at);
      if (!agrees(first != end && (upper.empty() || first->first < upper), first)) return "a seek";
      iterator.seek_for_prev(key);
      auto last = model_.upper_bound(key);
      if (!upper.empty() && (last == model_.end() || last->first > upper)) last = end;
      const bool found = last != model_.begin() && std::prev(last)->first >= lower;
      if (!agrees(found, found ? std::prev(last) : last)) return "a seek for the previous key";
    }
    return {};
  }

  const Options options_;
  std::unique_ptr<Storage> storage_;
  Batch batch_;
  Content pending_;  ///< The model once `batch_` is committed.
  Content model_;
  std::vector<std::pair<Snapshot, Content>> snapshots_;
};

/// Keys collide often, and their bytes are the difficult ones.
rc::Gen<std::string> any_key() {
  return rc::gen::resize(4, rc::gen::container<std::string>(rc::gen::element('a', 'b', '\0', '\xff')));
}

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(rc::gen::set(&Step::kind, rc::gen::weightedElement<Kind>({{8, Kind::kPut},
                                                                                        {2, Kind::kRemove},
                                                                                        {1, Kind::kRemoveRange},
                                                                                        {3, Kind::kCommit},
                                                                                        {1, Kind::kSnapshot},
                                                                                        {2, Kind::kSeek}})),
                              rc::gen::set(&Step::key, any_key()), rc::gen::set(&Step::other, any_key()));
}

RC_GTEST_PROP(StorageModel, agrees_with_a_map_in_memory, ()) {
  const auto steps = *rc::gen::container<std::vector<Step>>(any_step());
  Pair pair(test::options_for({}, Durability::kMemory));
  for (const Step& step : steps) RC_ASSERT(pair.take(step) == "");
  RC_ASSERT(pair.finish() == "");
}

TEST(StorageModel, agrees_with_a_map_on_disk_and_across_reopening) {
  auto random = test::seeded_random();
  const auto pick = [&random](std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
  };
  const auto any_bytes = [&](std::size_t size_max) {
    std::string bytes;
    for (std::size_t size = pick(size_max + 1); size > 0; --size) bytes.push_back("abcd\0\xff"[pick(6)]);
    return bytes;
  };
  const TemporaryDirectory temp;
  Options options = test::options_for(temp / "data");
  options.write_buffer_bytes = 64 << 10;  // Small, so that files are written and merged all the time.
  Pair pair(options);
  constexpr Kind kKinds[] = {Kind::kPut, Kind::kPut,    Kind::kPut,      Kind::kPut,  Kind::kRemove, Kind::kRemoveRange,
                             Kind::kPut, Kind::kCommit, Kind::kSnapshot, Kind::kSeek, Kind::kPut,    Kind::kPut};
  for (int i = 0; i < 4000; ++i) {
    const Kind kind = i % 250 == 249 ? Kind::kReopen : kKinds[pick(std::size(kKinds))];
    ASSERT_EQ(pair.take({.kind = kind, .key = any_bytes(4), .other = any_bytes(kind == Kind::kPut ? 2000 : 4)}), "")
        << i;
  }
  ASSERT_EQ(pair.finish(), "");
}

}  // namespace
}  // namespace dolmen::storage
