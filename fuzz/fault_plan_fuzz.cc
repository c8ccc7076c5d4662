// Faults on purpose: any text is read as one line or as a file, or refused with one code; the rules of an accepted plan
// can be obeyed.
#include "faults/plan.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz_input(data, size);
  for (const Result<faults::Plan>& plan : {faults::parse_plan(text), faults::parse_rule_file(text, "faults.yml"),
                                           faults::parse_rule_file(text, "faults.json")}) {
    if (!plan) {
      DOLMEN_CHECK(plan.error().code() == Code::kInvalidArgument, "a refusal has one code");
      continue;
    }
    for (const FaultRule& rule : plan->rules) DOLMEN_CHECK(faults::problem_of(rule).empty(), "a rule can be obeyed");
  }
  return 0;
}
