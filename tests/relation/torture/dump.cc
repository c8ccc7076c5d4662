#include "dump.h"

#include <algorithm>
#include <fmt/format.h>

namespace dolmen::torture {
namespace {

std::string text(const Item& item, std::string_view name) {
  const AttributeValue* value = item.find(name);
  const auto* string = value == nullptr ? nullptr : value->get_if<std::string>();
  return string == nullptr ? "" : *string;
}

std::optional<std::string> optional_text(const Item& item, std::string_view name) {
  if (!item.contains(name)) return std::nullopt;
  return text(item, name);
}

std::uint64_t number(const Item& item, std::string_view name) {
  const AttributeValue* value = item.find(name);
  return value == nullptr ? 0 : value->number().to_uint64().value_or(0);
}

constexpr const char* kOwn = "urn:dolmen:Dolmen.";

bool is_own(const std::string& urn) { return urn.starts_with(kOwn); }

/// The records of a dump by what they are.
struct Records {
  std::map<std::string, const Item*> resources;
  std::vector<const Item*> edges;
  std::vector<const Item*> memberships;
  std::vector<const Item*> unique;
};

Records sorted(const Dump& dump) {
  Records records;
  for (const Item& item : dump.items) {
    const std::string kind = text(item, "_recordType");
    if (kind == "Resource") records.resources.emplace(text(item, "urn"), &item);
    if (kind == "ParentChildRelationship") records.edges.push_back(&item);
    if (kind == "CollectionMemberRelationship") records.memberships.push_back(&item);
    if (kind == "UniqueKeyValue") records.unique.push_back(&item);
  }
  return records;
}

/// The key that a record should have by its attributes.
std::pair<std::string, std::string> key_by_attributes(const Item& item) {
  const std::string kind = text(item, "_recordType");
  if (kind == "Resource") {
    const std::string domain = text(item, "_resourceType").starts_with("Dolmen.") ? "dolmen" : "pp";
    const std::string urn = "urn:" + domain + ":" + text(item, "_resourceType") + "::" + text(item, "_id");
    if (urn != text(item, "urn")) return {};
    return {"Resource#" + urn, "Resource#" + urn};
  }
  if (item.contains("urn")) return {};
  if (kind == "ParentChildRelationship" && !item.contains("_updatedAt"))
    return {"Parent#" + text(item, "parentUrn"), "Child#" + text(item, "childUrn")};
  if (kind == "CollectionMemberRelationship")
    return {"Collection#" + text(item, "collectionUrn"), "Member#" + text(item, "memberUrn")};
  if (kind == "UniqueKeyValue") {
    const std::string sort = "UniqueKeyValue#" + text(item, "_resourceType") + "#" + text(item, "key");
    return {sort + "#" + text(item, "value"), sort};
  }
  return {};
}

std::optional<std::string> broken_keys(const Dump& dump) {
  constexpr std::size_t kKeyMax = 1024;
  for (const Item& item : dump.items) {
    const std::string partition = text(item, "PK");
    const std::string sort = text(item, "SK");
    if (key_by_attributes(item) != std::pair(partition, sort))
      return fmt::format("1: the key {} / {} does not match its attributes", partition, sort);
    if (partition.size() > kKeyMax || sort.size() > kKeyMax) return fmt::format("26: a long key {}", partition);
    if (text(item, "_recordType") != "Resource") continue;
    const Result<Urn> urn = Urn::parse(text(item, "urn"));
    if (!urn || urn->format() != text(item, "urn")) return fmt::format("2: {} is no URN", text(item, "urn"));
    if (text(item, "_createdAt") > text(item, "_updatedAt")) return fmt::format("20: {}", text(item, "urn"));
    const AttributeValue* version = item.find("_schemaVersion");
    if (version == nullptr || version->number() < Number(1)) return "a resource without a schema version";
  }
  return std::nullopt;
}

std::set<std::pair<std::string, std::string>> keys(const std::vector<Item>& items) {
  std::set<std::pair<std::string, std::string>> made;
  for (const Item& item : items) made.emplace(text(item, "PK"), text(item, "SK"));
  return made;
}

std::optional<std::string> broken_indexes(const Dump& dump) {
  if (keys(dump.items) != keys(dump.inverted) || dump.items.size() != dump.inverted.size())
    return "7: the inverted index has not the items of the table";
  std::set<std::pair<std::string, std::string>> with_account;
  for (const Item& item : dump.items)
    if (item.contains("_accountUrn") && item.contains("urn")) with_account.emplace(text(item, "PK"), text(item, "SK"));
  if (with_account != keys(dump.by_account)) return "8: the account index has not the resources with an account";
  std::map<std::string, std::string> last;
  for (const Item& item : dump.by_account) {
    std::string& before = last[text(item, "_accountUrn")];
    if (before >= text(item, "urn")) return "8: the account index is not in order";
    before = text(item, "urn");
  }
  return std::nullopt;
}

std::optional<std::string> broken_families(const Records& records) {
  std::map<std::string, std::string> parents;
  for (const Item* edge : records.edges) {
    const std::string parent = text(*edge, "parentUrn");
    const std::string child = text(*edge, "childUrn");
    if (!records.resources.contains(parent)) return fmt::format("3, 15: the parent {} of {} is missing", parent, child);
    if (!records.resources.contains(child)) return fmt::format("3, 15: the child {} of {} is missing", child, parent);
    if (!parents.emplace(child, parent).second) return fmt::format("4: {} has two parents", child);
    const Item& child_row = *records.resources.at(child);
    const Item& parent_row = *records.resources.at(parent);
    if (optional_text(*edge, "_accountUrn") != optional_text(child_row, "_accountUrn"))
      return fmt::format("24: the edge to {} has another account", child);
    const std::string scope = text(parent_row, "_resourceType") == kAccount ? parent : text(parent_row, "_accountUrn");
    const std::string child_scope =
        text(child_row, "_resourceType") == kAccount ? child : text(child_row, "_accountUrn");
    // A family gets another account from the top down, and the parent is marked meanwhile.
    if (!scope.empty() && scope != child_scope && !parent_row.contains("_accountMove"))
      return fmt::format("24: {} is below another account", child);
    if (number(parent_row, "_height") < number(child_row, "_height") + 1)
      return fmt::format("5: {} does not know how high it is", parent);
  }
  for (const auto& [urn, row] : records.resources) {
    if (row->contains("_accountUrn") && !records.resources.contains(text(*row, "_accountUrn")))
      return fmt::format("24: the account of {} is missing", urn);
    const auto parent = parents.find(urn);
    if (optional_text(*row, "_parentUrn") != (parent == parents.end() ? std::nullopt : std::optional(parent->second)))
      return fmt::format("4: _parentUrn of {} is not its edge", urn);
    std::size_t depth = 1;
    for (auto at = parents.find(urn); at != parents.end(); at = parents.find(at->second))
      if (++depth > kDepthMax) return fmt::format("5: {} is too deep or in a cycle", urn);
  }
  return std::nullopt;
}

std::optional<std::string> broken_memberships(const Records& records) {
  std::map<std::string, std::uint64_t> counts;
  for (const Item* membership : records.memberships) {
    for (const char* end : {"collectionUrn", "memberUrn"})
      if (!records.resources.contains(text(*membership, end)))
        return fmt::format("6: {} of a membership is missing", text(*membership, end));
    ++counts[text(*membership, "memberUrn")];
  }
  for (const auto& [urn, row] : records.resources)
    if (number(*row, "_memberOf") != counts[urn]) return fmt::format("6: {} counts its collections wrong", urn);
  return std::nullopt;
}

std::optional<std::string> broken_unique(const Records& records) {
  std::map<std::pair<std::string, std::string>, std::string> owned;
  for (const Item* unique : records.unique) {
    const auto owner = optional_text(*unique, "associatedRecordUrn");
    if (!owner) continue;
    const auto row = records.resources.find(*owner);
    if (row == records.resources.end()) return fmt::format("9: {} has a value and is missing", *owner);
    if (!owned.emplace(std::pair(*owner, text(*unique, "key")), text(*unique, "value")).second)
      return fmt::format("9: {} has two values of {}", *owner, text(*unique, "key"));
  }
  for (const auto& [urn, row] : records.resources) {
    const AttributeValue* values = row->find("_uniqueValues");
    if (values == nullptr) continue;
    for (const auto& [key, value] : values->map()) {
      const auto held = owned.find({urn, key});
      if (held == owned.end() || held->second != value.string())
        return fmt::format("9, 10: {} does not own its {}", urn, key);
      owned.erase(held);
    }
  }
  if (!owned.empty()) return fmt::format("9: {} does not know a value of its own", owned.begin()->first.first);
  return std::nullopt;
}

bool is_text_of_model(const Item& row, const ModelResource& resource) {
  std::map<std::string, std::string> attributes;
  for (const auto& [name, value] : row)
    if (!name.starts_with('_') && name != "PK" && name != "SK" && name != "urn") attributes[name] = value.string();
  return attributes == resource.attributes && text(row, "_resourceType") == resource.type &&
         optional_text(row, "_accountUrn") == resource.account && optional_text(row, "_parentUrn") == resource.parent &&
         number(row, "_height") == resource.height &&
         number(row, "_schemaVersion") == static_cast<std::uint64_t>(resource.version);
}

}  // namespace

Result<Dump> read_dump(Store& store, const std::string& table) {
  Dump dump;
  DOLMEN_TRY(dump.items, store.scan(table, {.consistent_read = true}).all());
  DOLMEN_TRY(dump.inverted, store.scan(table, {.index = "InvertedIndex"}).all());
  DOLMEN_TRY(dump.by_account, store.scan(table, {.index = "ResourcesByAccountIndex"}).all());
  return dump;
}

std::optional<std::string> broken_rule(const Dump& dump) {
  const Records records = sorted(dump);
  if (auto broken = broken_keys(dump)) return broken;
  if (auto broken = broken_indexes(dump)) return broken;
  if (auto broken = broken_families(records)) return broken;
  if (auto broken = broken_memberships(records)) return broken;
  return broken_unique(records);
}

std::map<std::string, std::string> marked(const Dump& dump) {
  std::map<std::string, std::string> made;
  for (const auto& [urn, row] : sorted(dump).resources)
    if (row->contains("_deleteJob")) made.emplace(urn, text(*row, "_deleteJob"));
  return made;
}

std::optional<std::string> difference(const Dump& dump, const Model& model) {
  const Records records = sorted(dump);
  std::size_t resources = 0;
  for (const auto& [urn, row] : records.resources) {
    if (is_own(urn)) {
      if (urn.starts_with(std::string(kOwn) + "DeleteJob")) return fmt::format("12: the job {} is left", urn);
      continue;
    }
    ++resources;
    const auto expected = model.resources.find(urn);
    if (expected == model.resources.end()) return fmt::format("12: {} is there", urn);
    if (!is_text_of_model(*row, expected->second)) return fmt::format("{} is not as it should be", urn);
    if (row->contains("_deleteJob") || row->contains("_accountMove")) return fmt::format("14: {} is marked", urn);
  }
  if (resources != model.resources.size()) return "12: a resource is missing";
  std::map<std::pair<std::string, std::string>, bool> memberships;
  for (const Item* each : records.memberships)
    memberships[{text(*each, "collectionUrn"), text(*each, "memberUrn")}] = each->at("conveysAuthorization").boolean();
  if (memberships != model.memberships) return "13: the memberships differ";
  std::map<ModelUnique, std::string> unique;
  std::set<ModelUnique> reservations;
  for (const Item* each : records.unique) {
    const ModelUnique value{text(*each, "_resourceType"), text(*each, "key"), text(*each, "value")};
    if (const auto owner = optional_text(*each, "associatedRecordUrn"))
      unique.emplace(value, *owner);
    else
      reservations.insert(value);
  }
  if (unique != model.unique_values()) return "9: the unique values differ";
  if (reservations != model.reservations) return "9: the reservations differ";
  return std::nullopt;
}

std::optional<std::string> broken_times(const Dump& before, const Dump& after) {
  const Records old_records = sorted(before);
  for (const auto& [urn, row] : sorted(after).resources) {
    const auto old = old_records.resources.find(urn);
    if (old == old_records.resources.end()) continue;
    if (text(*row, "_updatedAt") < text(*old->second, "_updatedAt"))
      return fmt::format("20: updated_at of {} went back", urn);
    if (text(*row, "_createdAt") != text(*old->second, "_createdAt"))
      return fmt::format("20: created_at of {} changed", urn);
  }
  return std::nullopt;
}

}  // namespace dolmen::torture
