#include "cli/access.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <string>
#include <sys/file.h>
#include <vector>

#include "access/access_file.h"
#include "base/base64.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/random.h"
#include "cli/print_error.h"
#include "cli/print_json.h"

namespace dolmen::cli {
namespace {

using access::AccessKey;

struct AccessFlags {
  std::string file;
  std::string role = "read-write";
  std::vector<std::string> tables;
  double hours = 0;
  std::string id;
  bool json = false;
};

template <std::size_t kCount>
std::array<std::byte, kCount> random_bytes() {
  std::array<std::byte, kCount> bytes;
  system_random().fill(bytes);
  return bytes;
}

/// Twenty capital letters and digits, as AWS's ids are.
std::string new_id() {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string id = "DLMN";
  for (const std::byte byte : random_bytes<16>())
    id.push_back(kLetters[std::to_integer<unsigned>(byte) % kLetters.size()]);
  return id;
}

template <std::size_t kBytes>
std::string new_secret() {
  const auto bytes = random_bytes<kBytes>();
  std::string secret;
  append_base64(secret, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return secret;
}

/// Lets one process change the file at a time.
class FileLock {
 public:
  static Result<FileLock> take(const std::filesystem::path& file) {
    const std::filesystem::path path = file.native() + ".lock";
    FileDescriptor opened(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!opened.is_open() || ::flock(opened.get(), LOCK_EX) != 0)
      return std::unexpected(file_error(errno, "lock the access file", path));
    return FileLock(std::move(opened));
  }

 private:
  explicit FileLock(FileDescriptor opened) : opened_(std::move(opened)) {}
  FileDescriptor opened_;
};

Result<std::vector<AccessKey>> keys_if_there(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return std::vector<AccessKey>();
  return access::read_access_file(file);
}

std::string time_text(const std::optional<Timestamp>& time) {
  const auto text = time ? format_timestamp(*time, TimestampForm::kTrimmed) : Result<std::string>("");
  return text ? *text : "";
}

LogicalItem shown(const AccessKey& key) {
  LogicalItem item{{"id", key.id}, {"role", access::role_name(key.role)}};
  item["tables"] =
      key.tables.empty() ? LogicalValue::List{"*"} : LogicalValue::List(key.tables.begin(), key.tables.end());
  if (key.created) item["created"] = time_text(key.created);
  if (key.expires) item["expires"] = time_text(key.expires);
  return item;
}

Result<AccessKey> create(const AccessFlags& flags) {
  DOLMEN_TRY(const FileLock lock, FileLock::take(flags.file));
  DOLMEN_TRY(std::vector<AccessKey> keys, keys_if_there(flags.file));
  const Timestamp now{.seconds = Timestamp::from(system_clock().now()).seconds};
  AccessKey key{.id = new_id(),
                .secret = new_secret<30>(),
                .role = *access::role_of(flags.role),
                .tables = flags.tables,
                .created = now};
  if (flags.hours > 0) {
    constexpr double kSecondsPerHour = 3600;
    key.session_token = new_secret<96>();
    key.expires = Timestamp{.seconds = now.seconds + static_cast<std::int64_t>(flags.hours * kSecondsPerHour)};
  }
  keys.push_back(key);
  DOLMEN_TRY_VOID(access::write_access_file(flags.file, keys));
  return key;
}

int run_create(const AccessFlags& flags) {
  const Result<AccessKey> key = create(flags);
  if (!key) {
    report(key.error(), flags.json);
    return kFailed;
  }
  if (flags.json) {
    LogicalItem item = shown(*key);
    item["secret"] = key->secret;
    if (!key->session_token.empty()) item["session_token"] = key->session_token;
    return print_json(item) ? kDone : kFailed;
  }
  fmt::print("AWS_ACCESS_KEY_ID={}\nAWS_SECRET_ACCESS_KEY={}\n", key->id, key->secret);
  if (!key->session_token.empty()) fmt::print("AWS_SESSION_TOKEN={}\n", key->session_token);
  fmt::print(stderr, "The secret is shown only now.\n");
  return kDone;
}

int run_list(const AccessFlags& flags) {
  const Result<std::vector<AccessKey>> keys = access::read_access_file(flags.file);
  if (!keys) {
    report(keys.error(), flags.json);
    return kFailed;
  }
  if (flags.json) {
    LogicalValue::List list;
    for (const AccessKey& key : *keys) list.emplace_back(shown(key));
    return print_json(LogicalItem{{"keys", std::move(list)}}) ? kDone : kFailed;
  }
  for (const AccessKey& key : *keys)
    fmt::print("{:<22} {:<11} {}{}\n", key.id, access::role_name(key.role),
               key.tables.empty() ? "*" : fmt::format("{}", fmt::join(key.tables, " ")),
               key.expires ? "  until " + time_text(key.expires) : "");
  return kDone;
}

Result<void> revoke(const AccessFlags& flags) {
  DOLMEN_TRY(const FileLock lock, FileLock::take(flags.file));
  DOLMEN_TRY(std::vector<AccessKey> keys, access::read_access_file(flags.file));
  if (std::erase_if(keys, [&](const AccessKey& key) { return key.id == flags.id; }) == 0)
    return fail(Code::kInvalidArgument, "{} has no key {}", flags.file, flags.id);
  return access::write_access_file(flags.file, keys);
}

int run_revoke(const AccessFlags& flags) {
  if (const Result<void> done = revoke(flags); !done) {
    report(done.error(), flags.json);
    return kFailed;
  }
  if (flags.json) return print_json(LogicalItem{{"revoked", flags.id}}) ? kDone : kFailed;
  fmt::print("revoked {}\n", flags.id);
  return kDone;
}

Verb add_verb(const Verb& parent, AccessFlags& flags, const std::string& name, const std::string& help) {
  const Verb verb = parent.verb(name, help);
  verb.text("--file", flags.file, "The access file of the server").shown_as("FILE").required().not_empty();
  verb.flag("--json", flags.json, "Print JSON");
  return verb;
}

}  // namespace

void add_access(const Verb& program) {
  auto flags = std::make_shared<AccessFlags>();
  const Verb verb =
      program.verb("access", "Make, list and revoke the keys that may use a server (serve --access FILE)");
  const Verb creating = add_verb(verb, *flags, "create", "Add a key; its secret is printed once");
  creating.text("--role", flags->role, "What the key may do").one_of({"read-only", "read-write", "admin"});
  creating
      .texts("--tables", flags->tables,
             "A table that it may use, in which * stands for any characters; can be given several times. Without it, "
             "every table")
      .shown_as("PATTERN")
      .not_empty();
  constexpr double kHoursMax = 24.0 * 365;
  creating.number("--hours", flags->hours, "A temporary key with a session token, for so long; 0 is a lasting one",
                  {0, kHoursMax});
  creating.runs([flags] { return run_create(*flags); });
  add_verb(verb, *flags, "list", "List the keys, without their secrets").runs([flags] { return run_list(*flags); });
  const Verb revoking = add_verb(verb, *flags, "revoke", "Remove a key; a running server refuses it within a second");
  revoking.text("ID", flags->id, "Id of the key").required();
  revoking.runs([flags] { return run_revoke(*flags); });
}

}  // namespace dolmen::cli
