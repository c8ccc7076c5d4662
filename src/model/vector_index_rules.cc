#include "model/vector_index_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>

#include "base/limits.h"
#include "model/types.h"
#include "service/table_rules.h"

namespace dolmen {

namespace {

/// Checks the vectors of one model and gathers what is wrong.
class VectorRules {
 public:
  VectorRules(const Model& model, std::vector<Violation>& violations) : model_(model), violations_(violations) {}

  void check() {
    for (std::size_t i = 0; i < model_.attributes.size(); ++i)
      check_attribute(fmt::format("attributes[{}]", i), model_.attributes[i]);
    std::set<std::string_view> names;
    for (const ModelIndex& index : model_.indexes) names.insert(index.name);
    for (std::size_t i = 0; i < model_.vector_indexes.size(); ++i) {
      const ModelVectorIndex& index = model_.vector_indexes[i];
      const std::string path = fmt::format("vector_indexes[{}]", i);
      check_name(path + ".name", index.name);
      if (!index.name.empty() && !names.insert(index.name).second)
        add(path + ".name", "unique_indexes",
            fmt::format("index \"{}\" is listed twice; remove or rename one", index.name));
      check_index(path, index);
    }
    if (model_.vector_indexes.size() > limits::kVectorIndexes)
      add("vector_indexes", "count", fmt::format("a table has at most {} vector indexes", limits::kVectorIndexes));
  }

 private:
  void add(std::string path, std::string rule, std::string message, std::string related = {}) {
    violations_.push_back({std::move(path), std::move(rule), std::move(message), std::move(related)});
  }

  void check_attribute(const std::string& path, const ModelAttribute& attribute) {
    if (!is_vector(attribute)) {
      if (attribute.dimensions != 0)
        add(path + ".dimensions", "dimensions",
            fmt::format("attribute \"{}\" has dimensions, which only format vector has; add format: \"vector\" or "
                        "remove them",
                        attribute.name),
            path + ".format");
      return;
    }
    if (attribute.dimensions < 1 || attribute.dimensions > limits::kVectorDimensions)
      add(path + ".dimensions", "dimensions",
          attribute.dimensions == 0
              ? fmt::format("attribute \"{}\" is a vector; say how many numbers it has: dimensions: 1 to {}",
                            attribute.name, limits::kVectorDimensions)
              : fmt::format("attribute \"{}\" is a vector of 1 to {} dimensions, not {}", attribute.name,
                            limits::kVectorDimensions, attribute.dimensions));
  }

  void check_name(std::string path, std::string_view name) {
    if (name.empty())
      add(std::move(path), "required", "the vector index has no name; give it one");
    else if (name.size() < limits::kTableNameMin || name.size() > limits::kTableNameMax)
      add(std::move(path), "name_length",
          fmt::format("the name of index \"{}\" has {} characters; AWS takes {} to {}",
                      name.substr(0, limits::kTableNameMax), name.size(), limits::kTableNameMin,
                      limits::kTableNameMax));
    else if (!std::ranges::all_of(name, is_name_character))
      add(std::move(path), "name_characters",
          fmt::format("the name of index \"{}\" may have only the characters a-z, A-Z, 0-9, _, - and .; rename it",
                      name));
  }

  [[nodiscard]] std::optional<std::size_t> place_of(std::string_view attribute) const {
    const auto found = std::ranges::find(model_.attributes, attribute, &ModelAttribute::name);
    if (found == model_.attributes.end()) return std::nullopt;
    return static_cast<std::size_t>(found - model_.attributes.begin());
  }

  void check_index(const std::string& path, const ModelVectorIndex& index) {
    check_vector_attribute(path + ".attribute", index);
    std::size_t hashes = 0;
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < index.search.size(); ++i) {
      const SearchAttribute& searched = index.search[i];
      const std::string place = fmt::format("{}.search[{}]", path, i);
      check_search_attribute(place, index, searched);
      if (!searched.name.empty() && !seen.insert(searched.name).second)
        add(place + ".attribute", "search",
            fmt::format("vector index \"{}\" searches by \"{}\" twice; remove one", index.name, searched.name));
      if (searched.role == SearchRole::kHash && ++hashes == 2)
        add(place + ".role", "search",
            fmt::format("vector index \"{}\" has more than one attribute of role HASH; make the others INLINE_FILTER",
                        index.name));
    }
    check_projection(path, index);
  }

  void check_vector_attribute(const std::string& path, const ModelVectorIndex& index) {
    if (index.attribute.empty()) {
      add(path, "required", fmt::format("vector index \"{}\" does not name an attribute; name one", index.name));
      return;
    }
    const std::optional<std::size_t> at = place_of(index.attribute);
    if (!at) {
      add(path, "keys",
          fmt::format("vector index \"{}\" names \"{}\", which is not an attribute; add it to attributes or correct "
                      "the name",
                      index.name, index.attribute));
      return;
    }
    const ModelAttribute& attribute = model_.attributes[*at];
    if (!is_vector(attribute))
      add(path, "vector",
          fmt::format("vector index \"{}\" names \"{}\", which is not a vector; give the attribute type: \"L\", "
                      "format: \"vector\" and dimensions",
                      index.name, index.attribute),
          fmt::format("attributes[{}].format", *at));
    check_not_encrypted(*at, index);
  }

  void check_not_encrypted(std::size_t at, const ModelVectorIndex& index) {
    const ModelAttribute& attribute = model_.attributes[at];
    if (attribute.encrypted)
      add(fmt::format("attributes[{}].encryption", at), "encrypted_key",
          fmt::format("vector index \"{}\" names \"{}\", which is encrypted; remove its encryption or choose another "
                      "attribute",
                      index.name, attribute.name));
  }

  void check_search_attribute(const std::string& path, const ModelVectorIndex& index, const SearchAttribute& searched) {
    if (searched.name.empty()) {
      add(path + ".attribute", "required",
          fmt::format("vector index \"{}\" searches by an attribute without a name; name one", index.name));
      return;
    }
    const std::optional<std::size_t> at = place_of(searched.name);
    if (!at) {
      add(path + ".attribute", "keys",
          fmt::format("vector index \"{}\" searches by \"{}\", which is not an attribute; add it to attributes or "
                      "correct the name",
                      index.name, searched.name));
      return;
    }
    const ModelAttribute& attribute = model_.attributes[*at];
    if (attribute.type != type_of(searched.type))
      add(path + ".type", "key_type",
          fmt::format("vector index \"{}\" searches by \"{}\" of type {}, but the attribute is of type {}; make them "
                      "the same",
                      index.name, searched.name, key_type_name(searched.type), type_name(attribute.type)),
          fmt::format("attributes[{}].type", *at));
    check_not_encrypted(*at, index);
  }

  void check_projection(const std::string& path, const ModelVectorIndex& index) {
    const bool includes = index.projection == ProjectionType::kInclude;
    if (includes && index.included_attributes.empty())
      add(path + ".projection", "projection",
          fmt::format("vector index \"{}\" has projection INCLUDE without fields; list the fields", index.name));
    if (!includes && !index.included_attributes.empty())
      add(path + ".projection.fields", "projection",
          fmt::format("vector index \"{}\" lists fields, which only projection INCLUDE allows; remove them or change "
                      "the type",
                      index.name),
          path + ".projection.type");
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < index.included_attributes.size(); ++i)
      if (!seen.insert(index.included_attributes[i]).second)
        add(fmt::format("{}.projection.fields[{}]", path, i), "projection",
            fmt::format("vector index \"{}\" includes \"{}\" twice; remove one", index.name,
                        index.included_attributes[i]));
    check_carried(path, index, std::move(seen));
  }

  /// The vector and each filter count as one; keys of the table and the HASH attribute are always there.
  void check_carried(const std::string& path, const ModelVectorIndex& index, std::set<std::string_view> carried) {
    carried.insert(index.attribute);
    for (const SearchAttribute& searched : index.search) carried.insert(searched.name);
    std::erase_if(carried, [&](std::string_view name) {
      return model_.is_key(name) || std::ranges::any_of(index.search, [&](const SearchAttribute& searched) {
               return searched.role == SearchRole::kHash && searched.name == name;
             });
    });
    if (carried.size() > limits::kVectorProjectedAttributes)
      add(path, "count",
          fmt::format("vector index \"{}\" carries {} attributes, its vector and its filters among them; AWS takes at "
                      "most {}",
                      index.name, carried.size(), limits::kVectorProjectedAttributes));
  }

  const Model& model_;
  std::vector<Violation>& violations_;
};

}  // namespace

void check_vectors(const Model& model, std::vector<Violation>& violations) { VectorRules(model, violations).check(); }

}  // namespace dolmen
