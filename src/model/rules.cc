#include "model/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

#include "base/limits.h"
#include "dolmen/error.h"
#include "model/dms_names.h"
#include "model/naming.h"
#include "model/types.h"
#include "model/vector_index_rules.h"
#include "service/table_rules.h"

namespace dolmen {

namespace {

/// The fields that an index may include by themselves.
constexpr std::size_t kIncludedMax = 20;

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

/// Checks one model and gathers what is wrong.
class Rules {
 public:
  explicit Rules(const Model& model) : model_(model) {}

  std::vector<Violation> check() && {
    if (is_blank(model_.name)) add("name", "required", "the model has no name; give it one");
    if (is_blank(model_.table))
      add("table.name", "required", fmt::format("model \"{}\" has no table; name one", model_.name));
    else
      check_dynamodb_name("table.name", "table", model_.table);
    check_naming();
    check_write_policy();
    check_key("keys.partition", "keys.partition", model_.partition_key);
    if (model_.sort_key) check_key("keys.sort", "keys.sort", *model_.sort_key);
    if (model_.sort_key && !model_.sort_key->name.empty() && model_.sort_key->name == model_.partition_key.name)
      add("keys.sort.attribute", "keys",
          fmt::format("the partition key and the sort key are both \"{}\"; name two attributes",
                      model_.sort_key->name));
    check_attributes();
    check_indexes();
    check_vectors(model_, violations_);
    return std::move(violations_);
  }

 private:
  void add(std::string path, std::string rule, std::string message, std::string related = {}) {
    violations_.push_back({std::move(path), std::move(rule), std::move(message), std::move(related)});
  }

  /// Names of tables and indexes, as AWS takes them.
  void check_dynamodb_name(std::string path, std::string_view what, std::string_view name) {
    if (name.size() < limits::kTableNameMin || name.size() > limits::kTableNameMax)
      add(std::move(path), "name_length",
          fmt::format("the name of {} \"{}\" has {} characters; AWS takes {} to {}", what,
                      name.substr(0, limits::kTableNameMax), name.size(), limits::kTableNameMin,
                      limits::kTableNameMax));
    else if (!std::ranges::all_of(name, is_name_character))
      add(std::move(path), "name_characters",
          fmt::format("the name of {} \"{}\" may have only the characters a-z, A-Z, 0-9, _, - and .; rename it", what,
                      name));
  }

  void check_naming() {
    if (model_.naming == NamingConvention::kDynamorm && model_.dms_version == DmsVersion::k0_1)
      add("naming.convention", "dms_version",
          "the naming convention dynamorm needs dms_version \"0.2\"; write that, or use camelCase");
  }

  void check_write_policy() {
    const WritePolicy& policy = model_.write_policy;
    if (policy != WritePolicy{} && model_.dms_version == DmsVersion::k0_1)
      add("write_policy", "dms_version", "a write_policy needs dms_version \"0.2\"; write that, or remove the policy");
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < policy.protected_attributes.size(); ++i) {
      const std::string& name = policy.protected_attributes[i];
      const std::string path = fmt::format("write_policy.protected_attributes[{}]", i);
      if (!index_of(name))
        add(path, "write_policy",
            fmt::format("write_policy protects \"{}\", which is not an attribute; add it to attributes or correct the "
                        "name",
                        name));
      else if (!seen.insert(name).second)
        add(path, "write_policy", fmt::format("write_policy names \"{}\" twice; remove one", name));
    }
  }

  /// The number of the attribute of that name.
  [[nodiscard]] std::optional<std::size_t> index_of(std::string_view name) const {
    for (std::size_t i = 0; i < model_.attributes.size(); ++i)
      if (model_.attributes[i].name == name) return i;
    return std::nullopt;
  }

  /// A key of the table, or of an index: it must be an attribute, of the same type, and not encrypted. `who` begins the
  /// messages, such as: index "gsi-email" names partition.
  void check_key(const std::string& path, std::string_view who, const KeyAttribute& key) {
    if (is_blank(key.name)) {
      add(path + ".attribute", "required", fmt::format("{} does not name an attribute; name one", who));
      return;
    }
    // Without any attributes it is enough to say that.
    if (model_.attributes.empty()) return;
    const std::optional<std::size_t> at = index_of(key.name);
    const bool of_table = path.starts_with("keys.");
    const std::string names = of_table ? fmt::format("{} names", who) : std::string(who);
    if (!at) {
      add(path + ".attribute", "keys",
          fmt::format("{} \"{}\", which is not an attribute; add it to attributes or correct the name", names,
                      key.name));
      return;
    }
    if (key.name.size() > limits::kKeyAttributeNameBytes)
      add(path + ".attribute", "name_length",
          fmt::format("{} an attribute whose name has {} bytes; AWS takes at most {} for a key", names, key.name.size(),
                      limits::kKeyAttributeNameBytes));
    const ModelAttribute& attribute = model_.attributes[*at];
    if (attribute.type != type_of(key.type))
      add(path + ".type", "key_type",
          fmt::format("{} \"{}\" of type {}, but the attribute is of type {}; make them the same", names, key.name,
                      key_type_name(key.type), type_name(attribute.type)),
          fmt::format("attributes[{}].type", *at));
    if (attribute.encrypted)
      add(fmt::format("attributes[{}].encryption", *at), "encrypted_key",
          fmt::format("{} \"{}\", which is encrypted; remove its encryption or choose another key", names, key.name));
  }

  void check_attributes() {
    if (model_.attributes.empty())
      add("attributes", "required", fmt::format("model \"{}\" has no attributes; list them", model_.name));
    if (model_.attributes.size() > kAttributesMax)
      add("attributes", "count", fmt::format("a model has at most {} attributes", kAttributesMax));
    std::map<std::string_view, std::size_t> seen;
    for (std::size_t i = 0; i < model_.attributes.size(); ++i) {
      const ModelAttribute& attribute = model_.attributes[i];
      const std::string path = fmt::format("attributes[{}]", i);
      if (attribute.name.empty()) {
        add(path + ".attribute", "required", "the attribute has no name; give it one");
        continue;
      }
      if (!seen.emplace(attribute.name, i).second)
        add(path + ".attribute", "unique_attributes",
            fmt::format("attribute \"{}\" is listed twice; remove or rename one", attribute.name));
      check_name(path, attribute);
      check_flags(path, attribute);
      check_format(path, attribute);
      for (std::size_t j = 0; j < attribute.roles.size(); ++j)
        check_role(fmt::format("{}.roles[{}]", path, j), attribute, attribute.roles[j], path + ".type");
    }
  }

  void check_name(const std::string& path, const ModelAttribute& attribute) {
    if (attribute.name.size() > limits::kAttributeNameBytes)
      add(path + ".attribute", "name_length",
          fmt::format("the name of an attribute has at most {} bytes", limits::kAttributeNameBytes));
    if (follows_convention(attribute.name, model_.naming)) return;
    const std::string better = suggested_name(attribute.name, model_.naming);
    add(path + ".attribute", "naming.convention",
        fmt::format("attribute \"{}\" breaks naming.convention {}{}", attribute.name, convention_name(model_.naming),
                    better.empty() ? "; rename it" : fmt::format(" (try \"{}\")", better)));
  }

  void check_flags(const std::string& path, const ModelAttribute& attribute) {
    if (attribute.required && attribute.optional)
      add(path + ".optional", "required_or_optional",
          fmt::format("attribute \"{}\" is both required and optional; remove one of them", attribute.name));
    if (attribute.json && attribute.binary)
      add(path + ".binary", "json_or_binary",
          fmt::format("attribute \"{}\" is both json and binary; remove one of them", attribute.name));
    if (attribute.json && !may_be_json(attribute.type))
      add(path + ".type", "json_type",
          fmt::format("attribute \"{}\" is json and must be of type {}, not {}{}", attribute.name,
                      model_.dms_version == DmsVersion::k0_1 ? "S" : "S, N, BOOL, NULL, L or M",
                      type_name(attribute.type),
                      may_be_json_since_0_2(attribute.type) ? ", or the file of dms_version \"0.2\"" : ""));
    if (attribute.binary && attribute.type != Type::kBinary)
      add(path + ".type", "binary_type",
          fmt::format("attribute \"{}\" is binary and must be of type B, not {}", attribute.name,
                      type_name(attribute.type)));
  }

  [[nodiscard]] bool may_be_json(Type type) const {
    if (model_.dms_version == DmsVersion::k0_1) return type == Type::kString;
    return may_be_json_since_0_2(type);
  }

  static bool may_be_json_since_0_2(Type type) { return type != Type::kBinary && !is_set(type); }

  void check_format(const std::string& path, const ModelAttribute& attribute) {
    if (attribute.format == AttributeFormat::kNone) return;
    const bool is_time_text = attribute.format == AttributeFormat::kRfc3339Nano;
    const bool is_list = is_vector(attribute);
    const Type needed = is_time_text ? Type::kString : is_list ? Type::kList : Type::kNumber;
    if (attribute.type == needed && !attribute.json) return;
    add(path + ".format", "format",
        fmt::format("attribute \"{}\" has format {}, which is for attributes of type {}{}; correct one of them",
                    attribute.name, format_name(attribute.format), type_name(needed),
                    is_time_text || is_list ? " without json" : ""),
        path + ".type");
  }

  void check_role(const std::string& path, const ModelAttribute& attribute, const AttributeRole& role,
                  const std::string& type_path) {
    switch (role.role) {
      case Role::kPartitionKey: agrees_with_key(path, attribute, role, &model_.partition_key, "keys.partition"); break;
      case Role::kSortKey:
        agrees_with_key(path, attribute, role, model_.sort_key ? &*model_.sort_key : nullptr, "keys.sort");
        break;
      case Role::kIndexPartitionKey:
      case Role::kIndexSortKey: agrees_with_index(path, attribute, role); break;
      case Role::kCreatedAt:
      case Role::kUpdatedAt: check_lifecycle(path, attribute, role, {Type::kString, type_path}); break;
      case Role::kVersion:
      case Role::kTtl: check_lifecycle(path, attribute, role, {Type::kNumber, type_path}); break;
    }
    const auto [first, fresh] = roles_.emplace(role_text(role), attribute.name);
    if (!fresh)
      add(path, "unique_roles",
          fmt::format("attributes \"{}\" and \"{}\" both have the role {}; remove it from one", first->second,
                      attribute.name, first->first));
  }

  void agrees_with_key(const std::string& path, const ModelAttribute& attribute, const AttributeRole& role,
                       const KeyAttribute* key, std::string_view key_path) {
    if (key == nullptr) {
      add(path, "role_key",
          fmt::format("attribute \"{}\" has the role {}, but there is no {}; add it or remove the role", attribute.name,
                      role_text(role), key_path));
    } else if (key->name != attribute.name) {
      add(path, "role_key",
          fmt::format("attribute \"{}\" has the role {}, but {} is \"{}\"; make them the same", attribute.name,
                      role_text(role), key_path, key->name),
          fmt::format("{}.attribute", key_path));
    }
  }

  void agrees_with_index(const std::string& path, const ModelAttribute& attribute, const AttributeRole& role) {
    const ModelIndex* index = model_.find_index(role.index);
    if (index == nullptr) {
      add(path, "role_index",
          fmt::format(
              "attribute \"{}\" has the role {}, but there is no index \"{}\"; correct the name or remove the role",
              attribute.name, role_text(role), role.index));
      return;
    }
    const bool partition = role.role == Role::kIndexPartitionKey;
    const KeyAttribute* key = partition ? &index->partition_key : index->sort_key ? &*index->sort_key : nullptr;
    if (key == nullptr || key->name != attribute.name)
      add(path, "role_index",
          fmt::format("attribute \"{}\" has the role {}, but the {} of that index is {}; make them the same",
                      attribute.name, role_text(role), partition ? "partition" : "sort",
                      key == nullptr ? "missing" : fmt::format("\"{}\"", key->name)));
  }

  struct NeededType {
    Type type;
    std::string path;
  };

  void check_lifecycle(const std::string& path, const ModelAttribute& attribute, const AttributeRole& role,
                       const NeededType& needed) {
    if (attribute.type != needed.type)
      add(path, "role_type",
          fmt::format("attribute \"{}\" has the role {} and must be of type {}, not {}", attribute.name,
                      role_text(role), type_name(needed.type), type_name(attribute.type)),
          needed.path);
    if (attribute.json)
      add(path, "role_type",
          fmt::format("attribute \"{}\" has the role {} and cannot be json; remove json", attribute.name,
                      role_text(role)));
    if (attribute.encrypted)
      add(path, "role_encrypted",
          fmt::format("attribute \"{}\" has the role {} and cannot be encrypted; remove its encryption", attribute.name,
                      role_text(role)));
  }

  void check_indexes() {
    std::size_t local = 0;
    std::size_t projected = 0;
    std::map<std::string_view, std::size_t> seen;
    for (std::size_t i = 0; i < model_.indexes.size(); ++i) {
      const ModelIndex& index = model_.indexes[i];
      const std::string path = fmt::format("indexes[{}]", i);
      local += index.type == IndexType::kLocal ? 1 : 0;
      if (is_blank(index.name)) {
        add(path + ".name", "required", "the index has no name; give it one");
      } else if (!seen.emplace(index.name, i).second) {
        add(path + ".name", "unique_indexes",
            fmt::format("index \"{}\" is listed twice; remove or rename one", index.name));
      }
      if (!is_blank(index.name)) check_dynamodb_name(path + ".name", "index", index.name);
      projected += index.included_attributes.size();
      check_index(path, index);
    }
    if (local > limits::kLocalIndexes)
      add("indexes", "count", fmt::format("a table has at most {} local indexes", limits::kLocalIndexes));
    if (model_.indexes.size() - local > limits::kGlobalIndexes)
      add("indexes", "count", fmt::format("a table has at most {} global indexes", limits::kGlobalIndexes));
    if (projected > limits::kProjectedAttributes)
      add("indexes", "count",
          fmt::format("the indexes of a table include at most {} fields in all", limits::kProjectedAttributes));
  }

  void check_index(const std::string& path, const ModelIndex& index) {
    const std::string label = is_blank(index.name) ? "the index" : fmt::format("index \"{}\"", index.name);
    check_key(path + ".partition", label + " names partition", index.partition_key);
    if (index.sort_key) {
      check_key(path + ".sort", label + " names sort", *index.sort_key);
      if (!index.sort_key->name.empty() && index.sort_key->name == index.partition_key.name)
        add(path + ".sort.attribute", "keys",
            fmt::format("{} has \"{}\" as its partition key and as its sort key; name two attributes", label,
                        index.sort_key->name));
    }
    if (index.type == IndexType::kLocal) check_local_index(path, index);
    const bool includes = index.projection == ProjectionType::kInclude;
    if (includes && index.included_attributes.empty())
      add(path + ".projection", "projection",
          fmt::format("{} has projection INCLUDE without fields; list the fields", label));
    if (!includes && !index.included_attributes.empty())
      add(path + ".projection.fields", "projection",
          fmt::format("{} lists fields, which only projection INCLUDE allows; remove them or change the type", label),
          path + ".projection.type");
    check_included(path + ".projection.fields", label, index.included_attributes);
  }

  void check_included(const std::string& path, const std::string& label, const std::vector<std::string>& fields) {
    if (fields.size() > kIncludedMax)
      add(path, "projection",
          fmt::format("{} includes {} fields; AWS takes at most {}", label, fields.size(), kIncludedMax));
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string place = fmt::format("{}[{}]", path, i);
      if (fields[i].empty() || fields[i].size() > limits::kKeyAttributeNameBytes)
        add(place, "projection",
            fmt::format("{} includes a field whose name has {} bytes; AWS takes 1 to {}", label, fields[i].size(),
                        limits::kKeyAttributeNameBytes));
      else if (!seen.insert(fields[i]).second)
        add(place, "projection", fmt::format("{} includes \"{}\" twice; remove one", label, fields[i]));
    }
  }

  void check_local_index(const std::string& path, const ModelIndex& index) {
    if (index.partition_key.name != model_.partition_key.name)
      add(path + ".partition.attribute", "local_index",
          fmt::format("local index \"{}\" has partition \"{}\"; it must be the table's, \"{}\"", index.name,
                      index.partition_key.name, model_.partition_key.name),
          "keys.partition.attribute");
    if (!index.sort_key)
      add(path + ".sort", "local_index",
          fmt::format("local index \"{}\" has no sort key; add one or make it a GSI", index.name));
    if (!model_.sort_key)
      add(path + ".type", "local_index",
          fmt::format("local index \"{}\" needs a table with a sort key; add keys.sort or make it a GSI", index.name));
  }

  const Model& model_;
  std::vector<Violation> violations_;
  std::map<std::string, std::string> roles_;
};

}  // namespace

std::vector<Violation> violations_of(const Model& model) { return Rules(model).check(); }

Result<void> check_model(const Model& model) {
  std::vector<Violation> violations = violations_of(model);
  if (violations.empty()) return {};
  std::vector<ErrorDetail> details;
  for (Violation& violation : violations)
    details.push_back({std::move(violation.path), std::move(violation.rule), std::move(violation.message)});
  std::string message = fmt::format("model \"{}\": {}", model.name, details.front().message);
  if (details.size() > 1) message += fmt::format(" (and {} more)", details.size() - 1);
  return std::unexpected(Error(Code::kInvalidModel, std::move(message), std::move(details)));
}

}  // namespace dolmen
