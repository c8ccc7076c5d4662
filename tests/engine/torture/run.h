#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "dolmen/store.h"
#include "dolmen/table_update.h"
#include "engine/engine.h"
#include "generator.h"
#include "model.h"
#include "run_clock.h"

namespace dolmen::torture {

struct RunOptions {
  std::uint64_t operations = 100'000;
  std::uint64_t seed = 0;
  /// On disk when given, else in memory.
  std::optional<std::filesystem::path> directory = std::nullopt;
};

/// One run: the same operations go to the engine and to the model, and every answer is compared.
class Run {
 public:
  explicit Run(RunOptions options);

  /// Ends at the first violation, or when all operations are done. False when the store cannot be opened at all.
  bool go();

  [[nodiscard]] std::uint64_t operations() const { return done_; }
  /// What was expected and what was found; nothing when all agreed.
  [[nodiscard]] const std::optional<std::string>& violation() const { return violation_; }

 private:
  bool open();
  void step();

  // Each does one operation and compares its answer.
  void write();
  void get();
  void query();
  void scan();
  void batch_get();
  void batch_write();
  void transact_write();
  void transact_get();
  void invalid();
  void remake_table();
  void describe();
  void change_table();
  void expire();

  // Each changes one setting of a table.
  void change_stream(ModelTable& table);
  void add_index(ModelTable& table);
  void remove_index(ModelTable& table);
  void change_ttl(ModelTable& table);
  void update_table(const std::string& what, TableUpdate update);
  /// Waits until no index of the table is being built or deleted.
  void wait_for_indexes(const std::string& table);

  /// Compares the whole stream of a table with the changes that the model has seen.
  void check_stream(const ModelTable& table);
  std::optional<std::vector<StreamChange>> read_shard(const std::string& arn, const std::string& shard);
  std::vector<StreamChange> read_stream(const std::string& arn);

  void scan_segments(const Read& read);
  /// All rows, as one scan without limits gives them, checked against the model.
  std::optional<std::vector<Item>> whole_scan(const std::string& table, const std::optional<std::string>& index);
  void scan_pages(Read read, const std::vector<Item>& rows);
  void expect_page(const Read& read, const Page& expected, const Result<ReadManyResponse>& found);
  void expect_cancellation(const std::vector<Write>& writes, const TransactAnswer& expected, const Error& found);
  void refuse(const std::string& what, WriteRequest request);
  void refuse(const std::string& what, const ReadManyRequest& request);

  /// Reads every table and every index in full.
  void check_everything();
  void check_table(const ModelTable& table);
  /// What a description says about the sizes of a table and its indexes.
  void expect_extents(const ModelTable& table, const TableDescription& found);

  /// `what` is a text, or makes one when it is needed.
  template <class What>
  void expect_same(const What& what, const std::string& expected, const std::string& found) {
    if (expected == found || violation_) return;
    if constexpr (std::is_invocable_v<What>) {
      record(what(), expected, found);
    } else {
      record(what, expected, found);
    }
  }
  void record(const std::string& what, const std::string& expected, const std::string& found);

  RunOptions options_;
  Random random_;
  Model model_;
  RunClock clock_;
  Generator generator_;
  std::unique_ptr<Store> store_;
  engine::Engine* engine_ = nullptr;  // of the store
  std::uint64_t added_indexes_ = 0;

  struct Sent {
    std::vector<Write> writes;
    std::string token;
  };
  std::deque<Sent> sent_;  // the latest transactions with tokens
  std::uint64_t tokens_ = 0;
  std::uint64_t done_ = 0;
  std::optional<std::string> violation_;
};

}  // namespace dolmen::torture
