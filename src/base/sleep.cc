#include "base/sleep.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace dolmen {

void sleep_for(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

void sleep_unless_stopped(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex nobody_else;
  std::condition_variable_any nobody_calls;
  std::unique_lock lock(nobody_else);
  nobody_calls.wait_for(lock, stop, time, [] { return false; });
}

Sleep or_real_sleep(Sleep given) { return given ? std::move(given) : Sleep(sleep_for); }

}  // namespace dolmen
