#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/table.h"
#include "dolmen/value.h"

/// What `dolmen doctor` looks for in a table.
namespace dolmen::cli {

/// Something that will hurt.
struct Finding {
  /// A stable word: "large-item", "ttl-milliseconds", "ttl-type", "ttl-past", "large-partition", "one-partition",
  /// "skewed-shards", "hot-key", "unused-index", "twin-index", "few-values".
  std::string kind;
  std::string message;
  /// The key of an item or partition that shows it, as plain JSON; empty when there is none.
  std::string example = {};
};

/// Looks at the items of a table one after the other, as a scan gives them: those of a partition together. Memory does
/// not depend on their number.
class TableExam {
 public:
  struct Options {
    /// The attribute with the time to live, if there is one.
    std::optional<std::string> ttl = std::nullopt;
    std::int64_t now_seconds = 0;
  };

  TableExam(const TableDefinition& table, Options options);

  void look_at(const Item& item);
  [[nodiscard]] std::vector<Finding> findings();
  [[nodiscard]] std::uint64_t items() const { return items_; }

 private:
  struct Count {
    std::uint64_t count = 0;
    std::string example = {};
  };
  struct Partition {
    std::string value = {};
    std::string shown = {};
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;
  };
  struct ShardGroup {
    std::map<std::string, std::uint64_t> items_by_shard;
    bool is_too_many = false;
  };
  /// Values of an index's partition key, until there are many.
  struct IndexValues {
    std::string index;
    std::string attribute;
    std::map<std::string, std::uint64_t> items_by_value;
    std::uint64_t items = 0;
    bool is_many = false;
  };

  void look_at_size(const Item& item, std::uint64_t bytes);
  void look_at_ttl(const Item& item);
  void look_at_partition(const Item& item, std::uint64_t bytes);
  void look_at_indexes(const Item& item);
  void end_partition();
  void count_example(Count& count, const Item& item) const;
  void add_partition_findings(std::vector<Finding>& findings) const;
  void add_shard_findings(std::vector<Finding>& findings) const;
  void add_index_findings(std::vector<Finding>& findings) const;

  const TableDefinition& table_;
  const Options options_;
  std::uint64_t items_ = 0;
  Count large_;
  std::uint64_t largest_bytes_ = 0;
  Count ttl_milliseconds_;
  Count ttl_type_;
  Count ttl_past_;
  Partition current_;
  Partition most_items_;
  Partition most_bytes_;
  std::map<std::string, ShardGroup> shards_;
  std::vector<IndexValues> index_values_;
};

/// What the definition and the sizes of a table say by themselves.
std::vector<Finding> definition_findings(const TableDescription& table);

/// How often partition keys were used.
struct KeyUse {
  std::uint64_t total = 0;
  std::map<std::string, std::uint64_t> count_by_key = {};
};
/// `what` says of what kind the uses are, such as "changes of the last 24 hours".
std::vector<Finding> use_findings(const KeyUse& use, std::string_view what);

}  // namespace dolmen::cli
