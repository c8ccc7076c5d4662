#include "dolmen/model/struct_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

#include "base/fail.h"
#include "dolmen/model/model_table.h"
#include "model/types.h"

namespace dolmen::detail {
namespace {

/// The only type of a member, besides NULL; there is one, because members_have_one_type has been asked.
Type type_of(const mapping::Member& member) {
  for (const Type type : {Type::kString, Type::kNumber, Type::kBinary, Type::kBool, Type::kList, Type::kMap,
                          Type::kStringSet, Type::kNumberSet})
    if (member.type->types.contains(type)) return type;
  return Type::kBinarySet;
}

ModelAttribute attribute_of_member(const mapping::Member& member) {
  const Type type = type_of(member);
  const bool optional = member.type->left_out_when_null || member.defaulted;
  return {.name = std::string(member.attribute),
          .type = type,
          .required = !optional,
          .optional = optional,
          // DynamoDB has no empty sets.
          .omit_empty = is_set(type)};
}

AttributeFormat format_of_role(Role role) {
  switch (role) {
    case Role::kCreatedAt:
    case Role::kUpdatedAt: return AttributeFormat::kRfc3339Nano;
    case Role::kVersion: return AttributeFormat::kInt;
    case Role::kTtl: return AttributeFormat::kUnixSeconds;
    default: return AttributeFormat::kNone;
  }
}

/// Makes the parts of a model that name attributes, and gathers what is wrong with them.
class Maker {
 public:
  Maker(Model& model, const RecordType& type) : model_(model), type_(type) {}

  KeyAttribute key(std::string_view attribute, std::string_view of_what) {
    const ModelAttribute* found = find(attribute, of_what);
    if (found == nullptr) return {};
    if (const std::optional<KeyType> key_type = key_type_of(found->type))
      return {.name = found->name, .type = *key_type};
    note(found->name, fmt::format("is of type {} and cannot be a key of {}", type_name(found->type), of_what));
    return {};
  }

  void role(Role role, std::string_view attribute) {
    ModelAttribute* found = find(attribute, role_text({.role = role}));
    if (found == nullptr) return;
    found->roles.push_back({.role = role});
    found->format = format_of_role(role);
    // The library writes it when the struct does not.
    if (role != Role::kTtl) found->required = false;
  }

  void vector_index(const StructVectorIndex& wanted) {
    const std::string what = fmt::format("the vector index \"{}\"", wanted.name);
    ModelAttribute* attribute = find(wanted.attribute, what);
    if (attribute == nullptr) return;
    const std::int64_t dimensions = wanted.length != 0 ? wanted.length : wanted.dimensions;
    if (dimensions == 0)
      note(attribute->name, fmt::format("is a std::vector; say how many dimensions {} has", what));
    else if (wanted.dimensions != 0 && wanted.dimensions != dimensions)
      note(attribute->name,
           fmt::format("has {} numbers, and {} is said to have {}", dimensions, what, wanted.dimensions));
    else if (attribute->dimensions != 0 && attribute->dimensions != dimensions)
      note(attribute->name,
           fmt::format("has {} numbers in one index and {} in {}", attribute->dimensions, dimensions, what));
    attribute->format = AttributeFormat::kVector;
    attribute->dimensions = dimensions;
    ModelVectorIndex made{.name = wanted.name, .attribute = attribute->name, .distance = wanted.distance};
    const auto search_by = [&](std::string_view name, SearchRole role) {
      const KeyAttribute searched = key(name, what);
      made.search.push_back({.name = searched.name, .type = searched.type, .role = role});
    };
    if (wanted.hash) search_by(*wanted.hash, SearchRole::kHash);
    for (const std::string& filter : wanted.filters) search_by(filter, SearchRole::kInlineFilter);
    model_.vector_indexes.push_back(std::move(made));
  }

  [[nodiscard]] Result<void> verdict() const {
    if (problems_.empty()) return {};
    std::string message;
    for (const ErrorDetail& problem : problems_)
      fmt::format_to(std::back_inserter(message), "{}{}.{} {}", message.empty() ? "" : "; ", type_.name, problem.path,
                     problem.message);
    return std::unexpected(Error(Code::kInvalidModel, std::move(message), problems_));
  }

 private:
  static std::optional<KeyType> key_type_of(Type type) {
    switch (type) {
      case Type::kString: return KeyType::kString;
      case Type::kNumber: return KeyType::kNumber;
      case Type::kBinary: return KeyType::kBinary;
      default: return std::nullopt;
    }
  }

  ModelAttribute* find(std::string_view attribute, std::string_view of_what) {
    const auto found = std::ranges::find(model_.attributes, attribute, &ModelAttribute::name);
    if (found != model_.attributes.end()) return &*found;
    note("?", fmt::format("is a member for {} that DOLMEN_RECORD does not name", of_what));
    return nullptr;
  }

  void note(std::string path, std::string message) {
    problems_.push_back({std::move(path), "member", std::move(message)});
  }

  Model& model_;
  const RecordType& type_;
  std::vector<ErrorDetail> problems_;
};

}  // namespace

Result<Model> model_of(const RecordType& type, const StructModel& wanted) {
  Model model{.name = std::string(type.name), .table = wanted.table, .dms_version = DmsVersion::k0_2};
  for (const mapping::Member& member : type.members) model.attributes.push_back(attribute_of_member(member));
  Maker maker(model, type);
  model.partition_key = maker.key(wanted.partition, "the table");
  if (wanted.sort) model.sort_key = maker.key(*wanted.sort, "the table");
  for (const StructIndex& index : wanted.indexes) {
    const std::string what = fmt::format("the index \"{}\"", index.name);
    const bool local = index.type == IndexType::kLocal;
    ModelIndex& made = model.indexes.emplace_back(
        ModelIndex{.name = index.name,
                   .type = index.type,
                   .partition_key = local ? model.partition_key : maker.key(index.partition, what)});
    if (index.sort) made.sort_key = maker.key(*index.sort, what);
  }
  for (const StructVectorIndex& index : wanted.vectors) maker.vector_index(index);
  for (const auto& [role, attribute] : wanted.roles) maker.role(role, attribute);
  DOLMEN_TRY_VOID(maker.verdict());
  const auto add_key_role = [&](const KeyAttribute& key, Role role) {
    const auto found = std::ranges::find(model.attributes, key.name, &ModelAttribute::name);
    found->roles.push_back({.role = role});
  };
  add_key_role(model.partition_key, Role::kPartitionKey);
  if (model.sort_key) add_key_role(*model.sort_key, Role::kSortKey);
  return model;
}

Result<void> create_or_check(ModelTable& table, Store& store, std::optional<StreamView> stream,
                             const WaitOptions& wait) {
  DOLMEN_TRY(const TableDescription found, table.ensure_table(wait));
  const std::optional<StreamView>& present = found.definition.stream;
  if (!stream || present == stream) return {};
  if (present)
    return fail(Code::kInvalidArgument, "the stream of table \"{}\" has {}, not {}", table.table(),
                stream_view_name(*present), stream_view_name(*stream));
  DOLMEN_TRY_VOID(
      store.update_table({.table = table.table(), .stream = StreamUpdate{.enabled = true, .view = *stream}}));
  DOLMEN_TRY_VOID(wait_until_active(store, table.table(), wait));
  return {};
}

}  // namespace dolmen::detail
