// Resource policies: any text is read or refused with one code; the stored form of a policy is a policy, is its own
// stored form, and gives the same answers.
#include "access/policy_document.h"
#include "fuzz/fuzz.h"

using namespace dolmen::access;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto policy = PolicyDocument::parse(fuzz_input(data, size));
  if (!policy) {
    DOLMEN_CHECK(policy.error().code() == dolmen::Code::kValidation, "a refusal has one code");
    return 0;
  }
  const auto again = PolicyDocument::parse(policy->canonical());
  DOLMEN_CHECK(again && again->canonical() == policy->canonical(), "the stored form is a policy");
  for (const char* action : {"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:DeleteTable"}) {
    for (const char* resource : {"arn:aws:dynamodb:us-east-1:000000000000:table/a",
                                 "arn:aws:dynamodb:us-east-1:000000000000:table/a/stream/2026-01-01T00:00:00.000"}) {
      const PolicyQuestion question{.principal = "arn:aws:iam::000000000000:user/AAAAAAAAAAAAAAAA",
                                    .account = "000000000000",
                                    .action = action,
                                    .resource = resource};
      DOLMEN_CHECK(policy->judge(question) == again->judge(question), "the stored form gives the same answers");
    }
  }
  return 0;
}
