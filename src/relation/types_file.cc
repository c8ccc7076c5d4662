// Resource types from a file that people write.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/fail.h"
#include "config/read.h"
#include "dolmen/relation/resource_types.h"
#include "dolmen/relation/urn.h"
#include "relation/bound_types.h"

namespace dolmen {
namespace {

using config::child_path;
using config::Node;
using config::Problem;
using Kind = Node::Kind;

/// One change of an upcaster that is written in a file.
struct Step {
  enum class Kind : std::uint8_t { kRename, kDefault, kRemove };
  Kind kind = Kind::kRename;
  std::string attribute;
  /// Of a rename.
  std::string new_name = {};
  /// Of a default.
  AttributeValue value = nullptr;
};

Upcaster upcaster_of(std::vector<Step> steps) {
  return [steps = std::move(steps)](Item attributes) -> Result<Item> {
    for (const Step& step : steps) {
      const AttributeValue* found = attributes.find(step.attribute);
      switch (step.kind) {
        case Step::Kind::kRename:
          if (found == nullptr) break;
          attributes.set(step.new_name, AttributeValue(*found));
          attributes.erase(step.attribute);
          break;
        case Step::Kind::kDefault:
          if (found == nullptr) attributes.set(step.attribute, step.value);
          break;
        case Step::Kind::kRemove: attributes.erase(step.attribute); break;
      }
    }
    return attributes;
  };
}

std::optional<AttributeValue> scalar_value(const Node& node) {
  switch (node.kind) {
    case Kind::kNull: return AttributeValue(nullptr);
    case Kind::kBoolean: return AttributeValue(node.boolean);
    case Kind::kString: return AttributeValue(node.text);
    case Kind::kNumber:
      if (Result<Number> number = Number::parse(node.text)) return AttributeValue(*std::move(number));
      return std::nullopt;
    default: return std::nullopt;
  }
}

/// Makes types of the tree of a file, and notes whatever is wrong.
class TypesReader {
 public:
  /// Without a folder there are no files to name.
  TypesReader(const Node& root, std::optional<std::filesystem::path> folder)
      : root_(root), folder_(std::move(folder)) {}

  std::vector<Problem> read(ResourceTypes& types) && {
    known_fields(root_, "", {"domain", "ids", "types"});
    if (root_.kind != Kind::kMap) return std::move(problems_);
    if (const Node* domain = root_.find("domain")) {
      types.domain = text(*domain, "domain");
      if (const Result<void> good = check_domain(types.domain); !good)
        add(*domain, "domain", "rule", good.error().message());
    }
    types.ids = choice<IdPolicy>(root_, "", "ids", {{"uuid7", IdPolicy::kUuidV7}, {"any", IdPolicy::kAny}});
    const std::vector<Node>& list = elements(root_, "", "types");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string path = child_path("types", i);
      ResourceType type = read_type(list[i], path);
      if (const Result<void> added = types.add(std::move(type)); !added && problems_.empty())
        add(list[i], path, "rule", added.error().message());
    }
    check_parents(types, list);
    return std::move(problems_);
  }

 private:
  template <class T>
  using Words = std::vector<std::pair<std::string_view, T>>;

  void add(const Node& node, std::string path, std::string rule, std::string message) {
    problems_.push_back({node.position, std::move(path), std::move(rule), std::move(message)});
  }

  void known_fields(const Node& node, const std::string& path, const std::vector<std::string_view>& names) {
    if (node.kind != Kind::kMap)
      return add(node, path, "shape", fmt::format("expected a map with {}", fmt::join(names, ", ")));
    for (const Node::Entry& entry : node.entries)
      if (std::ranges::find(names, entry.name) == names.end())
        add(entry.value, child_path(path, entry.name), "unknown",
            fmt::format("{} is not allowed here; use {}", entry.name, fmt::join(names, ", ")));
  }

  std::string text(const Node& node, const std::string& path) {
    if (node.kind == Kind::kString && !node.text.empty()) return node.text;
    add(node, path, "shape", fmt::format("expected text, found {}", kind_name(node.kind)));
    return {};
  }

  const std::vector<Node>& elements(const Node& map, const std::string& path, std::string_view name) {
    static const std::vector<Node> kNone;
    const Node* node = map.find(name);
    if (node == nullptr) return kNone;
    if (node->kind == Kind::kList) return node->elements;
    add(*node, child_path(path, name), "shape", fmt::format("{} must be a list", name));
    return kNone;
  }

  const std::vector<Node::Entry>& entries(const Node& map, const std::string& path, std::string_view name,
                                          std::string_view shape) {
    static const std::vector<Node::Entry> kNone;
    const Node* node = map.find(name);
    if (node == nullptr) return kNone;
    if (node->kind == Kind::kMap) return node->entries;
    add(*node, child_path(path, name), "shape", fmt::format("{} must be {}", name, shape));
    return kNone;
  }

  /// The first word when the field is absent.
  template <class T>
  T choice(const Node& map, const std::string& path, std::string_view name, const Words<T>& words) {
    const Node* node = map.find(name);
    if (node == nullptr) return words.front().second;
    const auto found = std::ranges::find(words, std::string_view(node->text), &Words<T>::value_type::first);
    if (node->kind == Kind::kString && found != words.end()) return found->second;
    std::vector<std::string_view> possible;
    for (const auto& [word, value] : words) possible.push_back(word);
    add(*node, child_path(path, name), "choice", fmt::format("{} must be one of {}", name, fmt::join(possible, ", ")));
    return words.front().second;
  }

  std::int64_t whole_number(std::string_view digits, const Node& node, const std::string& path) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc{} && end == digits.data() + digits.size() && !digits.empty()) return number;
    add(node, path, "shape", "expected a whole number");
    return 1;
  }

  ResourceType read_type(const Node& node, const std::string& path) {
    known_fields(node, path, {"name", "account", "parents", "unique", "schema_version", "upcasters", "model"});
    ResourceType type;
    if (node.kind != Kind::kMap) return type;
    if (const Node* name = node.find("name"))
      type.name = text(*name, child_path(path, "name"));
    else
      add(node, path, "required", "a type needs a name");
    type.account = choice<AccountScope>(node, path, "account",
                                        {{"optional", AccountScope::kOptional},
                                         {"none", AccountScope::kNone},
                                         {"required", AccountScope::kRequired},
                                         {"self", AccountScope::kSelf}});
    const std::vector<Node>& parents = elements(node, path, "parents");
    for (std::size_t i = 0; i < parents.size(); ++i)
      type.parents.push_back(text(parents[i], child_path(child_path(path, "parents"), i)));
    const std::vector<Node>& unique = elements(node, path, "unique");
    for (std::size_t i = 0; i < unique.size(); ++i)
      type.unique.push_back(read_unique(unique[i], child_path(child_path(path, "unique"), i)));
    if (const Node* version = node.find("schema_version"))
      type.schema_version = whole_number(version->text, *version, child_path(path, "schema_version"));
    read_upcasters(node, path, type);
    read_model(node, path, type);
    return type;
  }

  UniqueKey read_unique(const Node& node, const std::string& path) {
    if (node.kind == Kind::kString) return {.key = node.text};
    known_fields(node, path, {"key", "normalise", "per_account"});
    UniqueKey unique;
    if (node.kind != Kind::kMap) return unique;
    if (const Node* key = node.find("key"))
      unique.key = text(*key, child_path(path, "key"));
    else
      add(node, path, "required", "a unique value needs a key");
    unique.normaliser = choice<Normaliser>(
        node, path, "normalise",
        {{"exact", Normaliser::kExact}, {"nfc", Normaliser::kNfc}, {"casefold", Normaliser::kCaseFold}});
    if (const Node* flag = node.find("per_account")) {
      if (flag->kind != Kind::kBoolean) add(*flag, child_path(path, "per_account"), "shape", "expected true or false");
      unique.per_account = flag->boolean;
    }
    return unique;
  }

  /// upcasters: { "1": [ { rename: { old: new } }, { default: { name: value } }, { remove: [name] } ] }
  void read_upcasters(const Node& map, const std::string& path, ResourceType& type) {
    const Node* node = map.find("upcasters");
    if (node == nullptr) return;
    const std::string here = child_path(path, "upcasters");
    if (node->kind != Kind::kMap) return add(*node, here, "shape", "expected a map from versions to lists of steps");
    for (const Node::Entry& entry : node->entries) {
      const std::string at = child_path(here, entry.name);
      const std::int64_t from = whole_number(entry.name, entry.value, at);
      std::vector<Step> steps;
      if (entry.value.kind != Kind::kList) add(entry.value, at, "shape", "expected a list of steps");
      for (std::size_t i = 0; i < entry.value.elements.size(); ++i)
        read_step(entry.value.elements[i], child_path(at, i), steps);
      type.upcasters.emplace(from, upcaster_of(std::move(steps)));
    }
  }

  void read_step(const Node& node, const std::string& path, std::vector<Step>& steps) {
    known_fields(node, path, {"rename", "default", "remove"});
    for (const Node::Entry& entry : entries(node, path, "rename", "a map from old names to new ones"))
      steps.push_back({Step::Kind::kRename, entry.name, text(entry.value, child_path(path, "rename"))});
    for (const Node::Entry& entry : entries(node, path, "default", "a map from names to values")) {
      const std::optional<AttributeValue> value = scalar_value(entry.value);
      if (!value)
        add(entry.value, child_path(path, "default"), "shape", "a default is text, a number, true, false or null");
      steps.push_back({Step::Kind::kDefault, entry.name, {}, value.value_or(nullptr)});
    }
    for (const Node& name : elements(node, path, "remove"))
      steps.push_back({Step::Kind::kRemove, text(name, child_path(path, "remove"))});
  }

  /// model: { file: models/user.yml, name: User }
  void read_model(const Node& map, const std::string& path, ResourceType& type) {
    const Node* node = map.find("model");
    if (node == nullptr) return;
    const std::string here = child_path(path, "model");
    known_fields(*node, here, {"file", "name"});
    const Node* file = node->find("file");
    const Node* name = node->find("name");
    if (file == nullptr || name == nullptr) return add(*node, here, "required", "a model needs a file and a name");
    if (!folder_) return add(*node, here, "model", "types that are kept in a table cannot name files of models");
    const Result<ModelSet> models = load_models(*folder_ / text(*file, child_path(here, "file")));
    if (!models) return add(*file, child_path(here, "file"), "model", models.error().message());
    const Model* model = models->find(text(*name, child_path(here, "name")));
    if (model == nullptr)
      return add(*name, child_path(here, "name"), "model", fmt::format("{} has no model {}", file->text, name->text));
    type.model = *model;
  }

  void check_parents(const ResourceTypes& types, const std::vector<Node>& list) {
    if (!problems_.empty()) return;
    for (const Node& node : list)
      for (const Node& parent : elements(node, "", "parents"))
        if (types.find(parent.text) == nullptr)
          add(parent, "types", "parents", fmt::format("{} is not a declared resource type", parent.text));
  }

  const Node& root_;
  std::optional<std::filesystem::path> folder_;
  std::vector<Problem> problems_;
};

Result<ResourceTypes> parse_types(std::string_view text, std::string_view file_name,
                                  const std::optional<std::filesystem::path>& folder) {
  const config::Reading reading = config::read_document(text, file_name);
  if (!reading.root || !reading.problems.empty())
    return std::unexpected(config::error_of(Code::kInvalidArgument, file_name, reading.problems));
  ResourceTypes types;
  const std::vector<Problem> problems = TypesReader(*reading.root, folder).read(types);
  if (!problems.empty()) return std::unexpected(config::error_of(Code::kInvalidArgument, file_name, problems));
  return types;
}

}  // namespace

Result<ResourceTypes> relation::parse_bound(std::string_view text, std::string_view file_name) {
  return parse_types(text, file_name, std::nullopt);
}

Result<ResourceTypes> ResourceTypes::parse(std::string_view text, std::string_view file_name,
                                           const std::filesystem::path& folder) {
  return parse_types(text, file_name, folder);
}

Result<ResourceTypes> ResourceTypes::load(const std::filesystem::path& file) {
  DOLMEN_TRY(const std::string text, config::read_file(file));
  return parse(text, file.string(), file.parent_path());
}

}  // namespace dolmen
