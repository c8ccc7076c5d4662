#include "faults/core.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/random.h"
#include "base/wildcard.h"

namespace dolmen {

FaultLab::FaultLab() : core_(std::make_unique<faults::Core>(system_random().next_u64() >> 32)) {}
FaultLab::~FaultLab() = default;

Result<std::shared_ptr<FaultLab>> FaultLab::from_text(std::string_view text) {
  DOLMEN_TRY(faults::Plan plan, faults::parse_plan(text));
  if (plan.number) return fail(Code::kInvalidArgument, "number: only a single request can be given a number");
  auto lab = std::make_shared<FaultLab>();
  lab->core().add(std::move(plan));
  return lab;
}

FaultLab& FaultLab::seed(std::uint64_t seed) {
  core_->set_seed(seed);
  return *this;
}

FaultLab& FaultLab::add(FaultRule rule) {
  core_->add(std::move(rule));
  return *this;
}

FaultLab& FaultLab::clear() {
  core_->clear();
  return *this;
}

std::uint64_t FaultLab::seed() const { return core_->seed(); }
std::uint64_t FaultLab::number() const { return core_->number(); }
std::map<std::string, std::uint64_t> FaultLab::counts() const { return core_->counts(); }

namespace faults {
namespace {

bool fits(const FaultRule& rule, const Subject& subject) {
  if (!is_possible(rule.fault, subject)) return false;
  if (!rule.operations.empty() && std::ranges::count(rule.operations, subject.operation.name) == 0) return false;
  if (rule.tables.empty()) return true;
  return std::ranges::any_of(subject.tables, [&](std::string_view table) {
    return std::ranges::any_of(rule.tables,
                               [&](const std::string& pattern) { return matches_wildcard(pattern, table); });
  });
}

/// Which parts of a batch are left out; empty when none is.
std::vector<bool> draw_parts(const FaultRule& rule, const Subject& subject, const Decision& decision) {
  std::vector<bool> left_out(subject.parts);
  for (std::size_t i = 0; i < left_out.size(); ++i)
    left_out[i] = draw(decision.seed, decision.number, rule.fault, i) < rule.probability;
  // DynamoDB does at least one part, or it refuses the batch as a whole.
  if (!left_out.empty() && std::ranges::count(left_out, false) == 0) left_out[0] = false;
  if (std::ranges::count(left_out, true) == 0) left_out.clear();
  return left_out;
}

}  // namespace

void Core::set_seed(std::uint64_t seed) {
  const std::lock_guard lock(lab_mutex_);
  seed_ = seed;
  number_ = 0;
}

void Core::add(FaultRule rule) {
  const std::lock_guard lock(lab_mutex_);
  if (problem_.empty()) problem_ = problem_of(rule);
  if (rule.fault == Fault::kIndexLag) keeps_moments_ = true;
  rules_.push_back({.rule = std::move(rule)});
  update_active();
}

void Core::add(Plan plan) {
  if (plan.seed) set_seed(*plan.seed);
  for (FaultRule& rule : plan.rules) add(std::move(rule));
}

void Core::clear() {
  const std::lock_guard lock(lab_mutex_);
  rules_.clear();
  problem_.clear();
  update_active();
}

std::uint64_t Core::seed() const {
  const std::lock_guard lock(lab_mutex_);
  return seed_;
}

std::uint64_t Core::number() const {
  const std::lock_guard lock(lab_mutex_);
  return number_;
}

std::map<std::string, std::uint64_t> Core::counts() const {
  const std::lock_guard lock(lab_mutex_);
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i < kFaults; ++i)
    if (counts_[i] > 0) counts.emplace(fault_name(static_cast<Fault>(i)), counts_[i]);
  return counts;
}

void Core::apply(Counted& counted, const Subject& subject, Decision& decision) {
  const FaultRule& rule = counted.rule;
  if (!fits(rule, subject)) return;
  if (counted.matched++ < rule.skip || counted.happened >= rule.times) return;
  if (rule.fault != Fault::kLatency && decision.fault) return;
  if (rule.fault == Fault::kUnprocessed) {
    decision.left_out = draw_parts(rule, subject, decision);
    if (decision.left_out.empty()) return;
  } else if (draw(decision.seed, decision.number, rule.fault) >= rule.probability) {
    return;
  }
  ++counted.happened;
  ++counts_[static_cast<std::size_t>(rule.fault)];
  if (rule.fault == Fault::kLatency) {
    decision.latency += rule.latency;
  } else {
    decision.fault = rule.fault;
    decision.writes = rule.writes;
  }
}

Result<Decision> Core::decide(const Subject& subject, const Plan* instead) {
  const std::lock_guard lock(lab_mutex_);
  if (instead == nullptr && !problem_.empty()) return fail(Code::kInvalidArgument, "the fault lab: {}", problem_);
  Decision decision{.seed = seed_};
  decision.number = instead != nullptr && instead->number ? *instead->number : ++number_;
  if (instead == nullptr) {
    for (Counted& counted : rules_) apply(counted, subject, decision);
    return decision;
  }
  if (instead->seed) decision.seed = *instead->seed;
  for (const FaultRule& rule : instead->rules) {
    Counted counted{.rule = rule};
    apply(counted, subject, decision);
  }
  return decision;
}

void Core::keep_moments() {
  const std::lock_guard lock(lab_mutex_);
  keeps_moments_ = true;
  update_active();
}

bool Core::keeps_moments() const {
  const std::lock_guard lock(lab_mutex_);
  return keeps_moments_;
}

void Core::before_write(Moments& moments) {
  if (!keeps_moments()) return;
  std::shared_ptr<const Moment> moment = moments.this_moment();
  std::shared_ptr<const Moment> oldest;  // goes when the lock has gone
  const std::lock_guard lock(lab_mutex_);
  moments_.push_back(std::move(moment));
  if (moments_.size() <= kMomentsMax) return;
  oldest = std::move(moments_.front());
  moments_.pop_front();
}

std::shared_ptr<const Moment> Core::before_latest(std::uint32_t writes) const {
  const std::lock_guard lock(lab_mutex_);
  if (moments_.empty()) return nullptr;
  return writes >= moments_.size() ? moments_.front() : moments_[moments_.size() - writes];
}

void Core::run_after(std::chrono::milliseconds delay, Delays::Task task) {
  Later later;
  {
    const std::lock_guard lock(lab_mutex_);
    later = later_;
  }
  if (later) return later(delay, std::move(task));
  delays_.run_after(delay, std::move(task));
}

void Core::release_store() {
  delays_.finish();
  std::deque<std::shared_ptr<const Moment>> moments;
  const std::lock_guard lock(lab_mutex_);
  moments = std::exchange(moments_, {});
}

}  // namespace faults
}  // namespace dolmen
