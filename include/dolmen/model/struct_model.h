#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/detail/record_table.h"
#include "dolmen/error.h"
#include "dolmen/model/members.h"
#include "dolmen/model/model.h"
#include "dolmen/model/model_table.h"
#include "dolmen/record.h"
#include "dolmen/table.h"
#include "dolmen/tables.h"

/// A model from a struct alone: DOLMEN_RECORD says which attributes there are and of which types, members say which of
/// them are keys, and nothing is written twice.
namespace dolmen {

namespace detail {

/// What can be a key: text, numbers, bytes, times, enumerations, and what a converter makes of a type.
template <class M>
concept KeyMember =
    !std::same_as<M, bool> && !std::same_as<M, Item> && !mapping::kIsOptional<M> && !mapping::kIsVariant<M> &&
    (mapping::kind_of<M>() == mapping::Kind::kBinary ||
     (!mapping::kIsArray<M> && !mapping::Sequence<M> && !mapping::MapOfStrings<M> && !mapping::Set<M>) ||
     std::same_as<M, std::string>) &&
    mapping::kind_of<M>() != mapping::Kind::kRecord;

/// The same in an index, which leaves out the items without it.
template <class M>
consteval bool is_index_key() {
  if constexpr (mapping::kIsOptional<M>) return KeyMember<mapping::Pointee<M>>;
  return KeyMember<M>;
}

/// How many numbers a member has that is a vector; 0 when only its values know, and nothing when it is no vector.
template <class M>
inline constexpr std::optional<std::int64_t> kVectorLength = std::nullopt;
template <>
inline constexpr std::optional<std::int64_t> kVectorLength<std::vector<float>> = 0;
template <std::size_t N>
inline constexpr std::optional<std::int64_t> kVectorLength<std::array<float, N>> = static_cast<std::int64_t>(N);
template <class M>
inline constexpr std::optional<std::int64_t> kVectorLength<std::optional<M>> = kVectorLength<M>;

constexpr bool has_one_type(TypeSet types) {
  int count = 0;
  for (const Type type : {Type::kString, Type::kNumber, Type::kBinary, Type::kBool, Type::kList, Type::kMap,
                          Type::kStringSet, Type::kNumberSet, Type::kBinarySet})
    count += types.contains(type) ? 1 : 0;
  return count == 1;
}

template <Record T>
constexpr bool members_have_one_type() {
  for (const mapping::Member& member : mapping::kMembers<T>)
    if (!has_one_type(member.type->types)) return false;
  return true;
}

/// An index by the attributes of members.
struct StructIndex {
  std::string name;
  IndexType type = IndexType::kGlobal;
  /// Empty for a local index, which has the table's.
  std::string partition = {};
  std::optional<std::string> sort = std::nullopt;
};

/// A vector index by the attributes of members.
struct StructVectorIndex {
  std::string name;
  std::string attribute;
  /// Of the member's type; 0 when that does not say it.
  std::int64_t length = 0;
  /// What the program says; 0 when it says nothing.
  std::int64_t dimensions = 0;
  VectorDistance distance = VectorDistance::kCosine;
  std::optional<std::string> hash = std::nullopt;
  std::vector<std::string> filters = {};
};

/// What a model has beside the struct's attributes, by attribute names. A name is empty where DOLMEN_RECORD does not
/// name the member.
struct StructModel {
  std::string table;
  std::string partition;
  std::optional<std::string> sort = std::nullopt;
  std::vector<StructIndex> indexes = {};
  std::vector<StructVectorIndex> vectors = {};
  std::vector<std::pair<Role, std::string>> roles = {};
};

/// Fails with kInvalidModel, whose details name every member that does not fit.
Result<Model> model_of(const RecordType& type, const StructModel& wanted);

/// Creates the table of a model, or checks the one that exists. Fails with kInvalidArgument when that lacks something.
Result<void> create_or_check(ModelTable& table, Store& store, std::optional<StreamView> stream,
                             const WaitOptions& wait);

}  // namespace detail

/// The key of a table; see `keys`.
template <Record T>
class Keys {
 public:
  Keys(std::string partition, std::optional<std::string> sort)
      : partition_(std::move(partition)), sort_(std::move(sort)) {}

  [[nodiscard]] const std::string& partition() const noexcept { return partition_; }
  [[nodiscard]] const std::optional<std::string>& sort() const noexcept { return sort_; }

 private:
  std::string partition_;
  std::optional<std::string> sort_;
};

/// The members that are the key of a table: keys(&Note::topic, &Note::written).
template <class T, class P>
auto keys(P T::* partition) {
  static_assert(Record<T>, "describe the struct with DOLMEN_RECORD before it is a table");
  static_assert(detail::KeyMember<P>, "a key is a text, a number, bytes, a time or an enumeration");
  return Keys<T>(std::string(detail::attribute_of(partition)), std::nullopt);
}
template <class T, class P, class S>
auto keys(P T::* partition, S T::* sort) {
  static_assert(Record<T>, "describe the struct with DOLMEN_RECORD before it is a table");
  static_assert(detail::KeyMember<P> && detail::KeyMember<S>,
                "a key is a text, a number, bytes, a time or an enumeration");
  return Keys<T>(std::string(detail::attribute_of(partition)), std::string(detail::attribute_of(sort)));
}

/// An index of a struct's table; see `global_index` and `local_index`.
template <Record T>
struct MemberIndex {
  detail::StructIndex index;
};

/// Finds items by other members than the key. Items without them are not in the index.
template <Record T, class P>
MemberIndex<T> global_index(std::string name, P T::* partition) {
  static_assert(detail::is_index_key<P>(), "a key is a text, a number, bytes, a time or an enumeration");
  return {{.name = std::move(name), .partition = std::string(detail::attribute_of(partition))}};
}
template <Record T, class P, class S>
MemberIndex<T> global_index(std::string name, P T::* partition, S T::* sort) {
  static_assert(detail::is_index_key<P>() && detail::is_index_key<S>(),
                "a key is a text, a number, bytes, a time or an enumeration");
  return {{.name = std::move(name),
           .partition = std::string(detail::attribute_of(partition)),
           .sort = std::string(detail::attribute_of(sort))}};
}
/// Sorts the items of each partition by another member.
template <Record T, class S>
MemberIndex<T> local_index(std::string name, S T::* sort) {
  static_assert(detail::is_index_key<S>(), "a key is a text, a number, bytes, a time or an enumeration");
  return {{.name = std::move(name), .type = IndexType::kLocal, .sort = std::string(detail::attribute_of(sort))}};
}

/// What a vector index has beside its vector. Members are named as `&Note::tenant`.
template <Record T>
struct VectorIndexOptions {
  /// How many numbers the vectors have: needed for a std::vector<float>, whose type does not say it.
  std::int64_t dimensions = 0;
  VectorDistance distance = VectorDistance::kCosine;
  /// Every search names one value of it, and looks only at the items that have it.
  MemberOf<T> hash = {};
  /// A search may name one value of each.
  std::vector<MemberOf<T>> filters = {};
};

/// A vector index of a struct's table; see `vector_index`.
template <Record T>
struct MemberVectorIndex {
  detail::StructVectorIndex index;
};

/// Finds the items whose vectors are nearest to another (`Table::nearest`). The member is a std::array<float, N>, a
/// std::vector<float>, or an optional one; items without it are not in the index, which carries everything else:
///
///     vector_index("by_meaning", &Note::meaning, {.hash = &Note::tenant, .filters = {&Note::year}})
template <Record T, class V>
MemberVectorIndex<T> vector_index(std::string name, V T::* vector, const VectorIndexOptions<T>& options = {}) {
  static_assert(detail::kVectorLength<V>.has_value(),
                "a vector is a std::array<float, N>, a std::vector<float>, or an optional one");
  detail::StructVectorIndex index{.name = std::move(name),
                                  .attribute = std::string(detail::attribute_of(vector)),
                                  .length = *detail::kVectorLength<V>,
                                  .dimensions = options.dimensions,
                                  .distance = options.distance};
  if (options.hash.given()) index.hash = options.hash.attribute();
  for (const MemberOf<T>& filter : options.filters)
    if (filter.given()) index.filters.push_back(filter.attribute());
  return {std::move(index)};
}

/// What a table from a struct alone has beside its keys. Members are named as `&Note::expires`.
template <Record T>
struct TableOptions {
  std::vector<MemberIndex<T>> indexes = {};
  std::vector<MemberVectorIndex<T>> vectors = {};
  /// When an item may be removed: seconds since 1970, or a time `as_seconds`.
  MemberOf<T> ttl = {};
  std::optional<StreamView> stream = std::nullopt;
  /// A number that counts the updates of an item and guards them against each other; see `Table::update`.
  MemberOf<T> version = {};
  /// Texts or times that are set when an item is put, and whenever it is written.
  MemberOf<T> created_at = {};
  MemberOf<T> updated_at = {};
  /// Where they come from; the machine's clock when it is empty.
  Now now = {};
  WaitOptions wait = {};
};

/// The model of a struct. As a DMS document (`dms_document`) it tells programs in other languages what the items are.
/// Fails with kInvalidModel, whose details name every member that does not fit.
template <Record T>
Result<Model> model_of(const std::string& table, const Keys<T>& keys, const TableOptions<T>& options = {}) {
  static_assert(detail::members_have_one_type<T>(),
                "a member of a table has one type of DynamoDB; a variant, an AttributeValue and a Converter without "
                "kTypes do not");
  detail::StructModel wanted{.table = table, .partition = keys.partition(), .sort = keys.sort()};
  for (const MemberIndex<T>& index : options.indexes) wanted.indexes.push_back(index.index);
  for (const MemberVectorIndex<T>& index : options.vectors) wanted.vectors.push_back(index.index);
  const auto add_role = [&](Role role, const MemberOf<T>& member) {
    if (member.given()) wanted.roles.emplace_back(role, member.attribute());
  };
  add_role(Role::kTtl, options.ttl);
  add_role(Role::kVersion, options.version);
  add_role(Role::kCreatedAt, options.created_at);
  add_role(Role::kUpdatedAt, options.updated_at);
  return detail::model_of(detail::record_type<T>(), wanted);
}

}  // namespace dolmen
