#include "model/compatibility.h"

#include <algorithm>
#include <fmt/format.h>

#include "model/types.h"

namespace dolmen {

namespace {

/// Compares two versions of one model.
class Comparison {
 public:
  Comparison(const Model& before, const Model& after) : before_(before), after_(after) {}

  std::vector<ModelChange> run() && {
    compare_table();
    for (const ModelAttribute& attribute : before_.attributes) {
      const ModelAttribute* now = after_.find(attribute.name);
      if (now == nullptr)
        add_removed(attribute);
      else
        compare(attribute, *now);
    }
    for (const ModelAttribute& attribute : after_.attributes)
      if (before_.find(attribute.name) == nullptr) add_new(attribute);
    for (const ModelIndex& index : before_.indexes) compare_index(index, after_.find_index(index.name));
    for (const ModelVectorIndex& index : before_.vector_indexes)
      compare_vector_index(index, after_.find_vector_index(index.name));
    compare_policy();
    return std::move(changes_);
  }

 private:
  template <class... Args>
  void add(std::string path, Breaks breaks, fmt::format_string<Args...> message, Args&&... args) {
    changes_.push_back({before_.name, std::move(path), breaks, fmt::format(message, std::forward<Args>(args)...)});
  }

  void compare_table() {
    if (before_.table != after_.table)
      add("table.name", Breaks::kReaders, "was {}, is {}; items that are stored are not found", before_.table,
          after_.table);
    if (before_.partition_key != after_.partition_key)
      add("keys.partition", Breaks::kTable, "was {} ({}), is {} ({}); the key of a table cannot be changed",
          before_.partition_key.name, key_type_name(before_.partition_key.type), after_.partition_key.name,
          key_type_name(after_.partition_key.type));
    if (before_.sort_key != after_.sort_key)
      add("keys.sort", Breaks::kTable, "is another one; the key of a table cannot be changed");
  }

  void add_removed(const ModelAttribute& attribute) {
    add("attributes." + attribute.name, Breaks::kWriters,
        "is gone; items that have it break a contract of the new model, and a put by the new model drops it");
    if (attribute.required)
      add("attributes." + attribute.name, Breaks::kReaders,
          "is gone, and the old model requires it; its readers miss it in new items");
  }

  void add_new(const ModelAttribute& attribute) {
    const std::string path = "attributes." + attribute.name;
    if (attribute.required) add(path, Breaks::kWriters, "is new and required; items of old writers lack it");
    if (attribute.has_role(Role::kVersion))
      add(path, Breaks::kWriters,
          "is the new version; items that are stored have none, so that no update of them succeeds");
    if (attribute.has_role(Role::kTtl))
      add(path, Breaks::kReaders, "is the new time to live; items that have it are removed when it is over");
  }

  void compare(const ModelAttribute& was, const ModelAttribute& is) {
    const std::string path = "attributes." + was.name;
    if (was.type != is.type)
      add(path + ".type", Breaks::kReaders, "was {}, is {}; neither model reads what the other writes",
          type_name(was.type), type_name(is.type));
    if (was.json != is.json)
      add(path + ".json", Breaks::kReaders, "{} JSON; the text means something else",
          is.json ? "is now" : "is no longer");
    if (was.encrypted != is.encrypted)
      add(path + ".encryption", Breaks::kReaders, "{} encrypted; neither model reads what the other writes",
          is.encrypted ? "is now" : "is no longer");
    if (!was.required && is.required)
      add(path + ".required", Breaks::kWriters, "is now required; old writers may leave it out");
    if (was.required && !is.required)
      add(path + ".required", Breaks::kReaders, "is no longer required; old readers count on it");
    const bool restricts = is.format != AttributeFormat::kNone && is.format != AttributeFormat::kDecimalString;
    if (was.format != is.format && restricts)
      add(path + ".format", Breaks::kWriters, "is another one; values of old writers may break it");
    compare_vector(path, was, is);
    if (!was.omit_empty && is.omit_empty)
      add(path + ".omit_empty", Breaks::kReaders, "is now set; empty values that old readers find will be missing");
    compare_roles(path, was, is);
  }

  void compare_vector(const std::string& path, const ModelAttribute& was, const ModelAttribute& is) {
    if (!is_vector(was)) return;
    if (!is_vector(is))
      add(path + ".format", Breaks::kReaders, "is no longer a vector; old readers count on {} numbers", was.dimensions);
    else if (was.dimensions != is.dimensions)
      add(path + ".dimensions", Breaks::kReaders,
          "was {}, is {}; neither model takes what the other writes, and vector indexes must be built anew",
          was.dimensions, is.dimensions);
  }

  void compare_roles(const std::string& path, const ModelAttribute& was, const ModelAttribute& is) {
    const std::pair<Role, const char*> roles[] = {{Role::kVersion, "version"},
                                                  {Role::kCreatedAt, "created_at"},
                                                  {Role::kUpdatedAt, "updated_at"},
                                                  {Role::kTtl, "ttl"}};
    for (const auto& [role, name] : roles)
      if (was.has_role(role) != is.has_role(role))
        add(path + ".roles", role == Role::kTtl ? Breaks::kReaders : Breaks::kWriters,
            "{} the {}; old and new writers keep it differently", is.has_role(role) ? "is now" : "is no longer", name);
  }

  void compare_policy() {
    if (before_.write_policy.mode != after_.write_policy.mode) {
      const bool stricter = after_.write_policy.mode == WriteMode::kWriteOnce;
      add("write_policy.mode", stricter ? Breaks::kWriters : Breaks::kReaders, "is another one; {}",
          stricter ? "what old writers change is refused" : "old readers count on items that never change");
    }
    const std::vector<std::string>& old_ones = before_.write_policy.protected_attributes;
    const std::vector<std::string>& new_ones = after_.write_policy.protected_attributes;
    for (const std::string& name : new_ones)
      if (std::ranges::find(old_ones, name) == old_ones.end())
        add("write_policy.protected_attributes", Breaks::kWriters, "has {}; what old writers change of it is refused",
            name);
    for (const std::string& name : old_ones)
      if (std::ranges::find(new_ones, name) == new_ones.end())
        add("write_policy.protected_attributes", Breaks::kReaders,
            "no longer has {}; old readers count on a value that never changes", name);
  }

  void compare_index(const ModelIndex& was, const ModelIndex* is) {
    const std::string path = "indexes." + was.name;
    if (is == nullptr) return add(path, Breaks::kReaders, "is gone; old readers query it");
    if (was.type != is->type || was.partition_key != is->partition_key || was.sort_key != is->sort_key) {
      const bool local = was.type == IndexType::kLocal || is->type == IndexType::kLocal;
      add(path, local ? Breaks::kTable : Breaks::kReaders, "has other keys; {}",
          local ? "local indexes cannot be changed" : "it must be deleted and built anew, and old readers query it");
      return;
    }
    compare_projection(path, was, *is);
  }

  void compare_vector_index(const ModelVectorIndex& was, const ModelVectorIndex* is) {
    const std::string path = "vector_indexes." + was.name;
    if (is == nullptr) return add(path, Breaks::kReaders, "is gone; old readers search it");
    if (was.attribute != is->attribute)
      add(path + ".attribute", Breaks::kReaders, "was {}, is {}; old readers search by another vector", was.attribute,
          is->attribute);
    if (was.distance != is->distance)
      add(path + ".distance", Breaks::kReaders, "was {}, is {}; scores and their order mean something else",
          vector_distance_name(was.distance), vector_distance_name(is->distance));
    for (const SearchAttribute& searched : was.search)
      if (std::ranges::find(is->search, searched) == is->search.end())
        add(path + ".search", Breaks::kReaders, "no longer has {} as {} of type {}; searches of old readers name it",
            searched.name, search_role_name(searched.role), key_type_name(searched.type));
    for (const SearchAttribute& searched : is->search)
      if (searched.role == SearchRole::kHash && std::ranges::find(was.search, searched) == was.search.end())
        add(path + ".search", Breaks::kReaders, "has {} as HASH, which searches of old readers do not name",
            searched.name);
    compare_projection(path, was, *is);
  }

  void compare_projection(const std::string& path, const auto& was, const auto& is) {
    for (const std::string& name : lost_attributes(was, is))
      add(path + ".projection", Breaks::kReaders, "does not carry {} any more", name);
  }

  /// What the rows of an index carried and carry no longer.
  [[nodiscard]] static std::vector<std::string> lost_attributes(const auto& was, const auto& is) {
    if (is.projection == ProjectionType::kAll) return {};
    if (was.projection == ProjectionType::kAll) return {"all attributes"};
    std::vector<std::string> lost;
    for (const std::string& name : was.included_attributes)
      if (std::ranges::find(is.included_attributes, name) == is.included_attributes.end()) lost.push_back(name);
    return lost;
  }

  const Model& before_;
  const Model& after_;
  std::vector<ModelChange> changes_;
};

}  // namespace

std::string_view breaks_name(Breaks breaks) {
  switch (breaks) {
    case Breaks::kReaders: return "readers";
    case Breaks::kWriters: return "writers";
    case Breaks::kTable: return "table";
  }
  return "";
}

std::vector<ModelChange> breaking_changes(const std::vector<Model>& old_models, const std::vector<Model>& new_models) {
  std::vector<ModelChange> all;
  for (const Model& model : old_models) {
    const auto now = std::ranges::find(new_models, model.name, &Model::name);
    if (now == new_models.end()) {
      all.push_back(
          {model.name, "models." + model.name, Breaks::kReaders, "is gone; its items remain without a model"});
      continue;
    }
    std::ranges::move(Comparison(model, *now).run(), std::back_inserter(all));
  }
  return all;
}

}  // namespace dolmen
