#include "document/plan.h"

#include <algorithm>

#include "base/base64.h"
#include "base/check.h"
#include "base/endian.h"
#include "base/hash.h"
#include "document/invalid.h"
#include "document/layout.h"
#include "document/limits.h"
#include "document/request.h"
#include "value/json.h"
#include "value/key_codec.h"

namespace dolmen::document {
namespace {

constexpr std::string_view kId = "_id";

/// Sorts after every `_id` that follows a value in an index.
constexpr char kAfterIds = '\xFF';

int priority(const Predicate& predicate) {
  if (predicate.equal) return predicate.field == kId ? 0 : 1;
  return 2;
}

/// `part` is the part of the query that names the field.
Result<void> check_indexed(const Schema& schema, const IndexSet& indexes, const std::string& field, std::string part) {
  if (field == kId) return {};
  const DocumentIndex* index = indexes.find(field);
  if (index == nullptr || index->state == IndexState::kDropping)
    return invalid_part(std::move(part), "{} of {} has no index; create one, or query by fields that have one", field,
                        to_string(schema.ref));
  if (index->state == IndexState::kReady) return {};
  if (index->state == IndexState::kFailed)
    return invalid_part(std::move(part), "the index on {} of {} could not be built; rebuild it: {}", field,
                        to_string(schema.ref), index->reason);
  return invalid_part(std::move(part), "the index on {} of {} is being built; try again later", field,
                      to_string(schema.ref));
}

/// The field whose index is walked. A sort on another field than that of the best predicate takes precedence over the
/// predicate, except over equality on `_id`.
Result<std::string> driving_field(const Schema& schema, const std::vector<Predicate>& predicates,
                                  const DocumentQuery& query) {
  const Predicate& best = *std::ranges::min_element(predicates, {}, [](const Predicate& predicate) {
    return std::pair(priority(predicate), std::string_view(predicate.field));
  });
  if (!query.sort || priority(best) == 0 || query.sort->field == best.field) return best.field;
  const std::optional<std::size_t> scalar = schema.find_scalar(query.sort->field);
  if (!scalar)
    return invalid_part("sort", "{} has no scalar field {} to sort by", to_string(schema.ref), query.sort->field);
  const bool asked = std::ranges::find(predicates, query.sort->field, &Predicate::field) != predicates.end();
  if (!asked && !schema.scalars[*scalar].always_present)
    return invalid_part("sort",
                        "{} is optional, so documents without it have no place in the order; sort by a required field, "
                        "or give a condition on {}",
                        query.sort->field, query.sort->field);
  return query.sort->field;
}

/// The plain text of an ordered string.
std::string id_of(std::string_view ordered) { return take_ordered_bytes(ordered).value_or(""); }

RowRange bounds(const SchemaRef& ref, const std::string& field, const Predicate* predicate) {
  const bool by_id = field == kId;
  RowRange range{.partition = by_id ? documents_partition(ref) : entries_partition(ref, field),
                 .lower = std::string(kFirst),
                 .upper = std::string(kLast)};
  if (predicate == nullptr) return range;
  const auto& lower = predicate->equal ? predicate->equal : predicate->lower;
  const auto& upper = predicate->equal ? predicate->equal : predicate->upper;
  if (by_id) {
    if (lower && !id_of(*lower).empty()) range.lower = id_of(*lower);
    if (upper) range.upper = id_of(*upper).empty() ? std::string(kFirst) : id_of(*upper);
    return range;
  }
  if (lower) range.lower = *lower + (predicate->equal || predicate->lower_included ? "" : std::string(1, kAfterIds));
  if (upper) range.upper = *upper + (predicate->equal || predicate->upper_included ? std::string(1, kAfterIds) : "");
  return range;
}

Result<void> check_limit(std::uint32_t limit) {
  if (limit > 0 && limit <= limits::kQueryDocuments) return {};
  return invalid_part("limit", "a number from 1 to {} is needed", limits::kQueryDocuments);
}

/// Everything that distinguishes one query from another.
std::string question_of(const SchemaRef& ref, const Plan& plan) {
  std::string all = ref.id + "/" + ref.version + "/" + plan.field + (plan.range.descending ? "-" : "+");
  for (const Predicate& predicate : plan.predicates) all.append("\n").append(predicate.text);
  std::string digest;
  append_big_endian(digest, hash64(all));
  return digest;
}

}  // namespace

std::string_view scan_name(Plan::Scan scan) {
  switch (scan) {
    case Plan::Scan::kIdLookup: return "id_lookup";
    case Plan::Scan::kIndexEquality: return "index_equality";
    case Plan::Scan::kIndexRange: return "index_range";
    case Plan::Scan::kIndexOrder: return "index_order";
  }
  DOLMEN_UNREACHABLE("a scan outside the closed list");
}

Result<Plan> make_plan(const Schema& schema, const IndexSet& indexes, const DocumentQuery& query) {
  DOLMEN_TRY_VOID(check_limit(query.limit));
  Plan plan{.sort = query.sort, .limit = query.limit};
  DOLMEN_TRY(plan.predicates, read_filter(schema, query.filter.json()));
  for (const Predicate& predicate : plan.predicates)
    DOLMEN_TRY_VOID(check_indexed(schema, indexes, predicate.field, "filter." + predicate.field));
  DOLMEN_TRY(plan.field, driving_field(schema, plan.predicates, query));
  if (query.sort) DOLMEN_TRY_VOID(check_indexed(schema, indexes, query.sort->field, "sort"));

  const auto found = std::ranges::find(plan.predicates, plan.field, &Predicate::field);
  const Predicate* driving = found == plan.predicates.end() ? nullptr : &*found;
  if (driving == nullptr)
    plan.scan = Plan::Scan::kIndexOrder;
  else if (!driving->equal)
    plan.scan = Plan::Scan::kIndexRange;
  else
    plan.scan = plan.field == kId ? Plan::Scan::kIdLookup : Plan::Scan::kIndexEquality;
  plan.range = bounds(schema.ref, plan.field, driving);
  plan.range.descending = query.sort && query.sort->descending;
  plan.question = question_of(schema.ref, plan);
  return plan;
}

Result<Plan> list_plan(const Schema& schema, std::uint32_t limit) {
  DOLMEN_TRY_VOID(check_limit(limit));
  Plan plan{.scan = Plan::Scan::kIndexOrder, .limit = limit};
  plan.range = bounds(schema.ref, plan.field, nullptr);
  plan.question = question_of(schema.ref, plan);
  return plan;
}

std::string describe_plan(const Plan& plan) {
  return object_text([&](ObjectWriter& object) {
    object.text("index", plan.field).text("scan", scan_name(plan.scan));
    std::string& out = object.member("predicates");
    append_array(out, plan.predicates, [&](const Predicate& predicate) { json::append_string(out, predicate.text); });
    if (plan.sort)
      write_sort(object, *plan.sort);
    else
      object.json("sort", "[]");
    object.number("limit", plan.limit).flag("bounded", true).number("examined_max", limits::kQueryExamined);
  });
}

std::string make_cursor(const Plan& plan, const std::string& last_sort) {
  return encode_base64(plan.question + last_sort, Base64::kUrl);
}

Result<std::string> read_cursor(const Plan& plan, const std::string& cursor) {
  const Result<std::string> decoded = decode_base64(cursor, Base64::kUrl);
  if (!decoded || decoded->size() <= plan.question.size())
    return invalid_part("cursor", "it is not one that a query has returned");
  if (!decoded->starts_with(plan.question))
    return invalid_part("cursor", "it belongs to another query; filter and sort must stay the same");
  return decoded->substr(plan.question.size());
}

}  // namespace dolmen::document
