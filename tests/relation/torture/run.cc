#include "run.h"

#include <algorithm>
#include <fmt/format.h>

#include "dolmen/open.h"

namespace dolmen::torture {
namespace {

constexpr unsigned kCrashPercent = 25;
constexpr unsigned kRacesMax = 200;
/// Every step reads the whole table, and a store passes by every record that was deleted or replaced and is not yet
/// compacted away. So that a long run costs no more per operation than a short one, it goes on in a new table then.
constexpr std::uint64_t kOperationsPerTable = 2'000;
/// So many operations per round of races.
constexpr std::uint64_t kOperationsPerRace = 100;

/// Makes the model what is stored in the middle of a delete: what is gone is gone, and what hung on it too.
void follow(const Dump& dump, Model& model) {
  std::map<std::string, std::optional<std::string>> parents;
  std::map<std::pair<std::string, std::string>, bool> memberships;
  for (const Item& item : dump.items) {
    const std::string& kind = item.at("_recordType").string();
    if (kind == "Resource") {
      const AttributeValue* parent = item.find("_parentUrn");
      parents.emplace(item.at("urn").string(), parent == nullptr ? std::nullopt : std::optional(parent->string()));
    } else if (kind == "CollectionMemberRelationship") {
      memberships[{item.at("collectionUrn").string(), item.at("memberUrn").string()}] =
          item.at("conveysAuthorization").boolean();
    }
  }
  std::erase_if(model.resources, [&](const auto& entry) { return !parents.contains(entry.first); });
  for (auto& [urn, resource] : model.resources) resource.parent = parents.at(urn);
  model.memberships = std::move(memberships);
}

}  // namespace

Run::Run(const RunOptions& options) : options_(options), steps_(options.seed) {}

Run::~Run() {
  if (started_) static_cast<void>(below_->delete_table(table_));
}

bool Run::fail(std::string what) {
  if (!violation_) violation_ = std::move(what);
  return false;
}

Timestamp Run::now() {
  // Mostly forward, sometimes not at all, and now and then back.
  clock_ms_ += static_cast<std::int64_t>(steps_.below(3)) - (steps_.chance(2) ? 50 : 0);
  return {.seconds = clock_ms_ / 1000, .nanoseconds = static_cast<std::int32_t>(clock_ms_ % 1000 * 1'000'000)};
}

bool Run::open() {
  Result<std::unique_ptr<Store>> opened = dolmen::open(options_.endpoint.empty() ? "memory:" : options_.endpoint);
  if (!opened) return fail(opened.error().message());
  below_ = std::move(*opened);
  auto faults = std::make_unique<FaultService>(*below_);
  faults_ = faults.get();
  store_ = std::make_unique<Store>(std::move(faults));
  return begin_table();
}

bool Run::begin_table() {
  if (started_) static_cast<void>(below_->delete_table(table_));
  table_ = fmt::format("relation-torture-{}-{}", options_.seed, std::random_device{}());
  model_ = {};
  started_ = reopen();
  return started_ && read(last_);
}

bool Run::reopen() {
  // Ids are in order within a process; after it, the clock may have gone back.
  last_made_urn_.clear();
  faults_->revive();
  for (const int version : {1, 2}) {
    RelationsOptions options{.wait = {.interval = std::chrono::milliseconds(20)}, .depth_max = kDepthMax};
    options.delete_actions_max = 10 + steps_.below(6);
    // The run resumes them itself, after a look at what a crash has left.
    options.resume_deletes = false;
    options.now = [this] { return now().to_time_point(); };
    options.random = [this] { return steps_.below(~0ULL); };
    options.sleep = [](std::chrono::milliseconds) {};
    Result<Relations> graph = Relations::open(*store_, table_, types_of_run(version), std::move(options));
    if (!graph) return fail("cannot open: " + graph.error().message());
    (version == 1 ? old_ : current_) = std::move(*graph);
  }
  return true;
}

bool Run::read(Dump& dump) {
  Result<Dump> made = read_dump(*below_, table_);
  if (!made) return fail("cannot read the table: " + made.error().message());
  dump = std::move(*made);
  return true;
}

bool Run::check(const Dump& dump, const Model& model) {
  if (const auto broken = broken_rule(dump)) return fail(*broken);
  if (const auto different = difference(dump, model)) return fail(*different);
  if (const auto complaints = faults_->complaints(); !complaints.empty()) return fail("25: " + complaints.front());
  return true;
}

bool Run::step() {
  const Step step = steps_.next(model_);
  const Model before = model_;
  const Observed expected = step.model(model_);
  // Deletes call often, and are what crashes are about.
  const bool is_delete = step.kind == StepKind::kCascade || step.kind == StepKind::kPurge;
  if (is_delete ? steps_.chance(60) : steps_.chance(kCrashPercent))
    faults_->arm({.calls = steps_.below(is_delete ? 25 : 6), .carried_out = steps_.chance(50)});
  if ((is_delete || step.kind == StepKind::kAuthorization) && steps_.chance(20))
    faults_->lag(static_cast<unsigned>(1 + steps_.below(3)));
  const Observed observed = step.real({*current_, *old_});
  const bool crashed = faults_->crashed();
  faults_->revive();
  const bool good = crashed ? after_crash(step, before) : plain(step, expected, observed);
  if (!good) violation_ = fmt::format("{}{}: {}", step.name, crashed ? " (crashed)" : "", *violation_);
  return good;
}

bool Run::plain(const Step& step, const Observed& expected, const Observed& observed) {
  if (expected != observed) return fail(fmt::format("expected {}, got {}", printed(expected), printed(observed)));
  Dump dump;
  if (!read(dump)) return false;
  if ((observed.code || step.kind <= StepKind::kAuthorization) && dump != last_)
    return fail(observed.code ? "11: a failed operation changed the table" : "21: a read changed the table");
  if (const auto broken = broken_times(last_, dump)) return fail(*broken);
  last_ = std::move(dump);
  return check(last_, model_);
}

bool Run::after_crash(const Step& step, const Model& before) {
  ++crashes_;
  if (!reopen()) return false;
  Dump dump;
  if (!read(dump)) return false;
  // Also in the middle of a delete nothing hangs in the air.
  if (const auto broken = broken_rule(dump)) return fail(*broken);
  if (!no_false_findings(dump)) return false;
  const bool pending = !marked(dump).empty();
  if (pending && step.kind != StepKind::kCascade && step.kind != StepKind::kPurge && step.kind != StepKind::kReassign)
    return fail("14: a mark that no delete made");
  if (pending && step.kind != StepKind::kReassign) {
    ++resumed_;
    Model half = before;
    follow(dump, half);
    if (steps_.chance(40) && !meddle(half)) return false;
    step.model(half);
    model_ = std::move(half);
  }
  if (!resume() || !read(dump)) return false;
  if (step.kind == StepKind::kReassign && difference(dump, model_) && difference(dump, before)) {
    // A part of what refers to the resource; again, for the rest.
    if (const Observed again = step.real({*current_, *old_}); again.code)
      return fail("cannot reassign again: " + printed(again));
    if (!read(dump)) return false;
  } else if (step.kind == StepKind::kRewrite) {
    // Half of the pages; again from the beginning.
    if (step.real({*current_, *old_}) != step.model(model_)) return fail("cannot rewrite again");
    if (!read(dump)) return false;
  } else if (!pending && difference(dump, model_)) {
    model_ = before;
  }
  last_ = std::move(dump);
  if (!check(last_, model_)) return false;
  // Once more changes nothing.
  if (!resume() || !read(dump)) return false;
  return dump == last_ || fail("14: resuming twice changed something");
}

bool Run::meddle(Model& model) {
  for (std::uint64_t n = 1 + steps_.below(6); n > 0; --n) {
    const Step step = steps_.next(model);
    if (step.kind != StepKind::kWrite) continue;
    const Observed observed = step.real({*current_, *old_});
    if (observed.code) continue;
    // Marks only ever make operations fail.
    const Observed expected = step.model(model);
    if (expected != observed)
      return fail(fmt::format("while a delete is pending, {}: expected {}, got {}", step.name, printed(expected),
                              printed(observed)));
  }
  Dump dump;
  if (!read(dump)) return false;
  const auto broken = broken_rule(dump);
  return broken ? fail("while a delete is pending: " + *broken) : true;
}

bool Run::no_false_findings(const Dump& dump) {
  for (const Item& item : dump.items) {
    if (item.at("_recordType").string() != "Resource" || item.contains("_parentUrn")) continue;
    const auto page = current_->verify({.below = item.at("urn").string()}, {.limit = 1000});
    if (!page && page.error().code() == Code::kResourceNotFound) continue;
    if (!page) return fail("cannot verify: " + page.error().message());
    if (!page->findings.empty())
      return fail(fmt::format("while a change is pending, {} is found: {}", page->findings.front().kind,
                              page->findings.front().message));
  }
  return true;
}

bool Run::resume() {
  for (int attempt = 0;; ++attempt) {
    if (attempt < 3 && steps_.chance(40)) faults_->arm({.calls = steps_.below(10), .carried_out = steps_.chance(50)});
    const auto done = current_->resume_deletes();
    const bool crashed = faults_->crashed();
    faults_->revive();
    if (!crashed) return done ? true : fail("cannot resume: " + done.error().message());
    Dump dump;
    if (!reopen() || !read(dump)) return false;
    if (const auto broken = broken_rule(dump)) return fail(*broken);
  }
}

bool Run::made_ids_are_in_order() {
  const Result<Resource> made = current_->create({.type = kUser});
  if (!made) return fail("cannot create: " + made.error().message());
  if (made->urn <= last_made_urn_) return fail("19: " + made->urn + " does not sort after " + last_made_urn_);
  last_made_urn_ = made->urn;
  const Result<RemoveResult> gone = current_->remove(made->urn);
  return gone ? true : fail("cannot delete: " + gone.error().message());
}

bool Run::go() {
  if (!open()) return false;
  for (; operations_ < options_.operations; ++operations_) {
    if (operations_ > 0 && operations_ % kOperationsPerTable == 0 && !begin_table()) return false;
    if (!step()) return false;
    if (operations_ % 50 == 0 && !made_ids_are_in_order()) return false;
  }
  const auto rounds =
      static_cast<unsigned>(std::min<std::uint64_t>(kRacesMax, options_.operations / kOperationsPerRace));
  if (auto broken = run_races(*below_, table_ + "-races", options_.seed, rounds)) return fail(*std::move(broken));
  return true;
}

}  // namespace dolmen::torture
