#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/text_buffer.h"
#include "base/varint.h"
#include "dolmen/number.h"
#include "value/container_writer.h"
#include "value/encoded_item.h"
#include "value/key_codec.h"
#include "value/value_size.h"

namespace dolmen {

/// Appends encoded bytes from front to back, as EncodedReader reads them, and counts the size of what it writes by
/// DynamoDB's rules (item_size). The string must not be used during the writer's lifetime.
class EncodedWriter {
 public:
  explicit EncodedWriter(std::string& out) : out_(out) {}

  void tag(ValueTag tag) { out_.append(static_cast<char>(tag)); }
  /// A value that is only a tag.
  void constant(ValueTag value) {
    tag(value);
    ++item_size_;
  }
  void count(std::size_t count) { out_.written(write_varint(out_.room(kVarintBytes), count)); }
  /// A length and the bytes: a name, a string, a binary. Returns where the bytes begin.
  std::size_t bytes(std::string_view bytes) {
    return this->bytes(bytes.size(), [&](char* at) { copy_text(at, bytes); });
  }
  /// The same for bytes that `write(char*)` writes, as many as announced.
  template <class Write>
  std::size_t bytes(std::size_t size, Write write) {
    char* const at = write_varint(out_.room(kVarintBytes + size), size);
    write(at);
    out_.written(at + size);
    item_size_ += size;
    return out_.size() - size;
  }
  /// The number that a plain decimal stands for. False, without writing, when the text is not one (put_plain_number).
  bool plain_number(std::string_view text) {
    const PutNumber put = put_plain_number(out_.room(kOrderedNumberBytes), text);
    if (put.end == nullptr) return false;
    out_.written(put.end);
    item_size_ += put.size;
    return true;
  }
  void number(const Number& number) {
    out_.written(put_ordered_number(out_.room(kOrderedNumberBytes), number));
    item_size_ += number_size(number);
  }

  /// Begins a list, map or set. Returns where its body begins, for `end_container`.
  std::size_t begin_container(ValueTag container) {
    tag(container);
    out_.written(out_.room(kContainerLengthBytes) + kContainerLengthBytes);
    return out_.size();
  }
  void end_container(std::size_t body) {
    put_container_length(out_.data() + body - kContainerLengthBytes, out_.size() - body);
  }
  /// What a list or a map of so many elements costs besides them. Sets cost nothing more.
  void count_overhead(std::size_t elements) { item_size_ += kContainerOverhead + elements; }

  /// A place to which the writer can go back.
  struct Mark {
    std::size_t bytes = 0;
    std::size_t item_size = 0;
  };
  [[nodiscard]] Mark mark() const { return {out_.size(), item_size_}; }
  void back_to(Mark mark) {
    out_.cut(mark.bytes);
    item_size_ = mark.item_size;
  }

  /// How many bytes the string has.
  [[nodiscard]] std::size_t size() const { return out_.size(); }
  /// The bytes of the string; they may move when more are written.
  [[nodiscard]] char* data() { return out_.data(); }
  /// The size by DynamoDB's rules of what was written.
  [[nodiscard]] std::size_t item_size() const { return item_size_; }

 private:
  TextBuffer out_;
  std::size_t item_size_ = 0;
};

}  // namespace dolmen
