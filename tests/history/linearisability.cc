#include "linearisability.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace dolmen::history {
namespace {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(const Hash128&) const = default;
  [[nodiscard]] Hash128 with(const Hash128& other) const { return {high ^ other.high, low ^ other.low}; }
};

struct Hasher {
  std::size_t operator()(const Hash128& hash) const { return hash.low; }
};

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// The contribution of one number to the hash of a set.
Hash128 hash_of(std::uint64_t number) { return {mixed(number), mixed(number ^ 0x5851f42d4c957f2dU)}; }

/// The state after an operation; nothing when it cannot have given its answer in this state.
std::optional<State> step(State state, const Operation& operation) {
  switch (operation.kind) {
    case Kind::kRead: return state == operation.value ? std::optional(state) : std::nullopt;
    case Kind::kWrite: return operation.value;
    case Kind::kSwap:
      if (operation.outcome == Outcome::kRefused)
        return state == operation.expected ? std::nullopt : std::optional(state);
      return state == operation.expected ? std::optional(operation.value) : std::nullopt;
    case Kind::kAdd: {
      const State sum = (state == kNothing ? 0 : state) + operation.value;
      return operation.result == kNothing || operation.result == sum ? std::optional(sum) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Whether an operation says anything. What was refused changed nothing, and only a refused swap tells about the state.
bool matters(const Operation& operation) {
  if (operation.kind == Kind::kRead) return operation.outcome == Outcome::kDone;
  return operation.outcome != Outcome::kRefused || operation.kind == Kind::kSwap;
}

/// A beginning or an end, in a list from which what has been put in order is taken.
struct Event {
  Moment moment = 0;
  bool begins = true;
  std::size_t operation = 0;
  std::size_t before = 0;
  std::size_t after = 0;
};

class Search {
 public:
  explicit Search(const Object& object) : object_(object) {
    for (const Operation& operation : object.operations)
      if (matters(operation)) operations_.push_back(&operation);
    make_events();
  }

  /// True when there is an order.
  bool run() {
    std::size_t at = events_[0].after;
    while (unplaced_ > 0) {
      const Event& event = events_[at];
      if (event.begins) {
        at = place(at) ? events_[0].after : event.after;
        continue;
      }
      // Nothing that began before this end can come next.
      if (placed_.size() >= most_) {
        most_ = placed_.size();
        stuck_ = event.operation;
        stuck_state_ = state_;
      }
      if (placed_.empty()) return false;
      at = take_back();
    }
    return true;
  }

  [[nodiscard]] std::string complaint() const {
    const Operation& operation = *operations_[stuck_];
    const std::string state = stuck_state_ == kNothing ? "nothing" : fmt::format("{}", stuck_state_);
    return fmt::format(
        "{} is not linearisable: {} of {} operations have an order, but the one of line {} has no place (the state is "
        "{})",
        object_.name, most_, operations_.size(), operation.line, state);
  }

 private:
  void make_events() {
    events_.push_back({});
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      ends_.push_back(0);
      events_.push_back({.moment = operations_[i]->began, .begins = true, .operation = i});
      if (operations_[i]->ended == kNever) continue;
      events_.push_back({.moment = operations_[i]->ended, .begins = false, .operation = i});
      ++unplaced_;
    }
    // Of an end and a beginning at the same moment the beginning comes first: they may overlap.
    std::sort(events_.begin() + 1, events_.end(), [](const Event& a, const Event& b) {
      return a.moment != b.moment ? a.moment < b.moment : a.begins && !b.begins;
    });
    for (std::size_t i = 0; i < events_.size(); ++i) {
      events_[i].before = i == 0 ? 0 : i - 1;
      events_[i].after = i + 1 == events_.size() ? 0 : i + 1;
      if (i > 0 && !events_[i].begins) ends_[events_[i].operation] = i;
    }
  }

  /// Puts the operation that begins here next, if it can be and that has not been tried.
  bool place(std::size_t at) {
    const std::size_t operation = events_[at].operation;
    const std::optional<State> after = step(state_, *operations_[operation]);
    if (!after) return false;
    const Hash128 set = set_.with(hash_of(operation));
    const Hash128 key = set.with(hash_of(~static_cast<std::uint64_t>(*after)));
    if (!tried_.insert(key).second) return false;
    placed_.push_back({.at = at, .state = state_, .set = set_});
    state_ = *after;
    set_ = set;
    unlink(at);
    if (operations_[operation]->ended != kNever) {
      unlink(ends_[operation]);
      --unplaced_;
    }
    return true;
  }

  /// Undoes the last choice. Returns where to go on.
  std::size_t take_back() {
    const Placed last = placed_.back();
    placed_.pop_back();
    const std::size_t operation = events_[last.at].operation;
    if (operations_[operation]->ended != kNever) {
      link(ends_[operation]);
      ++unplaced_;
    }
    link(last.at);
    state_ = last.state;
    set_ = last.set;
    return events_[last.at].after;
  }

  void unlink(std::size_t at) {
    events_[events_[at].before].after = events_[at].after;
    events_[events_[at].after].before = events_[at].before;
  }

  void link(std::size_t at) {
    events_[events_[at].before].after = at;
    events_[events_[at].after].before = at;
  }

  struct Placed {
    std::size_t at = 0;
    State state = kNothing;
    Hash128 set;
  };

  const Object& object_;
  std::vector<const Operation*> operations_;
  /// A ring; the first one is neither a beginning nor an end.
  std::vector<Event> events_;
  std::vector<std::size_t> ends_;
  /// Operations with an end that are not in the order yet.
  std::size_t unplaced_ = 0;
  std::vector<Placed> placed_;
  State state_ = kNothing;
  Hash128 set_;
  std::unordered_set<Hash128, Hasher> tried_;
  std::size_t most_ = 0;
  std::size_t stuck_ = 0;
  State stuck_state_ = kNothing;
};

}  // namespace

std::optional<std::string> find_not_linearisable(const Object& object) {
  Search search(object);
  if (search.run()) return std::nullopt;
  return search.complaint();
}

}  // namespace dolmen::history
