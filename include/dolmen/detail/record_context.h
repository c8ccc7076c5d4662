#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/timestamp.h"
#include "dolmen/value.h"

namespace dolmen {

/// Some of DynamoDB's types.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<Type> types) {
    for (const Type type : types) bits_ = static_cast<std::uint16_t>(bits_ | 1U << static_cast<unsigned>(type));
  }

  [[nodiscard]] constexpr bool contains(Type type) const { return (bits_ >> static_cast<unsigned>(type) & 1U) != 0; }
  [[nodiscard]] constexpr bool overlaps(TypeSet other) const { return (bits_ & other.bits_) != 0; }
  friend constexpr TypeSet operator|(TypeSet a, TypeSet b) {
    a.bits_ = static_cast<std::uint16_t>(a.bits_ | b.bits_);
    return a;
  }
  friend constexpr bool operator==(TypeSet, TypeSet) = default;

 private:
  std::uint16_t bits_ = 0;
};

}  // namespace dolmen

/// What the mapping of records (dolmen/record.h) is made of and what does not depend on the user's types.
namespace dolmen::mapping {

/// Where in a record the mapping is, and what it has found wrong so far.
class Context {
 public:
  /// Stands for a member, an element of a list or an entry of a map while that is being mapped.
  class Step {
   public:
    enum class Kind : std::uint8_t { kMember, kEntry, kElement };

    Step(Context& context, Kind kind, std::string_view name)
        : context_(context), outer_(context.step_), name_(name), kind_(kind) {
      context_.step_ = this;
    }
    Step(Context& context, std::size_t index)
        : context_(context), outer_(context.step_), index_(index), kind_(Kind::kElement) {
      context_.step_ = this;
    }
    ~Step() { context_.step_ = outer_; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    friend class Context;
    Context& context_;
    const Step* outer_;
    std::string_view name_;
    std::size_t index_ = 0;
    Kind kind_;
  };

  /// `form` is that of the times that are written.
  explicit Context(TimestampForm form = TimestampForm::kNineDigits) : timestamp_form_(form) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // These note what is wrong at this place, and return false.
  bool fail(std::string_view rule, std::string message);
  bool wrong_type(TypeSet expected, const AttributeValue& found);
  bool refused_by_converter(const Error& error);

  /// Everything that was noted; `record` is what the paths of the message begin with.
  [[nodiscard]] Error error(std::string_view record) const;
  [[nodiscard]] const std::vector<ErrorDetail>& problems() const noexcept { return problems_; }
  [[nodiscard]] TimestampForm timestamp_form() const noexcept { return timestamp_form_; }

 private:
  [[nodiscard]] std::string path() const;

  const Step* step_ = nullptr;
  TimestampForm timestamp_form_;
  std::vector<ErrorDetail> problems_;
};

// ---- Plain values. Each notes what is wrong. Then what reads returns false and else sets `out`, and what writes
// returns NULL. ----

template <class T>
bool read_plain(Context& context, const AttributeValue& value, Type type, T& out) {
  const T* found = value.get_if<T>();
  if (found == nullptr) return context.wrong_type({type}, value);
  out = *found;
  return true;
}

bool read_integer(Context& context, const AttributeValue& value, std::int64_t least, std::uint64_t most,
                  std::uint64_t& out);
bool read_float(Context& context, const AttributeValue& value, float& out);
bool read_double(Context& context, const AttributeValue& value, double& out);
AttributeValue write_float(Context& context, float value);
AttributeValue write_double(Context& context, double value);
/// `size` is what the binary value must have; npos for any.
const Bytes* read_binary(Context& context, const AttributeValue& value, std::size_t size = std::string_view::npos);
const List* read_list(Context& context, const AttributeValue& value, std::size_t size = std::string_view::npos);
const Item* read_map(Context& context, const AttributeValue& value);

// ---- Time ----

/// A count of ticks in a std::chrono type: `numerator / denominator` seconds each, from `least` to `most`.
struct TickUnit {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;
  std::int64_t least = 0;
  std::int64_t most = 0;
};

/// RFC 3339, in the context's form.
AttributeValue write_time(Context& context, std::int64_t ticks, const TickUnit& unit);
bool read_time(Context& context, const AttributeValue& value, const TickUnit& unit, std::int64_t& ticks);
/// A number of `stored` units, rounded down. A TickUnit's range is that of the C++ type.
AttributeValue write_ticks(Context& context, std::int64_t ticks, const TickUnit& unit, const TickUnit& stored);
bool read_ticks(Context& context, const AttributeValue& value, const TickUnit& unit, const TickUnit& stored,
                std::int64_t& ticks);

// ---- Enumerations ----

struct Enumerator {
  std::string_view name;
  std::uint64_t value = 0;
};

AttributeValue write_enumerator(Context& context, std::uint64_t value, std::span<const Enumerator> known);
bool read_enumerator(Context& context, const AttributeValue& value, std::span<const Enumerator> known,
                     std::uint64_t& out);

// ---- Records ----

struct Member;

/// How the values of one C++ type are mapped.
struct TypeMapping {
  AttributeValue (*write)(Context& context, const void* value);
  bool (*read)(Context& context, const AttributeValue& value, void* out);
  /// The types that `write` writes and `read` reads.
  TypeSet types = {};
  /// The attribute is left out when it would be NULL, and a missing one is read as NULL.
  bool left_out_when_null = false;
  /// A time that is written as text.
  bool is_time = false;
  /// Of a record; none of other types.
  std::span<const Member> (*members)() = nullptr;
};

struct Member {
  std::string_view name;
  std::string_view attribute;
  /// Keeps its default when the attribute is missing.
  bool defaulted = false;
  void* (*locate)(void* record) = nullptr;
  const TypeMapping* type = nullptr;
};

/// Such as "S", "S or N", "S, N or M".
std::string text_of(TypeSet types);

Item write_members(Context& context, const void* record, std::span<const Member> members);
bool read_members(Context& context, const Item& item, std::span<const Member> members, void* record);

// ---- Variants ----

/// Records in a variant carry their name in this attribute.
inline constexpr std::string_view kTagAttribute = "_type";

/// The index of the alternative that `value` is; nothing is noted when there is one. `names` are those of the
/// alternatives that are records, empty for others.
bool find_alternative(Context& context, const AttributeValue& value, std::span<const TypeSet> types,
                      std::span<const std::string_view> names, std::size_t& index);

}  // namespace dolmen::mapping
