#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "dolmen/store.h"
#include "service/store_check.h"
#include "storage/fault_plan.h"

/// A store on a disk that fails, and a model of what must be in it.
namespace dolmen::fault_torture {

using Place = std::pair<std::string, int>;  ///< A table, and the number of a key.

/// A write, and what it makes of each item: the number from which the item follows, or nothing.
struct Change {
  std::map<Place, std::optional<std::int64_t>> items;
  /// Otherwise each item by itself.
  bool atomic = true;
};

class World {
 public:
  World(std::filesystem::path directory, std::uint64_t seed) : directory_(std::move(directory)), random_(seed) {}

  /// Opens the store; false when a fault prevented that.
  bool open();
  void close() { store_.reset(); }
  /// Another plan for the next open. The store must be closed.
  storage::FaultPlan& renew_plan();
  storage::FaultPlan& plan() { return *plan_; }

  /// Random writes, until `count` are done or the power is off.
  void write(int count);

  /// Compares all items with the model, and lets the store check itself.
  void compare();
  /// Reads items while the store may be refusing writes; what failed must not be visible.
  void compare_reads();

  [[nodiscard]] std::uint64_t random(std::uint64_t below) { return random_() % below; }
  [[nodiscard]] std::uint64_t violations() const { return violations_; }
  [[nodiscard]] std::uint64_t acknowledged() const { return acknowledged_; }
  [[nodiscard]] std::uint64_t failed() const { return failed_; }
  /// Says what led to a violation.
  void set_scene(std::string scene) { scene_ = std::move(scene); }
  void violation(const std::string& what);

 private:
  bool make_tables();
  Change draw();
  Result<void> apply(const Change& change);
  void settle(const std::map<Place, std::int64_t>& found);
  std::optional<std::map<Place, std::int64_t>> read_all();
  std::optional<std::int64_t> value_in(const std::string& table, const Item& item);
  void take(const Place& place, const std::optional<std::int64_t>& value);
  bool is_visible(const std::map<Place, std::int64_t>& found, const Place& place,
                  const std::optional<std::int64_t>& value) const;

  const std::filesystem::path directory_;
  std::mt19937_64 random_;
  std::shared_ptr<storage::FaultPlan> plan_ = std::make_shared<storage::FaultPlan>();
  StoreCheck* check_ = nullptr;
  std::unique_ptr<Store> store_;
  std::map<Place, std::int64_t> model_;
  std::uint64_t records_ = 0;  ///< That the streams must have.
  std::vector<Change> doubtful_;
  std::int64_t next_ = 1;
  bool has_tables_ = false;
  std::uint64_t violations_ = 0;
  std::uint64_t acknowledged_ = 0;
  std::uint64_t failed_ = 0;
  std::string scene_;
};

}  // namespace dolmen::fault_torture
