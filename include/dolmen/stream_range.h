#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/error.h"
#include "dolmen/stream.h"

namespace dolmen {

class Service;

namespace detail {
class StreamReader;
}

/// The records of a table's stream, read as they are asked for. The changes of an item come in their order; records of
/// different items may be in another order than they were written. An error ends the range and is its last element.
///
/// A stream that has ended is read to its end; then the range goes on with the table's next stream, if there is one.
///
/// A range is read once, by one thread; the store must outlive it.
class StreamRange {
 public:
  StreamRange(Service& service, std::string table, StreamOptions options);
  ~StreamRange();
  StreamRange(StreamRange&& other) noexcept;
  StreamRange& operator=(StreamRange&& other) noexcept;

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = Result<StreamRecord>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(StreamRange* range) : range_(range) {}

    const Result<StreamRecord>& operator*() const { return *range_->current_; }
    const Result<StreamRecord>* operator->() const { return &*range_->current_; }
    Iterator& operator++() {
      range_->advance();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !range_->current_.has_value(); }

   private:
    StreamRange* range_ = nullptr;
  };

  /// Reads the first records. After the end of the range, calling it again looks for new records.
  Iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

  /// A text that says which records the range has returned, including the current one: StreamOptions::position makes
  /// another range continue after it. Before the first `begin` it is the position that the range was given.
  [[nodiscard]] std::string position() const;

 private:
  void advance();

  std::unique_ptr<detail::StreamReader> reader_;
  bool failed_ = false;
  std::optional<Result<StreamRecord>> current_;
};

}  // namespace dolmen
