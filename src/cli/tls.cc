#include "cli/tls.h"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/file_writer.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "wire/tls.h"

namespace dolmen::cli {
namespace {

struct TlsFlags {
  std::string certificate = "tls-cert.pem";
  std::string key = "tls-key.pem";
  std::vector<std::string> names;
  int days = 365;
  bool json = false;
};

/// Never replaces a key: a certificate that is in use would lose it.
Result<void> create(const std::string& file, std::string_view content, FileWriter::Readers readers) {
  DOLMEN_TRY(const bool created, FileWriter().create(file, content, readers));
  return created ? Result<void>() : fail(Code::kInvalidArgument, "{} is there already, and is not replaced", file);
}

Result<void> make(const TlsFlags& flags) {
  const std::vector<std::string> usual{"localhost", "127.0.0.1", "::1"};
  DOLMEN_TRY(const wire::SelfSigned made,
             wire::make_self_signed(flags.names.empty() ? usual : flags.names, flags.days));
  DOLMEN_TRY_VOID(create(flags.key, made.key, FileWriter::Readers::kOwnerAlone));
  return create(flags.certificate, made.certificate, FileWriter::Readers::kAsUsual);
}

int run(const TlsFlags& flags) {
  if (const Result<void> made = make(flags); !made) {
    report(made.error(), flags.json);
    return kFailed;
  }
  if (flags.json)
    return print_json(LogicalItem{{"certificate", flags.certificate}, {"key", flags.key}}) ? kDone : kFailed;
  fmt::print("dolmen serve --tls-cert {0} --tls-key {1}\nclients trust it with AWS_CA_BUNDLE={0}\n", flags.certificate,
             flags.key);
  return kDone;
}

}  // namespace

void add_tls(const Verb& program) {
  auto flags = std::make_shared<TlsFlags>();
  const Verb verb = program.verb("tls", "Make certificates for trials");
  const Verb making = verb.verb("self-signed", "Write a certificate that nobody vouches for, and its key");
  making.text("--cert", flags->certificate, "File of the certificate").shown_as("FILE").not_empty();
  making.text("--key", flags->key, "File of the key").shown_as("FILE").not_empty();
  making
      .texts("--name", flags->names,
             "Host name or IP address of the server; can be given several times. Without it, those of this machine")
      .shown_as("NAME")
      .not_empty();
  constexpr int kDaysMax = 3650;
  making.number("--days", flags->days, "How long it is valid", {1, kDaysMax});
  making.flag("--json", flags->json, "Print JSON");
  making.runs([flags] { return run(*flags); });
}

}  // namespace dolmen::cli
