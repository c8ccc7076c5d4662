#include "history.h"

#include <algorithm>
#include <fmt/format.h>

namespace dolmen::torture {
namespace {

/// The acquisitions of one key.
class KeyCheck {
 public:
  KeyCheck(std::vector<Acquisition> history, HistoryReport& report) : history_(std::move(history)), report_(report) {}

  void run() {
    if (history_.empty()) return;
    if (history_.front().generation)
      check_generations();
    else
      check_intervals();
    check_published();
  }

 private:
  /// Says what is wrong with an acquisition, and the one before it.
  void report(const Acquisition& of, const std::string& what) {
    report_.violations.push_back(fmt::format("key {}, {} at {} ms: {}", of.key,
                                             of.generation ? fmt::format("generation {}", *of.generation) : "acquired",
                                             of.now_ms, what));
  }

  /// The store has put these in order.
  void check_generations() {
    std::ranges::sort(history_, {}, [](const Acquisition& a) { return a.generation.value_or(0); });
    for (std::size_t i = 0; i < history_.size(); ++i) {
      const Acquisition* next = i + 1 < history_.size() ? &history_[i + 1] : nullptr;
      check_refusal(history_[i], next);
      if (next == nullptr) continue;
      if (*next->generation != *history_[i].generation + 1)
        report(*next, fmt::format("the one before has generation {}", *history_[i].generation));
      if (next->acquired.returned < history_[i].acquired.called) report(*next, "an earlier one has a lower generation");
      check_pair(history_[i], *next);
    }
  }

  /// Without generations only those can be told to follow each other that overlap with no other.
  void check_intervals() {
    std::ranges::sort(history_, {}, [](const Acquisition& a) { return a.acquired.called; });
    Moment returned_before = 0;
    for (std::size_t i = 1; i < history_.size(); ++i) {
      const Acquisition& a = history_[i - 1];
      const Acquisition& b = history_[i];
      const bool alone = returned_before < a.acquired.called && a.acquired.returned < b.acquired.called &&
                         (i + 1 == history_.size() || b.acquired.returned < history_[i + 1].acquired.called);
      if (alone) {
        check_pair(a, b);
        check_refusal(a, &b);
      }
      returned_before = std::max(returned_before, a.acquired.returned);
    }
  }

  void check_pair(const Acquisition& a, const Acquisition& b) {
    ++report_.compared;
    if (a.ended && a.ended->called < b.acquired.returned) return;
    const std::int64_t end_ms = a.expires_at * 1000;
    if (b.now_ms < end_ms) report(b, fmt::format("two holders: the one before it has the lease until {} ms", end_ms));
    if (a.counted_on_ms && b.acquired_ms < *a.counted_on_ms)
      report(b, fmt::format("in true time the one before it still counted on the lease at {} ms", *a.counted_on_ms));
  }

  void check_refusal(const Acquisition& a, const Acquisition* next) {
    if (!a.refused || a.refused->now_ms >= a.expires_at * 1000) return;
    if (next == nullptr || next->acquired.called > a.refused->asked.returned)
      report(a, fmt::format("refused at {} ms although it has the lease until {} s", a.refused->now_ms, a.expires_at));
  }

  void check_published() {
    std::vector<std::int64_t> numbers;
    for (const Acquisition& a : history_)
      if (a.published) numbers.push_back(*a.published);
    std::ranges::sort(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] != static_cast<std::int64_t>(i) + 1) {
        report_.violations.push_back(fmt::format("key {}: a stale publication: the {}th has the number {}",
                                                 history_.front().key, i + 1, numbers[i]));
        return;
      }
  }

  std::vector<Acquisition> history_;
  HistoryReport& report_;
};

}  // namespace

HistoryReport check(std::vector<Acquisition> history, std::size_t keys) {
  std::vector<std::vector<Acquisition>> by_key(keys);
  for (Acquisition& acquisition : history) by_key[acquisition.key].push_back(std::move(acquisition));
  HistoryReport report;
  for (std::vector<Acquisition>& of_key : by_key) KeyCheck(std::move(of_key), report).run();
  return report;
}

}  // namespace dolmen::torture
