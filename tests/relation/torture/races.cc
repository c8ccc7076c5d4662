// Operations that meet on real threads.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <thread>

#include "dump.h"
#include "run.h"

namespace dolmen::torture {
namespace {

constexpr unsigned kThreads = 4;

/// Runs one function per thread, all at the same time.
void together(const std::vector<std::function<void()>>& works) {
  std::barrier start(static_cast<std::ptrdiff_t>(works.size()));
  std::vector<std::jthread> threads;
  for (const std::function<void()>& work : works)
    threads.emplace_back([&] {
      start.arrive_and_wait();
      work();
    });
}

class Races {
 public:
  Races(Store& store, std::string table, Relations& graph) : store_(store), table_(std::move(table)), graph_(graph) {}

  bool round(unsigned n) {
    return one_claim_wins(n) && no_value_left(n) && no_cycle(n) && no_orphan(n) && one_job_two_hands(n) &&
           who_moved_stays() && all_get_the_account() && rules_hold();
  }
  [[nodiscard]] const std::optional<std::string>& violation() const { return violation_; }

 private:
  bool fail(std::string what) {
    violation_ = std::move(what);
    return false;
  }

  bool rules_hold() {
    const Result<Dump> dump = read_dump(store_, table_);
    if (!dump) return fail(dump.error().message());
    const auto broken = broken_rule(*dump);
    return broken ? fail("after a race: " + *broken) : true;
  }

  /// 27.
  bool one_claim_wins(unsigned n) {
    std::vector<std::function<void()>> works;
    std::vector<Result<Resource>> results(kThreads, Resource{});
    const std::string mail = fmt::format("user{}@example.org", n);
    for (unsigned i = 0; i < kThreads; ++i)
      works.emplace_back([&, i] { results[i] = graph_.create({.type = kUser, .unique = {{"email", mail}}}); });
    together(works);
    unsigned winners = 0;
    for (const Result<Resource>& result : results) {
      winners += result ? 1 : 0;
      if (!result && result.error().code() != Code::kUniqueViolation)
        return fail("27: a loser was told " + result.error().message());
    }
    if (winners != 1) return fail(fmt::format("27: {} won one value", winners));
    const Result<Resource> owner = graph_.get_by_unique({.type = kUser, .key = "email", .value = mail});
    if (!owner) return fail("27: nobody has the value");
    return graph_.remove(owner->urn) ? true : fail("27: the owner cannot be deleted");
  }

  /// Somebody deletes a resource while others change its unique value.
  bool no_value_left(unsigned n) {
    const Result<Resource> user = graph_.create({.type = kUser, .unique = {{"email", "first"}}});
    if (!user) return fail(user.error().message());
    std::vector<std::function<void()>> works;
    works.emplace_back([&] { static_cast<void>(graph_.remove(user->urn)); });
    for (unsigned i = 1; i < kThreads; ++i)
      works.emplace_back([&, i] {
        static_cast<void>(graph_.update({.urn = user->urn, .set = {{"email", fmt::format("mail{}.{}", n, i)}}}));
      });
    together(works);
    return graph_.get(user->urn) ? fail("a resource was not deleted") : rules_hold();
  }

  Result<std::string> folder(const std::optional<std::string>& parent, const std::string& account) {
    DOLMEN_TRY(const Resource made, graph_.create({.type = kFolder, .parent = parent, .account = account}));
    return made.urn;
  }

  Result<std::string> account() {
    DOLMEN_TRY(const Resource made, graph_.create({.type = kAccount}));
    return made.urn;
  }

  /// 28: everybody moves below his neighbour.
  bool no_cycle(unsigned) {
    const Result<std::string> home = account();
    if (!home) return fail(home.error().message());
    std::vector<std::string> ring;
    for (unsigned i = 0; i < kThreads; ++i) {
      const Result<std::string> made = folder(*home, *home);
      if (!made) return fail(made.error().message());
      ring.push_back(*made);
    }
    std::vector<std::function<void()>> works;
    std::vector<std::optional<Code>> codes(kThreads);
    for (unsigned i = 0; i < kThreads; ++i)
      works.emplace_back([&, i] {
        const Result<bool> moved = graph_.attach(ring[i], ring[(i + 1) % kThreads]);
        if (!moved) codes[i] = moved.error().code();
      });
    together(works);
    unsigned refused = 0;
    for (const std::optional<Code>& code : codes) {
      if (!code) continue;
      ++refused;
      if (*code != Code::kCycle && *code != Code::kLimitExceeded)
        return fail("28: a move failed with " + std::string(code_name(*code)));
    }
    if (refused == 0) return fail("28: all moves of a ring were carried out");
    if (!rules_hold()) return false;
    return graph_.purge_account(*home) ? true : fail("28: the account cannot be purged");
  }

  /// Somebody deletes a family while others add to it.
  bool no_orphan(unsigned n) {
    const Result<std::string> home = account();
    if (!home) return fail(home.error().message());
    std::vector<std::string> folders;
    for (unsigned i = 0; i < 3; ++i) {
      const Result<std::string> made = folder(i == 0 ? *home : folders.back(), *home);
      if (!made) return fail(made.error().message());
      folders.push_back(*made);
    }
    std::optional<Error> unexpected;
    std::mutex unexpected_mutex;
    const auto expect = [&](const auto& result, std::initializer_list<Code> good) {
      if (result || std::ranges::find(good, result.error().code()) != good.end()) return;
      const std::lock_guard lock(unexpected_mutex);
      unexpected = result.error();
    };
    std::vector<std::function<void()>> works;
    works.emplace_back([&] { expect(graph_.remove(folders[n % 2]), {}); });
    for (unsigned i = 0; i + 1 < kThreads; ++i)
      works.emplace_back([&, i] {
        const std::string& target = folders[i % folders.size()];
        for (int k = 0; k < 3; ++k) {
          const auto made = graph_.create({.type = kFolder, .parent = target, .account = *home});
          expect(made, {Code::kParentNotFound, Code::kResourceDeleting});
          if (made)
            expect(graph_.add_member(made->urn, {.collection = folders[2]}),
                   {Code::kResourceNotFound, Code::kResourceDeleting});
        }
      });
    together(works);
    if (unexpected) return fail("a race of deletes: " + unexpected->message());
    if (!rules_hold()) return false;
    return graph_.purge_account(*home) ? true : fail("the account cannot be purged");
  }

  /// Two processes carry the same deletes to their end.
  bool one_job_two_hands(unsigned) {
    const Result<std::string> home = account();
    if (!home) return fail(home.error().message());
    for (unsigned i = 0; i < 20; ++i)
      if (const auto made = folder(*home, *home); !made) return fail(made.error().message());
    std::vector<std::function<void()>> works;
    std::vector<std::optional<std::string>> failures(3);
    works.emplace_back([&] {
      if (const auto gone = graph_.remove(*home); !gone) failures[0] = gone.error().message();
    });
    for (unsigned i = 1; i < 3; ++i)
      works.emplace_back([&, i] {
        for (int k = 0; k < 5 && !failures[i]; ++k)
          if (const auto done = graph_.resume_deletes(); !done) failures[i] = done.error().message();
      });
    together(works);
    for (const auto& failure : failures)
      if (failure) return fail("two hands on one delete: " + *failure);
    const auto pending = graph_.pending_deletes();
    if (!pending || !pending->empty()) return fail("a delete is left");
    const auto left = graph_.by_account({.account = *home});
    return left && left->items.empty() ? true : fail("a delete left something");
  }

  /// Somebody deletes a family while others move its children away.
  bool who_moved_stays() {
    const Result<std::string> home = account();
    if (!home) return fail(home.error().message());
    const Result<std::string> doomed = folder(*home, *home);
    const Result<std::string> safe = folder(*home, *home);
    if (!doomed || !safe) return fail("a folder cannot be made");
    std::vector<std::string> children;
    for (unsigned i = 0; i < 60; ++i) {
      const Result<std::string> made = folder(*doomed, *home);
      if (!made) return fail(made.error().message());
      children.push_back(*made);
    }
    std::vector<std::function<void()>> works;
    std::vector<std::optional<Error>> failures(kThreads);
    std::vector<char> moved(children.size(), 0);
    works.emplace_back([&] {
      if (const auto gone = graph_.remove(*doomed); !gone) failures[0] = gone.error();
    });
    for (unsigned i = 1; i < kThreads; ++i)
      works.emplace_back([&, i] {
        for (std::size_t k = children.size() - i; k < children.size(); k -= kThreads - 1) {
          const Result<bool> done = graph_.attach(children[k], *safe);
          moved[k] = done ? 1 : 0;
          if (!done && done.error().code() != Code::kResourceNotFound && done.error().code() != Code::kResourceDeleting)
            failures[i] = done.error();
        }
      });
    together(works);
    for (const std::optional<Error>& failure : failures)
      if (failure) return fail("a race of moves: " + failure->message());
    for (std::size_t k = 0; k < children.size(); ++k)
      if (graph_.get(children[k]).has_value() != (moved[k] != 0))
        return fail(fmt::format("12: {} was {}", children[k], moved[k] != 0 ? "moved, and deleted" : "left"));
    if (!rules_hold()) return false;
    return graph_.purge_account(*home) ? true : fail("the account cannot be purged");
  }

  /// A family gets another account while others add to it, and then the old account goes by reassigning.
  bool all_get_the_account() {
    const Result<std::string> home = account();
    const Result<std::string> away = account();
    if (!home || !away) return fail("an account cannot be made");
    std::vector<std::string> folders;
    for (unsigned i = 0; i < 3; ++i) {
      const Result<std::string> made = folder(i == 0 ? *home : folders.back(), *home);
      if (!made) return fail(made.error().message());
      folders.push_back(*made);
    }
    std::vector<std::function<void()>> works;
    std::vector<std::optional<Error>> failures(kThreads);
    works.emplace_back([&] {
      const auto moved = graph_.reassign_account({.urn = folders[0], .account = *away, .parent = *away});
      if (!moved) failures[0] = moved.error();
    });
    for (unsigned i = 1; i < kThreads; ++i)
      works.emplace_back([&, i] {
        for (int k = 0; k < 4; ++k) {
          const auto made = graph_.create({.type = kFolder, .parent = folders[i % folders.size()]});
          if (!made) failures[i] = made.error();
        }
        const auto loose = graph_.create({.type = kJob, .account = *home});
        if (!loose) failures[i] = loose.error();
      });
    together(works);
    for (const std::optional<Error>& failure : failures)
      if (failure) return fail("a race for an account: " + failure->message());
    if (!rules_hold()) return false;
    const auto left = graph_.remove(*home, {.mode = DeleteMode::kReassign, .reassign_to = *away});
    if (!left) return fail("the old account cannot be deleted: " + left.error().message());
    const auto all = graph_.by_account({.account = *away}, {.limit = 1000});
    const std::size_t expected = 3 + (kThreads - 1) * 5;
    if (!all || all->items.size() != expected)
      return fail(fmt::format("{} resources have the account, not {}", all ? all->items.size() : 0, expected));
    return graph_.purge_account(*away) ? true : fail("the account cannot be purged");
  }

  Store& store_;
  std::string table_;
  Relations& graph_;
  std::optional<std::string> violation_;
};

}  // namespace

std::optional<std::string> run_races(Store& store, const std::string& table, std::uint64_t seed, unsigned rounds) {
  std::atomic<std::uint64_t> random = seed;
  RelationsOptions options{.wait = {.interval = std::chrono::milliseconds(20)}, .depth_max = kDepthMax};
  options.delete_actions_max = 20;
  options.attempts_max = 500;
  options.random = [&random] {
    // splitmix64.
    std::uint64_t z = random.fetch_add(0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  };
  Result<Relations> graph = Relations::open(store, table, types_of_run(2), std::move(options));
  if (!graph) return "cannot open: " + graph.error().message();
  Races races(store, table, *graph);
  for (unsigned n = 0; n < rounds; ++n)
    if (!races.round(n)) return races.violation();
  static_cast<void>(store.delete_table(table));
  return std::nullopt;
}

}  // namespace dolmen::torture
