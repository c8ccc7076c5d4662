#include "model/loader.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

#include "config/read.h"
#include "model/json_text.h"
#include "model/rules.h"

namespace dolmen {

namespace {

using config::child_path;
using config::Node;
using config::Problem;
using NodeKind = Node::Kind;

void sort_by_position(std::vector<Problem>& problems) {
  std::ranges::stable_sort(
      problems, {}, [](const Problem& problem) { return std::pair(problem.position.line, problem.position.column); });
}

/// Makes models of the tree of a file, and notes whatever has the wrong shape.
class Loader {
 public:
  explicit Loader(const Node& root) : root_(root) {}

  LoadedModels load() && {
    if (root_.kind != NodeKind::kMap) {
      add(root_.position, "", "shape",
          fmt::format("a DMS file must be a map, not a {}; begin it with dms_version: \"{}\"", kind_name(root_.kind),
                      kDmsVersions.front()));
      return finish();
    }
    load_version();
    check_names(root_, "", "a DMS file", {.known = {"dms_version", "namespace", "models"}, .missed = {"dms_version"}});
    set_.namespace_name = text(root_, "", "namespace", Need::kOptional);
    const std::vector<Node>& models = list(root_, "", "models");
    const Node* node = field(root_, "models");
    if (node == nullptr) {
      add(root_.position, "models", "required", "the file has no models; add models: [ … ]");
    } else if (node->kind == NodeKind::kList && models.empty()) {
      add(node->position, "models", "required", "models is empty; add a model");
    } else if (models.size() > kModelsMax) {
      add(node->position, "models", "count", fmt::format("a file has at most {} models", kModelsMax));
    }
    for (std::size_t i = 0; i < std::min(models.size(), kModelsMax); ++i)
      load_model(models[i], child_path("models", i));
    check_unique_models();
    return finish();
  }

 private:
  enum class Need : std::uint8_t { kRequired, kOptional };

  LoadedModels finish() {
    sort_by_position(problems_);
    return {.set = std::move(set_), .problems = std::move(problems_)};
  }

  void add(config::Position position, std::string path, std::string rule, std::string message) {
    problems_.push_back({position, std::move(path), std::move(rule), std::move(message)});
  }

  void wrong_kind(const Node& node, const std::string& path, std::string_view name, std::string_view wanted) {
    add(node.position, path, "shape", fmt::format("{} must be {}, not a {}", name, wanted, kind_name(node.kind)));
  }

  void missing(const Node& map, const std::string& path, std::string_view name) {
    const std::string_view similar = config::similar_name(map, name);
    add(map.position, child_path(path, name), "required",
        similar.empty() ? fmt::format("{} is missing; add it", name)
                        : fmt::format("{0} is missing; write {0} instead of {1} if that was meant", name, similar));
  }

  /// A field that is absent or null is nothing.
  static const Node* field(const Node& map, std::string_view name) {
    const Node* node = map.find(name);
    return node == nullptr || node->kind == NodeKind::kNull ? nullptr : node;
  }

  std::string text(const Node& map, const std::string& path, std::string_view name, Need need = Need::kRequired) {
    const Node* node = field(map, name);
    if (node == nullptr) {
      if (need == Need::kRequired) missing(map, path, name);
      return {};
    }
    if (node->kind == NodeKind::kString) return node->text;
    wrong_kind(*node, child_path(path, name), name, "a string (put it in quotes)");
    return {};
  }

  bool flag(const Node& map, const std::string& path, std::string_view name) {
    const Node* node = field(map, name);
    if (node == nullptr) return false;
    if (node->kind != NodeKind::kBoolean) wrong_kind(*node, child_path(path, name), name, "true or false");
    return node->boolean;
  }

  /// 0 also when the field is something else, which is noted.
  std::int64_t whole_number(const Node& map, const std::string& path, std::string_view name) {
    const Node* node = field(map, name);
    if (node == nullptr) return 0;
    std::int64_t value = 0;
    const char* const end = node->text.data() + node->text.size();
    const auto [read_to, error] = std::from_chars(node->text.data(), end, value);
    if (node->kind == NodeKind::kNumber && error == std::errc() && read_to == end && value != 0) return value;
    add(node->position, child_path(path, name), "shape",
        node->kind == NodeKind::kNumber
            ? fmt::format("{} must be a whole number from 1 on, not {}", name, node->text)
            : fmt::format("{} must be a whole number, not a {}", name, kind_name(node->kind)));
    return 0;
  }

  /// An empty list also when the field is something else, which is noted.
  const std::vector<Node>& list(const Node& map, const std::string& path, std::string_view name) {
    static const std::vector<Node> kNone;
    const Node* node = field(map, name);
    if (node == nullptr) return kNone;
    if (node->kind == NodeKind::kList) return node->elements;
    wrong_kind(*node, child_path(path, name), name, fmt::format("a list (write {}: [ … ])", name));
    return kNone;
  }

  /// A field that holds a map; nothing when it is absent or something else, which is noted.
  const Node* map_field(const Node& map, const std::string& path, std::string_view name, Need need) {
    const Node* node = field(map, name);
    if (node == nullptr) {
      if (need == Need::kRequired) missing(map, path, name);
      return nullptr;
    }
    if (node->kind == NodeKind::kMap) return node;
    const std::string wanted = name == "encryption"   ? "a map (write encryption: {})"
                               : name == "table"      ? "a map (write table: { name: \"…\" })"
                               : name == "projection" ? "a map (write projection: { type: \"ALL\" })"
                                                      : "a map";
    wrong_kind(*node, child_path(path, name), name, wanted);
    return nullptr;
  }

  /// One of a closed list of words; the first of them when the field is absent or wrong, which is noted.
  template <class T, std::size_t kCount>
  T choice(const Node& map, const std::string& path, std::string_view name,
           const std::pair<std::string_view, T> (&choices)[kCount], Need need = Need::kOptional) {
    const std::size_t before = problems_.size();
    const std::string word = text(map, path, name, need);
    if (field(map, name) == nullptr || problems_.size() > before) return choices[0].second;
    std::string all;
    for (const auto& [known, value] : choices) {
      if (known == word) return value;
      all += fmt::format("{}{}", all.empty() ? "" : ", ", known);
    }
    add(field(map, name)->position, child_path(path, name), "choice",
        fmt::format("{} \"{}\" is not known; use one of {}", name, word, all));
    return choices[0].second;
  }

  void load_version() {
    const Node* node = field(root_, "dms_version");
    if (node == nullptr) {
      add(root_.position, "dms_version", "required",
          fmt::format("dms_version is missing; add dms_version: \"{}\"", kDmsVersions.front()));
      return;
    }
    if (node->kind != NodeKind::kString) {
      add(node->position, "dms_version", "dms_version",
          fmt::format("dms_version must be a string, not a {}; write dms_version: \"{}\"", kind_name(node->kind),
                      kDmsVersions.front()));
      return;
    }
    const auto found = std::ranges::find(kDmsVersions, node->text);
    if (found == kDmsVersions.end()) {
      add(node->position, "dms_version", "dms_version",
          fmt::format("dms_version \"{}\" is not supported; this program reads \"{}\"", node->text,
                      fmt::join(kDmsVersions, "\" and \"")));
      return;
    }
    set_.dms_version = static_cast<DmsVersion>(found - kDmsVersions.begin());
  }

  struct Names {
    std::vector<std::string_view> known;
    /// Of these it is said elsewhere when they are missing, and what stands in their place.
    std::vector<std::string_view> missed = {};
    /// Whether names that are not even similar to a known one are refused as well.
    bool all = false;
    /// What to do with such a name.
    std::string_view advice = "remove it, or put it into tags";
  };

  /// Notes names that mean nothing and were probably meant to be others.
  void check_names(const Node& map, const std::string& path, std::string_view what, const Names& names) {
    for (const Node::Entry& entry : map.entries) {
      if (std::ranges::find(names.known, entry.name) != names.known.end()) continue;
      // Where other names are allowed, only what can hardly be one of them is taken for a mistake.
      const std::size_t distance_max = names.all ? 1 + entry.name.size() / 3 : entry.name.size() > 6 ? 2 : 1;
      const std::string_view nearest = config::nearest_name(entry.name, names.known, distance_max);
      const bool is_said = std::ranges::find(names.missed, nearest) != names.missed.end() &&
                           map.find(nearest) == nullptr && config::similar_name(map, nearest) == entry.name;
      if (is_said || (nearest.empty() && !names.all)) continue;
      add(entry.name_position, child_path(path, entry.name), "known_names",
          nearest.empty() ? fmt::format("\"{}\" means nothing in {}; {}", entry.name, what, names.advice)
                          : fmt::format("\"{}\" means nothing in {}; write {}", entry.name, what, nearest));
    }
  }

  void load_model(const Node& node, const std::string& path) {
    if (node.kind != NodeKind::kMap) {
      wrong_kind(node, path, "a model", "a map");
      return;
    }
    const std::size_t before = problems_.size();
    check_names(
        node, path, "a model",
        {.known = {"name", "table", "naming", "keys", "attributes", "indexes", "vector_indexes", "write_policy"},
         .missed = {"name", "table", "keys", "attributes"}});
    Model model{.name = text(node, path, "name"), .table = {}, .partition_key = {}};
    model.dms_version = set_.dms_version;
    if (const Node* table = map_field(node, path, "table", Need::kRequired))
      model.table = text(*table, child_path(path, "table"), "name");
    if (const Node* naming = map_field(node, path, "naming", Need::kOptional))
      model.naming = choice<NamingConvention>(*naming, child_path(path, "naming"), "convention",
                                              {{"camelCase", NamingConvention::kCamelCase},
                                               {"snake_case", NamingConvention::kSnakeCase},
                                               {"dynamorm", NamingConvention::kDynamorm}},
                                              Need::kRequired);
    if (const Node* policy = map_field(node, path, "write_policy", Need::kOptional))
      model.write_policy = load_write_policy(*policy, child_path(path, "write_policy"));
    if (const Node* keys = map_field(node, path, "keys", Need::kRequired)) {
      const std::string keys_path = child_path(path, "keys");
      check_names(*keys, keys_path, "keys", {.known = {"partition", "sort"}, .missed = {"partition"}});
      if (const Node* key = map_field(*keys, keys_path, "partition", Need::kRequired))
        model.partition_key = load_key(*key, child_path(keys_path, "partition"));
      if (const Node* key = map_field(*keys, keys_path, "sort", Need::kOptional))
        model.sort_key = load_key(*key, child_path(keys_path, "sort"));
    }
    load_attributes(node, path, model);
    load_indexes(node, path, model);
    load_vector_indexes(node, path, model);
    check_rules(model, path, before);
    set_.models.push_back(std::move(model));
    model_paths_.push_back(path);
  }

  WritePolicy load_write_policy(const Node& node, const std::string& path) {
    check_names(node, path, "a write_policy", {.known = {"mode", "protected_attributes"}, .all = true});
    WritePolicy policy;
    policy.mode = choice<WriteMode>(node, path, "mode",
                                    {{"mutable", WriteMode::kMutable}, {"write_once", WriteMode::kWriteOnce}});
    policy.protected_attributes = texts(node, path, "protected_attributes", "a protected attribute");
    return policy;
  }

  std::vector<std::string> texts(const Node& node, const std::string& path, std::string_view name,
                                 std::string_view what) {
    std::vector<std::string> all;
    const std::string list_path = child_path(path, name);
    const std::vector<Node>& nodes = list(node, path, name);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].kind == NodeKind::kString)
        all.push_back(nodes[i].text);
      else
        wrong_kind(nodes[i], child_path(list_path, i), what, "a string");
    }
    return all;
  }

  /// What a map says, for those who know what it means.
  static LogicalItem metadata(const Node* map) {
    if (map == nullptr) return {};
    LogicalValue value = logical_value(*map);
    return std::move(*value.get_if<LogicalItem>());
  }

  KeyAttribute load_key(const Node& node, const std::string& path) {
    check_names(node, path, "a key", {.known = {"attribute", "type"}, .missed = {"attribute", "type"}});
    KeyAttribute key;
    key.name = text(node, path, "attribute");
    key.type = choice_of_key_type(node, path);
    return key;
  }

  KeyType choice_of_key_type(const Node& node, const std::string& path) {
    return choice<KeyType>(node, path, "type",
                           {{"S", KeyType::kString}, {"N", KeyType::kNumber}, {"B", KeyType::kBinary}},
                           Need::kRequired);
  }

  void load_attributes(const Node& node, const std::string& path, Model& model) {
    const std::string list_path = child_path(path, "attributes");
    if (field(node, "attributes") == nullptr && !config::similar_name(node, "attributes").empty())
      missing(node, path, "attributes");
    const std::vector<Node>& nodes = list(node, path, "attributes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string item_path = child_path(list_path, i);
      ModelAttribute attribute;
      if (nodes[i].kind == NodeKind::kMap) {
        attribute = load_attribute(nodes[i], item_path);
      } else {
        wrong_kind(nodes[i], item_path + ".attribute", "an attribute", "a map");
      }
      model.attributes.push_back(std::move(attribute));
    }
  }

  ModelAttribute load_attribute(const Node& node, const std::string& path) {
    check_names(node, path, "an attribute",
                {.known = {"attribute", "type", "required", "optional", "omit_empty", "roles", "format", "json",
                           "dimensions", "binary", "encryption", "tags"},
                 .missed = {"attribute", "type"},
                 .all = true});
    ModelAttribute attribute;
    attribute.name = text(node, path, "attribute");
    attribute.type = choice<Type>(node, path, "type",
                                  {{"S", Type::kString},
                                   {"N", Type::kNumber},
                                   {"B", Type::kBinary},
                                   {"BOOL", Type::kBool},
                                   {"M", Type::kMap},
                                   {"L", Type::kList},
                                   {"SS", Type::kStringSet},
                                   {"NS", Type::kNumberSet},
                                   {"BS", Type::kBinarySet},
                                   {"NULL", Type::kNull}},
                                  Need::kRequired);
    attribute.required = flag(node, path, "required");
    attribute.optional = flag(node, path, "optional");
    attribute.omit_empty = flag(node, path, "omit_empty");
    attribute.json = flag(node, path, "json");
    attribute.binary = flag(node, path, "binary");
    const Node* encryption = map_field(node, path, "encryption", Need::kOptional);
    attribute.encrypted = encryption != nullptr;
    attribute.encryption = metadata(encryption);
    attribute.tags = metadata(map_field(node, path, "tags", Need::kOptional));
    if (field(node, "format") != nullptr)
      attribute.format = choice<AttributeFormat>(node, path, "format",
                                                 {{"rfc3339nano", AttributeFormat::kRfc3339Nano},
                                                  {"unix_seconds", AttributeFormat::kUnixSeconds},
                                                  {"int", AttributeFormat::kInt},
                                                  {"decimal_string", AttributeFormat::kDecimalString},
                                                  {"vector", AttributeFormat::kVector}});
    attribute.dimensions = whole_number(node, path, "dimensions");
    const std::string roles_path = child_path(path, "roles");
    const std::vector<Node>& roles = list(node, path, "roles");
    for (std::size_t i = 0; i < roles.size(); ++i) load_role(roles[i], child_path(roles_path, i), attribute);
    return attribute;
  }

  void load_role(const Node& node, const std::string& path, ModelAttribute& attribute) {
    if (node.kind != NodeKind::kString) {
      wrong_kind(node, path, "a role", "a string");
      return;
    }
    constexpr std::pair<std::string_view, Role> kRoles[] = {
        {"pk", Role::kPartitionKey},      {"sk", Role::kSortKey},      {"created_at", Role::kCreatedAt},
        {"updated_at", Role::kUpdatedAt}, {"version", Role::kVersion}, {"ttl", Role::kTtl}};
    constexpr std::pair<std::string_view, Role> kIndexRoles[] = {{"index_pk:", Role::kIndexPartitionKey},
                                                                 {"index_sk:", Role::kIndexSortKey}};
    for (const auto& [name, role] : kRoles) {
      if (node.text == name) {
        attribute.roles.push_back({.role = role});
        return;
      }
    }
    for (const auto& [prefix, role] : kIndexRoles) {
      if (node.text.starts_with(prefix) && node.text.size() > prefix.size()) {
        attribute.roles.push_back({.role = role, .index = node.text.substr(prefix.size())});
        return;
      }
    }
    add(node.position, path, "choice",
        fmt::format("role \"{}\" is not known; use pk, sk, created_at, updated_at, version, ttl, index_pk:<index> or "
                    "index_sk:<index>",
                    node.text));
  }

  void load_indexes(const Node& node, const std::string& path, Model& model) {
    const std::string list_path = child_path(path, "indexes");
    const std::vector<Node>& nodes = list(node, path, "indexes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string item_path = child_path(list_path, i);
      if (nodes[i].kind != NodeKind::kMap) {
        wrong_kind(nodes[i], item_path, "an index", "a map");
      } else if (const Node* type = field(nodes[i], "type"); type != nullptr && type->text == "VECTOR") {
        add(type->position, child_path(item_path, "type"), "choice",
            "a vector index does not stand in indexes; put it into vector_indexes, without a type");
      } else {
        model.indexes.push_back(load_index(nodes[i], item_path));
      }
    }
  }

  ModelIndex load_index(const Node& node, const std::string& path) {
    check_names(
        node, path, "an index",
        {.known = {"name", "type", "partition", "sort", "projection"}, .missed = {"name", "type", "partition"}});
    ModelIndex index;
    index.name = text(node, path, "name");
    index.type = choice<IndexType>(node, path, "type", {{"GSI", IndexType::kGlobal}, {"LSI", IndexType::kLocal}},
                                   Need::kRequired);
    if (const Node* key = map_field(node, path, "partition", Need::kRequired))
      index.partition_key = load_key(*key, child_path(path, "partition"));
    if (const Node* key = map_field(node, path, "sort", Need::kOptional))
      index.sort_key = load_key(*key, child_path(path, "sort"));
    load_projection(node, path, index);
    return index;
  }

  /// Of an index of either kind.
  void load_projection(const Node& node, const std::string& path, auto& index) {
    const Node* projection = map_field(node, path, "projection", Need::kOptional);
    if (projection == nullptr) return;
    const std::string projection_path = child_path(path, "projection");
    index.projection = choice<ProjectionType>(*projection, projection_path, "type",
                                              {{"ALL", ProjectionType::kAll},
                                               {"KEYS_ONLY", ProjectionType::kKeysOnly},
                                               {"INCLUDE", ProjectionType::kInclude}},
                                              Need::kRequired);
    check_names(*projection, projection_path, "a projection", {.known = {"type", "fields"}, .missed = {"type"}});
    index.included_attributes = texts(*projection, projection_path, "fields", "a field");
  }

  void load_vector_indexes(const Node& node, const std::string& path, Model& model) {
    const std::string list_path = child_path(path, "vector_indexes");
    const std::vector<Node>& nodes = list(node, path, "vector_indexes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string item_path = child_path(list_path, i);
      if (nodes[i].kind != NodeKind::kMap) {
        wrong_kind(nodes[i], item_path, "a vector index", "a map");
      } else {
        model.vector_indexes.push_back(load_vector_index(nodes[i], item_path));
      }
    }
  }

  ModelVectorIndex load_vector_index(const Node& node, const std::string& path) {
    check_names(node, path, "a vector index",
                {.known = {"name", "attribute", "distance", "search", "projection"},
                 .missed = {"name", "attribute", "distance"},
                 .all = true,
                 .advice = "remove it"});
    ModelVectorIndex index{.name = text(node, path, "name"), .attribute = text(node, path, "attribute")};
    index.distance = choice<VectorDistance>(node, path, "distance",
                                            {{"COSINE", VectorDistance::kCosine},
                                             {"DOT_PRODUCT", VectorDistance::kDotProduct},
                                             {"EUCLIDEAN", VectorDistance::kEuclidean}},
                                            Need::kRequired);
    const std::string search_path = child_path(path, "search");
    const std::vector<Node>& nodes = list(node, path, "search");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string item_path = child_path(search_path, i);
      if (nodes[i].kind != NodeKind::kMap)
        wrong_kind(nodes[i], item_path, "an attribute to search by", "a map");
      else
        index.search.push_back(load_search_attribute(nodes[i], item_path));
    }
    load_projection(node, path, index);
    return index;
  }

  SearchAttribute load_search_attribute(const Node& node, const std::string& path) {
    check_names(node, path, "an attribute to search by",
                {.known = {"attribute", "type", "role"},
                 .missed = {"attribute", "type", "role"},
                 .all = true,
                 .advice = "remove it"});
    SearchAttribute searched{.name = text(node, path, "attribute")};
    searched.type = choice_of_key_type(node, path);
    searched.role = choice<SearchRole>(node, path, "role",
                                       {{"INLINE_FILTER", SearchRole::kInlineFilter}, {"HASH", SearchRole::kHash}},
                                       Need::kRequired);
    return searched;
  }

  /// The rules of the model itself, without those that only follow from what was noted since `before`.
  void check_rules(const Model& model, const std::string& path, std::size_t before) {
    std::set<std::string> noted;
    for (std::size_t i = before; i < problems_.size(); ++i) {
      noted.insert(problems_[i].path);
      // A missing or misshapen map stands for everything inside it.
      for (const char* inner : {".attribute", ".type", ".name", ".partition.attribute"})
        noted.insert(problems_[i].path + inner);
    }
    for (const Violation& violation : violations_of(model)) {
      const std::string full = child_path(path, violation.path);
      if (noted.contains(full) || (!violation.related.empty() && noted.contains(child_path(path, violation.related))))
        continue;
      add(config::position_of(root_, full), full, violation.rule, violation.message);
    }
  }

  void check_unique_models() {
    std::map<std::string_view, std::size_t> seen;
    for (std::size_t i = 0; i < set_.models.size(); ++i) {
      const std::string& name = set_.models[i].name;
      if (name.empty() || seen.emplace(name, i).second) continue;
      const std::string path = child_path(model_paths_[i], "name");
      add(config::position_of(root_, path), path, "unique_models",
          fmt::format("model \"{}\" is defined twice; rename or remove one", name));
    }
  }

  const Node& root_;
  ModelSet set_;
  std::vector<std::string> model_paths_;
  std::vector<Problem> problems_;
};

}  // namespace

LoadedModels models_of(const Node& root) { return Loader(root).load(); }

LoadedModels read_models(std::string_view text, std::string_view file_name) {
  config::Reading reading = config::read_document(text, file_name);
  if (!reading.root) return {.set = {}, .problems = std::move(reading.problems)};
  LoadedModels loaded = models_of(*reading.root);
  if (reading.problems.empty()) return loaded;
  // What follows only from a value that could not be read is not worth a line.
  std::erase_if(loaded.problems, [&](const Problem& problem) {
    return std::ranges::any_of(reading.problems, [&](const Problem& cause) {
      return problem.path == cause.path || problem.position == cause.position;
    });
  });
  std::ranges::move(reading.problems, std::back_inserter(loaded.problems));
  sort_by_position(loaded.problems);
  return loaded;
}

Result<ModelSet> parse_models(std::string_view text, std::string_view file_name) {
  LoadedModels loaded = read_models(text, file_name);
  if (!loaded.problems.empty())
    return std::unexpected(config::error_of(Code::kInvalidModel, file_name, loaded.problems));
  return std::move(loaded.set);
}

Result<ModelSet> load_models(const std::filesystem::path& file) {
  DOLMEN_TRY(const std::string text, config::read_file(file));
  return parse_models(text, file.string());
}

}  // namespace dolmen
