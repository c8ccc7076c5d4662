#pragma once

#include <chrono>
#include <dolmen/dolmen.h>
#include <dolmen/isr.h>
#include <dolmen/lease.h>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "tests/docs/fresh_folder.h"

/// What docs/isr.md expects: a store with the table of leases and pages, and functions of the program's own.
namespace given {

using namespace std::chrono_literals;
inline std::unique_ptr<dolmen::Store> store;
inline const std::string hash = "9a1f";
inline int things_to_do = 3;

inline bool more_to_do() { return things_to_do > 0; }
inline void do_some_more() { --things_to_do; }
inline std::string render_news(int page) { return "news " + std::to_string(page); }

inline const std::string tenant = "acme";
inline const struct {
  std::vector<std::pair<std::string, std::string>> headers;
} request;
inline void bad_request(const dolmen::Error& /*error*/) {}
/// Only compiled.
extern dolmen::PageCache& cache;

inline dolmen::Result<dolmen::GeneratedPage> generate(const std::stop_token& /*stop*/) {
  return dolmen::GeneratedPage{.body = "news"};
}

inline void set_up() {
  store = dolmen::open("memory:").value();
  store->create_table(dolmen::Leases(*store, "cache").table_definition()).value();
}

}  // namespace given
