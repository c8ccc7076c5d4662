#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"

namespace dolmen::cli {

/// What is said after the items.
struct ReadSummary {
  std::uint64_t count = 0;
  std::uint64_t scanned = 0;
  std::optional<double> read_units = std::nullopt;
  /// Where to go on; empty when there is nothing more.
  std::string after = {};
};

/// Prints items as they come: on a terminal as tables, to a file or pipe a line of JSON for each, and with --json as
/// one object, {"items": [...], "count": 1, "scanned": 1, "after": TOKEN}, which also tells an error on the way.
class ItemPrinter {
 public:
  struct Options {
    bool json = false;
    bool typed = false;
    /// The columns that stand first.
    std::vector<std::string> first = {};
  };

  explicit ItemPrinter(Options options);

  void print(const std::vector<Item>& items);
  /// Without items: only the count was asked for.
  void print_count(const ReadSummary& summary);
  void finish(const ReadSummary& summary);
  /// Returns the exit code.
  int finish(const Error& error);

 private:
  void begin_object();

  Options options_;
  bool table_;
  bool begun_ = false;
  std::uint64_t printed_ = 0;
};

}  // namespace dolmen::cli
