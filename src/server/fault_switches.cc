#include "server/fault_switches.h"

#include "base/fail.h"
#include "faults/core.h"
#include "faults/plan.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

namespace dolmen {
namespace {

constexpr std::string_view kDescribeFaults = "DescribeFaults";
constexpr std::string_view kUpdateFaults = "UpdateFaults";

}  // namespace

bool FaultSwitches::is_operation(std::string_view operation) {
  return operation == kDescribeFaults || operation == kUpdateFaults;
}

bool FaultSwitches::changes(std::string_view operation) { return operation == kUpdateFaults; }

Result<std::string> FaultSwitches::execute(std::string_view operation, std::string_view body) {
  if (!lab_)
    return fail(Code::kAccessDenied, "{} is refused: nothing goes wrong on purpose where authentication is enforced",
                operation);
  const std::lock_guard lock(plan_mutex_);
  if (operation == kUpdateFaults)
    DOLMEN_TRY_VOID(update(body));
  else
    DOLMEN_TRY_VOID(ObjectView::request(body, {}));
  return describe();
}

Result<void> FaultSwitches::update(std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"plan"}));
  DOLMEN_TRY(const std::string_view text, request.json("plan"));
  DOLMEN_TRY(faults::Plan plan, faults::parse_rule_file(text, "plan"));
  lab_->core().clear();
  lab_->core().add(std::move(plan));
  plan_ = text;
  return {};
}

std::string FaultSwitches::describe() {
  return object_text([&](ObjectWriter& object) {
    object.number("seed", lab_->seed()).number("number", lab_->number());
    object.json("counts", object_text([&](ObjectWriter& counts) {
                  for (const auto& [fault, count] : lab_->counts()) counts.number(fault, count);
                }));
    if (!plan_.empty()) object.json("plan", plan_);
  });
}

}  // namespace dolmen
