// Credentials that a program prints.
#include "base/fail.h"
#include "credentials/credential_json.h"
#include "credentials/program_output.h"
#include "credentials/sources.h"

namespace dolmen {

Result<AwsCredentials> process_credentials(const std::string& command, const SourceContext& context) {
  const Result<std::string> output = program_output(command, {}, context.stop);
  if (!output) return fail(Code::kCredentials, "credential_process: {}", output.error().message());
  return read_credential_json(*output, "credential_process");
}

}  // namespace dolmen
