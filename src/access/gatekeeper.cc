#include "access/gatekeeper.h"

#include <fmt/format.h>
#include <utility>

#include "base/fail.h"

namespace dolmen::access {

Result<std::unique_ptr<Gatekeeper>> Gatekeeper::open(Options options) {
  std::unique_ptr<Gatekeeper> gatekeeper(new Gatekeeper(std::move(options)));
  const Options& given = gatekeeper->options_;
  if (given.mode == Mode::kOff) return gatekeeper;
  DOLMEN_TRY(gatekeeper->keys_, AccessKeys::open(given.file, given.log));
  gatekeeper->authenticator_.emplace(*gatekeeper->keys_,
                                     Authenticator::Options{.region = given.region, .clock = given.clock});
  return gatekeeper;
}

std::expected<Caller, Gatekeeper::Refusal> Gatekeeper::admit(const SignedRequest& request, std::string_view address) {
  if (!authenticator_) {
    const Result<std::optional<Claim>> claim = read_claim(request);
    if (!claim) return std::unexpected(Refusal{claim.error()});
    return Caller();
  }
  Result<Caller> caller = authenticator_->authenticate(request);
  if (caller) return *std::move(caller);
  ++failures_;
  if (options_.mode == Mode::kEnforce)
    return std::unexpected(Refusal{std::move(caller).error(), brake_.failed(address)});
  warn(caller.error(), address);
  return Caller();
}

Result<void> Gatekeeper::judge(Result<void> allowed) {
  if (allowed || options_.mode == Mode::kEnforce) return allowed;
  if (options_.mode == Mode::kWarn) warn(allowed.error(), "");
  return {};
}

void Gatekeeper::refresh() {
  if (keys_ != nullptr) keys_->refresh();
}

void Gatekeeper::warn(const Error& error, std::string_view address) {
  // What follows the first line is for whoever signed.
  const std::string_view message(error.message());
  if (options_.log)
    options_.log(fmt::format("would refuse a request{}{}: {}: {}", address.empty() ? "" : " from ", address,
                             code_name(error.code()), message.substr(0, message.find('\n'))));
}

}  // namespace dolmen::access
