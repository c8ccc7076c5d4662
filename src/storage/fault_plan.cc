#include "storage/fault_plan.h"

#include <utility>

namespace dolmen::storage {
namespace {

bool contains(const std::string& path, std::string_view part) { return path.find(part) != std::string::npos; }

}  // namespace

void FaultPlan::inject(Fault fault) {
  const std::scoped_lock lock(plan_mutex_);
  faults_.push_back(std::move(fault));
}

void FaultPlan::clear() {
  const std::scoped_lock lock(plan_mutex_);
  faults_.clear();
}

bool FaultPlan::has_fired() const {
  const std::scoped_lock lock(plan_mutex_);
  return fired_;
}

std::uint64_t FaultPlan::count(FileOperation operation, std::string_view path_part) const {
  const std::scoped_lock lock(plan_mutex_);
  std::uint64_t total = 0;
  for (const auto& [what, times] : counts_) {
    if (what.first == operation && contains(what.second, path_part)) total += times;
  }
  return total;
}

void FaultPlan::hold(FileOperation operation, std::string path_part) {
  const std::scoped_lock lock(plan_mutex_);
  held_ = Pattern{.operation = operation, .path_part = std::move(path_part)};
}

void FaultPlan::await_held() {
  std::unique_lock lock(plan_mutex_);
  held_changed_.wait(lock, [this] { return held_count_ > 0; });
}

void FaultPlan::release() {
  const std::scoped_lock lock(plan_mutex_);
  held_.reset();
  held_changed_.notify_all();
}

void FaultPlan::crash() {
  const std::scoped_lock lock(plan_mutex_);
  crashed_ = true;
}

void FaultPlan::drop_unsynced(const UnsyncedFiles::Surviving& surviving) {
  const std::scoped_lock lock(plan_mutex_);
  files_.drop(surviving);
  faults_.clear();
  crashed_ = false;
}

std::optional<FaultKind> FaultPlan::begin(FileOperation operation, const std::string& path) {
  std::unique_lock lock(plan_mutex_);
  ++counts_[{operation, path}];
  if (held_ && held_->operation == operation && contains(path, held_->path_part)) {
    ++held_count_;
    held_changed_.notify_all();
    held_changed_.wait(lock, [this] { return !held_; });
    --held_count_;
  }
  if (crashed_) return FaultKind::kPowerCut;
  const std::optional<FaultKind> fault = match(operation, path);
  if (fault == FaultKind::kPowerCut) crashed_ = true;
  return fault;
}

std::optional<FaultKind> FaultPlan::match(FileOperation operation, const std::string& path) {
  for (Fault& fault : faults_) {
    if ((fault.operation && *fault.operation != operation) || !contains(path, fault.path_part)) continue;
    if (fault.skip > 0) {
      --fault.skip;
    } else if (fault.times > 0) {
      --fault.times;
      fired_ = true;
      return fault.kind;
    }
  }
  return std::nullopt;
}

void FaultPlan::pretend_free_bytes(std::optional<std::uint64_t> bytes) {
  const std::scoped_lock lock(plan_mutex_);
  free_bytes_ = bytes;
}

std::optional<std::uint64_t> FaultPlan::pretended_free_bytes() const {
  const std::scoped_lock lock(plan_mutex_);
  return free_bytes_;
}

bool FaultPlan::has_crashed() const {
  const std::scoped_lock lock(plan_mutex_);
  return crashed_;
}

}  // namespace dolmen::storage
