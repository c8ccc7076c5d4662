#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/cursor.h"
#include "dolmen/encryption.h"
#include "dolmen/error.h"
#include "dolmen/item_range.h"
#include "dolmen/logical_value.h"
#include "dolmen/model.h"
#include "dolmen/model_condition.h"
#include "dolmen/model_item.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"

/// Reads of many items of a model. A builder is cheap, can be copied, and belongs to one thread; the store must outlive
/// it. What is wrong with a read is said when it is carried out.
namespace dolmen {

/// What reads read from. Made by ModelTable.
struct ModelSource {
  Store* store = nullptr;
  Model model;
  std::string table;
  KeyProvider* keys = nullptr;
};

struct ModelPage {
  std::vector<LogicalItem> items;
  /// Where the next page begins, for any implementation of DMS; empty on the last page. A page may be empty and still
  /// not be the last.
  std::string cursor;
  /// Items that were read, of which the filter left `items`.
  std::uint64_t scanned_count = 0;
};

/// Items one after the other, read page by page as they are asked for. An item that does not fit the model gives an
/// error, and the range goes on; an error of the store is the last element. A range is read once, by one thread.
class ModelRange {
 public:
  ModelRange(ItemRange items, Model model, DecodeOptions decoding)
      : items_(std::move(items)), model_(std::move(model)), decoding_(decoding) {}

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = Result<LogicalItem>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(ModelRange* range) : range_(range) {}

    const Result<LogicalItem>& operator*() const { return *range_->current_; }
    const Result<LogicalItem>* operator->() const { return &*range_->current_; }
    Iterator& operator++() {
      ++range_->items_.begin();
      range_->read();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !range_->current_.has_value(); }

   private:
    ModelRange* range_ = nullptr;
  };

  /// Reads the first page. Calling it again goes on where the range is.
  Iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

 private:
  void read();

  ItemRange items_;
  Model model_;
  DecodeOptions decoding_;
  bool started_ = false;
  std::optional<Result<LogicalItem>> current_;
};

/// The items of one partition, in the order of the sort key:
///
///     users.query().index("gsi-email").partition("hash_abc").descending().limit(25).page()
///
/// Fails with kInvalidOperator for an unknown index, a missing partition, a condition on the sort key that keys do not
/// have, a consistent read of a global index, a filter on a key, and a cursor of another read; with
/// kEncryptedFieldNotQueryable.
class ModelQuery {
 public:
  explicit ModelQuery(ModelSource source) : source_(std::move(source)) {}

  ModelQuery& index(std::string name);
  ModelQuery& partition(LogicalValue value);
  /// One comparison of the sort key: ==, <, <=, >, >=, between or begins_with.
  ModelQuery& sort_key(FieldCondition condition);
  /// What is read and does not match is left out. Further filters must hold as well.
  ModelQuery& filter(FieldCondition condition);
  ModelQuery& project(std::vector<std::string> fields);
  ModelQuery& ascending();
  ModelQuery& descending();
  /// `page` reads at most so many items, before the filter; `all` and `range` return at most so many.
  ModelQuery& limit(std::uint32_t items);
  /// `all` and `range` read so many with one request.
  ModelQuery& page_size(std::uint32_t items);
  ModelQuery& consistent_read(bool consistent = true);
  /// The cursor of an earlier page, of this or another service.
  ModelQuery& cursor(std::string text);

  [[nodiscard]] Result<ModelPage> page() const;
  [[nodiscard]] Result<std::vector<LogicalItem>> all() const;
  [[nodiscard]] Result<ModelRange> range() const;
  /// Over all pages, whatever the limit.
  [[nodiscard]] Result<std::uint64_t> count() const;
  /// Fails with kItemNotFound when nothing matches.
  [[nodiscard]] Result<LogicalItem> first() const;

 private:
  [[nodiscard]] Result<QueryOptions> options() const;
  [[nodiscard]] Result<Condition> key_condition(const ModelIndex* index) const;

  ModelSource source_;
  std::string index_;
  std::optional<LogicalValue> partition_;
  FieldCondition sort_key_;
  FieldCondition filter_;
  std::vector<std::string> fields_;
  SortOrder order_ = SortOrder::kAscending;
  std::uint32_t limit_ = 0;
  std::uint32_t page_size_ = 0;
  bool consistent_read_ = false;
  std::optional<std::string> cursor_;
};

/// All items of a table or index, in no particular order. Fails as a query does.
class ModelScan {
 public:
  explicit ModelScan(ModelSource source) : source_(std::move(source)) {}

  ModelScan& index(std::string name);
  ModelScan& filter(FieldCondition condition);
  ModelScan& project(std::vector<std::string> fields);
  ModelScan& limit(std::uint32_t items);
  ModelScan& page_size(std::uint32_t items);
  ModelScan& consistent_read(bool consistent = true);
  /// A cursor does not know its segment; it must be used with the same one.
  ModelScan& segment(std::uint32_t segment, std::uint32_t total);
  ModelScan& cursor(std::string text);

  [[nodiscard]] Result<ModelPage> page() const;
  [[nodiscard]] Result<std::vector<LogicalItem>> all() const;
  [[nodiscard]] Result<ModelRange> range() const;
  [[nodiscard]] Result<std::uint64_t> count() const;
  /// The whole table by so many threads at once; the items come segment after segment. Segment, limit and cursor must
  /// not be set.
  [[nodiscard]] Result<std::vector<LogicalItem>> all_segments(std::uint32_t total) const;

 private:
  [[nodiscard]] Result<ScanOptions> options() const;

  ModelSource source_;
  std::string index_;
  FieldCondition filter_;
  std::vector<std::string> fields_;
  std::optional<ScanSegment> segment_;
  std::uint32_t limit_ = 0;
  std::uint32_t page_size_ = 0;
  bool consistent_read_ = false;
  std::optional<std::string> cursor_;
};

}  // namespace dolmen
