#include "mutate_runtime.h"

#include <atomic>
#include <cstdlib>
#include <fstream>

#ifdef DOLMEN_MUTANT_TRACES
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#endif

namespace dolmen_mutants {
namespace {

constexpr int kMutantsMax = 10'000;

#ifdef DOLMEN_MUTANT_TRACES

/// Which tests have reached which bugs.
class Trace : public testing::EmptyTestEventListener {
 public:
  void reach(int number) {
    const int test = test_.load(std::memory_order_relaxed);
    if (last_[number].exchange(test, std::memory_order_relaxed) == test) return;
    const std::lock_guard lock(mutex_);
    reached_.emplace(number, name_);
  }

  void OnTestStart(const testing::TestInfo& test) override {
    const std::lock_guard lock(mutex_);
    name_ = std::string(test.test_suite_name()) + "." + test.name();
    ++test_;
  }

  void OnTestProgramEnd(const testing::UnitTest& /*test*/) override {
    const std::lock_guard lock(mutex_);
    std::ofstream out(std::getenv("TRACE_OF_MUTANTS"), std::ios::app);
    for (const auto& [number, name] : reached_) out << number << ' ' << name << '\n';
  }

 private:
  std::atomic<int> test_ = 1;
  std::atomic<int> last_[kMutantsMax] = {};
  std::mutex mutex_;
  std::string name_ = "-";
  std::set<std::pair<int, std::string>> reached_;
};

/// GoogleTest owns the listener. Bugs are reached before it exists, and after.
std::atomic<Trace*> trace = nullptr;

const bool tracing = [] {
  if (std::getenv("TRACE_OF_MUTANTS") == nullptr) return false;
  auto* made = new Trace();
  testing::UnitTest::GetInstance()->listeners().Append(made);
  trace = made;
  return true;
}();

void reach(int number) {
  if (Trace* to = trace.load()) to->reach(number);
}

#else

const bool tracing = std::getenv("TRACE_OF_MUTANTS") != nullptr;

/// Written at once, because a program that is tested from outside may be killed.
void reach(int number) {
  static std::atomic<bool> reached[kMutantsMax] = {};
  if (!reached[number].exchange(true))
    std::ofstream(std::getenv("TRACE_OF_MUTANTS"), std::ios::app) << number << " -\n";
}

#endif

const int active = [] {
  const char* text = std::getenv("MUTANT_OF_DOLMEN");
  return text == nullptr ? -1 : std::atoi(text);
}();

}  // namespace

bool is_active(int number) noexcept {
  if (tracing) reach(number);
  return number == active;
}

}  // namespace dolmen_mutants
