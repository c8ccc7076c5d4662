#include "dolmen/stream_range.h"

#include <utility>

#include "store/stream_reader.h"

namespace dolmen {

StreamRange::StreamRange(Service& service, std::string table, StreamOptions options)
    : reader_(std::make_unique<detail::StreamReader>(service, std::move(table), std::move(options))) {}

StreamRange::~StreamRange() = default;
StreamRange::StreamRange(StreamRange&& other) noexcept = default;
StreamRange& StreamRange::operator=(StreamRange&& other) noexcept = default;

StreamRange::Iterator StreamRange::begin() {
  if (!current_) advance();
  return Iterator(this);
}

void StreamRange::advance() {
  current_.reset();
  if (failed_) return;
  Result<std::optional<StreamRecord>> next = reader_->next();
  if (!next) {
    failed_ = true;
    current_.emplace(std::unexpected(std::move(next).error()));
  } else if (*next) {
    current_.emplace(**std::move(next));
  }
}

std::string StreamRange::position() const { return reader_->position(); }

}  // namespace dolmen
