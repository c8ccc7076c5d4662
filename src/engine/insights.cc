// Contributor Insights: whether the keys of a table or of a global index are counted, and what was counted.
#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/key_counts.h"
#include "service/internal_tables.h"
#include "service/table_rules.h"

namespace dolmen::engine {
namespace {

constexpr std::int64_t kInsightsPageMax = 100;

std::unexpected<Error> no_table_of_insights(std::string_view table) {
  return fail(Code::kTableNotFound, "Requested resource not found: Table: {} not found", table);
}

Result<void> check_index_name(const std::optional<std::string>& name) {
  if (!name || (name->size() >= 3 && name->size() <= 255)) return {};
  return fail(Code::kValidation, "IndexName must be at least 3 characters long and at most 255 characters long");
}

/// A global index that is not being deleted. Local ones have no insights of their own.
template <class TableOf>
auto find_global(TableOf& table, std::string_view name) -> decltype(&table.indexes.front()) {
  for (auto& index : table.indexes)
    if (!index.local && index.state != IndexState::kDeleting && index.definition.name == name) return &index;
  return nullptr;
}

std::unexpected<Error> no_index_of_insights(const Table& table, std::string_view name) {
  return fail(Code::kTableNotFound, "Requested resource not found: Index: {} not found for table: {}", name,
              table.definition.name);
}

/// The names that the rules have in CloudWatch, which Dolmen does not have.
std::vector<std::string> rules_of(const Table& table, const Index* index, const Insights& insights) {
  const KeySchema& keys = index == nullptr ? table.keys : index->keys;
  std::vector<std::string_view> kinds{"PKC", "PKT", "SKC", "SKT"};
  if (insights.mode == InsightsMode::kThrottled) kinds = {"PKT", "SKT"};
  std::vector<std::string> rules;
  for (const std::string_view kind : kinds)
    if (!keys.sort.empty() || kind.front() == 'P')
      rules.push_back(fmt::format("DynamoDBContributorInsights-{}-{}{}{}-{}", kind, table.definition.name,
                                  index == nullptr ? "" : "-", index == nullptr ? "" : index->definition.name,
                                  insights.changed.time_since_epoch().count()));
  return rules;
}

ContributorInsights described(const Table& table, const Index* index) {
  const std::optional<Insights>& insights = index == nullptr ? table.insights : index->insights;
  ContributorInsights description{.table = table.definition.name};
  if (index != nullptr) description.index = index->definition.name;
  if (!insights) return description;
  description.status = InsightsStatus::kEnabled;
  description.mode = insights->mode;
  description.rules = rules_of(table, index, *insights);
  description.changed = insights->changed;
  return description;
}

/// Those that are enabled: the table first, then its indexes by name.
std::vector<ContributorInsights> enabled_in(const Table& table) {
  std::vector<ContributorInsights> found;
  if (table.insights) found.push_back(described(table, nullptr));
  for (const Index& index : table.indexes)
    if (index.insights && index.state != IndexState::kDeleting) found.push_back(described(table, &index));
  std::ranges::sort(found, {}, &ContributorInsights::index);
  return found;
}

/// A token is the name of a table, a slash, and that of an index, if there is one.
std::string token_of(const ContributorInsights& insights) {
  return fmt::format("{}/{}", insights.table, insights.index.value_or(""));
}

/// Whether it comes after the place of a token.
bool is_after(const ContributorInsights& insights, std::string_view token) {
  const std::size_t slash = std::min(token.find('/'), token.size());
  const std::string_view index = token.substr(std::min(slash + 1, token.size()));
  return std::pair<std::string_view, std::string_view>(insights.table, insights.index.value_or("")) >
         std::pair(token.substr(0, slash), index);
}

}  // namespace

void Engine::start(UpdateContributorInsights /*operation*/, UpdateContributorInsightsRequest request,
                   Done<ContributorInsights> done) {
  const auto check = [&]() -> Result<void> {
    DOLMEN_TRY_VOID(check_table_name(request.table));
    DOLMEN_TRY_VOID(check_index_name(request.index));
    return is_internal_table(request.table) ? Result<void>(no_table_of_insights(request.table)) : Result<void>();
  };
  if (Result<void> checked = check(); !checked) return done(std::unexpected(std::move(checked).error()));
  ContributorInsights answer{.table = request.table, .index = request.index};
  auto shared = std::make_shared<ContributorInsights>(std::move(answer));
  const std::string table_name = request.table;
  const TableTime at = now();
  change_table(
      table_name,
      [request = std::move(request), at, shared](Table& table, storage::Batch& /*batch*/) -> Result<void> {
        Index* index = nullptr;
        if (request.index) {
          index = find_global(table, *request.index);
          if (index == nullptr) return no_index_of_insights(table, *request.index);
          if (request.enable && index->state != IndexState::kActive)
            return fail(Code::kValidation,
                        "Table or Index is not in a valid state to update Key Access Insights: IndexStatus must be "
                        "ACTIVE to enable ContributorInsights.");
        }
        std::optional<Insights>& insights = index == nullptr ? table.insights : index->insights;
        const InsightsMode mode = request.mode.value_or(InsightsMode::kAccessedAndThrottled);
        if (!request.enable) {
          shared->status = insights ? InsightsStatus::kDisabling : InsightsStatus::kDisabled;
          insights.reset();
        } else {
          const bool same = insights && insights->mode == mode;
          shared->status = same ? InsightsStatus::kEnabled : InsightsStatus::kEnabling;
          shared->mode = mode;
          if (!same) insights = Insights{.mode = mode, .changed = at};
        }
        set_counts(table);
        return {};
      },
      [shared, done = std::move(done)](Result<std::shared_ptr<const Table>> changed) mutable {
        if (!changed) return done(std::unexpected(std::move(changed).error()));
        done(std::move(*shared));
      });
}

void Engine::start(DescribeContributorInsights /*operation*/, DescribeContributorInsightsRequest request,
                   Done<ContributorInsights> done) {
  const auto describe_it = [&]() -> Result<ContributorInsights> {
    DOLMEN_TRY_VOID(check_table_name(request.table));
    DOLMEN_TRY_VOID(check_index_name(request.index));
    const std::shared_ptr<const Table> table =
        is_internal_table(request.table) ? nullptr : catalogue_->find(request.table);
    if (table == nullptr) return no_table_of_insights(request.table);
    const Index* index = request.index ? find_global(*table, *request.index) : nullptr;
    if (request.index && index == nullptr) return no_index_of_insights(*table, *request.index);
    return described(*table, index);
  };
  done(describe_it());
}

void Engine::start(ListContributorInsights /*operation*/, ListContributorInsightsRequest request,
                   Done<ContributorInsightsPage> done) {
  const auto limit =
      static_cast<std::size_t>(std::clamp<std::int64_t>(request.limit.value_or(kInsightsPageMax), 1, kInsightsPageMax));
  std::vector<ContributorInsights> all;
  for (const std::shared_ptr<const Table>& table : catalogue_->all()) {
    if (request.table && table->definition.name != *request.table) continue;
    std::ranges::move(enabled_in(*table), std::back_inserter(all));
  }
  if (request.table && catalogue_->find(*request.table) == nullptr) return done(no_table_of_insights(*request.table));
  // What the token names need not be there any more.
  auto first = all.begin();
  if (request.next_token)
    first =
        std::ranges::find_if(all, [&](const ContributorInsights& one) { return is_after(one, *request.next_token); });
  ContributorInsightsPage page;
  for (; first != all.end() && page.insights.size() < limit; ++first) page.insights.push_back(std::move(*first));
  if (first != all.end()) page.next_token = token_of(page.insights.back());
  done(std::move(page));
}

Result<TopKeys> Engine::top_keys(const std::string& table, const std::optional<std::string>& index) const {
  const std::shared_ptr<const Table> found = is_internal_table(table) ? nullptr : catalogue_->find(table);
  if (found == nullptr) return no_table_of_insights(table);
  const Index* of_index = index ? find_global(*found, *index) : nullptr;
  if (index && of_index == nullptr) return no_index_of_insights(*found, *index);
  const std::optional<Insights>& insights = of_index == nullptr ? found->insights : of_index->insights;
  if (!insights)
    return fail(
        Code::kValidation, "Contributor Insights are not enabled for {}; enable them with UpdateContributorInsights",
        index ? fmt::format("the index {} of the table {}", *index, table) : fmt::format("the table {}", table));
  const std::shared_ptr<KeyCounts>& counts = of_index == nullptr ? found->counts : of_index->counts;
  return counts == nullptr ? TopKeys{} : counts->top();
}

}  // namespace dolmen::engine
