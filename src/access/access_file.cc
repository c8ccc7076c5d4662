#include "access/access_file.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/fail.h"
#include "config/read.h"
#include "value/json.h"

namespace dolmen::access {
namespace {

using config::Node;

constexpr std::string_view kRule = "access-file";
constexpr std::size_t kIdMin = 16;
constexpr std::size_t kIdMax = 128;
constexpr std::size_t kSecretMin = 16;

/// Reads the keys of a file and notes everything that is wrong.
class Reader {
 public:
  std::vector<AccessKey> read(const Node& root) {
    std::vector<AccessKey> keys;
    if (root.kind != Node::Kind::kMap) {
      note(root, "", "the file must have the entry \"keys\", a list of access keys");
      return keys;
    }
    refuse_others(root, "", {"keys"});
    const Node* list = root.find("keys");
    if (list == nullptr || list->kind != Node::Kind::kList) {
      note(list == nullptr ? root : *list, "keys", "must be a list of access keys");
      return keys;
    }
    for (std::size_t i = 0; i < list->elements.size(); ++i)
      keys.push_back(read_key(list->elements[i], config::child_path("keys", i), keys));
    return keys;
  }

  [[nodiscard]] const std::vector<config::Problem>& problems() const { return problems_; }

 private:
  void note(const Node& at, const std::string& path, std::string message) {
    problems_.push_back({at.position, path, std::string(kRule), std::move(message)});
  }

  void refuse_others(const Node& map, const std::string& path, std::initializer_list<std::string_view> known) {
    for (const Node::Entry& entry : map.entries)
      if (std::ranges::find(known, entry.name) == known.end())
        problems_.push_back({entry.name_position, config::child_path(path, entry.name), std::string(kRule),
                             fmt::format("is not known here; known are {}", fmt::join(known, ", "))});
  }

  std::string text(const Node& map, const std::string& path, std::string_view name, bool required) {
    const Node* found = map.find(name);
    const std::string at = config::child_path(path, name);
    if (found == nullptr && required) note(map, at, "is missing");
    if (found == nullptr) return {};
    if (found->kind == Node::Kind::kString) return found->text;
    note(*found, at, fmt::format("must be a text in quotes, not a {}", kind_name(found->kind)));
    return {};
  }

  std::optional<Timestamp> time(const Node& map, const std::string& path, std::string_view name) {
    const std::string written = text(map, path, name, false);
    if (written.empty()) return std::nullopt;
    const Result<Timestamp> time = parse_timestamp(written);
    if (!time) note(*map.find(name), config::child_path(path, name), "must be a time such as \"2026-11-16T10:20:30Z\"");
    return time ? std::optional(*time) : std::nullopt;
  }

  std::vector<std::string> tables(const Node& map, const std::string& path) {
    std::vector<std::string> patterns;
    const Node* list = map.find("tables");
    if (list == nullptr) return patterns;
    const std::string at = config::child_path(path, "tables");
    if (list->kind != Node::Kind::kList || list->elements.empty()) {
      note(*list, at, "must be a list of names of tables, in which * stands for any characters");
      return patterns;
    }
    for (std::size_t i = 0; i < list->elements.size(); ++i) {
      const Node& pattern = list->elements[i];
      if (pattern.kind == Node::Kind::kString && !pattern.text.empty())
        patterns.push_back(pattern.text);
      else
        note(pattern, config::child_path(at, i), "must be the name of a table, in which * stands for any characters");
    }
    return patterns;
  }

  AccessKey read_key(const Node& map, const std::string& path, const std::vector<AccessKey>& earlier) {
    AccessKey key;
    if (map.kind != Node::Kind::kMap) {
      note(map, path, "must be an access key with id, secret and role");
      return key;
    }
    refuse_others(map, path, {"id", "secret", "role", "tables", "session_token", "expires", "created"});
    key.id = text(map, path, "id", true);
    key.secret = text(map, path, "secret", true);
    const std::string role = text(map, path, "role", true);
    key.tables = tables(map, path);
    key.session_token = text(map, path, "session_token", false);
    key.expires = time(map, path, "expires");
    key.created = time(map, path, "created");
    const Node* id = map.find("id");
    if (!key.id.empty() &&
        (key.id.size() < kIdMin || key.id.size() > kIdMax || !std::ranges::all_of(key.id, is_letter_or_digit)))
      note(*id, config::child_path(path, "id"), fmt::format("must be {} to {} letters and digits", kIdMin, kIdMax));
    if (!key.id.empty() && std::ranges::find(earlier, key.id, &AccessKey::id) != earlier.end())
      note(*id, config::child_path(path, "id"), "is the id of another key, too");
    if (!key.secret.empty() && key.secret.size() < kSecretMin)
      note(*map.find("secret"), config::child_path(path, "secret"),
           fmt::format("must have at least {} characters", kSecretMin));
    if (const std::optional<Role> found = role_of(role))
      key.role = *found;
    else if (!role.empty())
      note(*map.find("role"), config::child_path(path, "role"), "must be read-only, read-write or admin");
    return key;
  }

  std::vector<config::Problem> problems_;
};

/// A secret that others can read is not one.
Result<void> check_mode(const std::filesystem::path& file) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0) return std::unexpected(file_error(errno, "read the access file", file));
  if (!S_ISREG(found.st_mode)) return fail(Code::kInvalidArgument, "{} is not a file", file.string());
  constexpr unsigned kOthers = S_IRWXG | S_IRWXO;
  if ((found.st_mode & kOthers) == 0) return {};
  return fail(Code::kInvalidArgument,
              "{} holds secrets, but its mode is {:04o}, so that others than its owner can use it: chmod 600 {}",
              file.string(), found.st_mode & 07777U, file.string());
}

void append_entry(std::string& out, std::string_view name, std::string_view value) {
  fmt::format_to(std::back_inserter(out), "    {}: ", name);
  json::append_string(out, value);
  out.push_back('\n');
}

void append_time(std::string& out, std::string_view name, const std::optional<Timestamp>& time) {
  if (!time) return;
  if (const auto text = format_timestamp(*time, TimestampForm::kTrimmed)) append_entry(out, name, *text);
}

void append_key(std::string& out, const AccessKey& key) {
  std::string entry;
  append_entry(entry, "id", key.id);
  entry.replace(2, 1, "-");  // The first entry begins the element of the list.
  out.append(entry);
  append_entry(out, "secret", key.secret);
  append_entry(out, "role", role_name(key.role));
  if (!key.tables.empty()) {
    out.append("    tables: [");
    for (const std::string& pattern : key.tables) {
      if (!out.ends_with('[')) out.append(", ");
      json::append_string(out, pattern);
    }
    out.append("]\n");
  }
  if (!key.session_token.empty()) append_entry(out, "session_token", key.session_token);
  append_time(out, "expires", key.expires);
  append_time(out, "created", key.created);
}

}  // namespace

Result<std::vector<AccessKey>> parse_access_file(std::string_view text, std::string_view name) {
  const config::Reading reading = config::read_yaml(text);
  if (!reading.problems.empty() || !reading.root)
    return std::unexpected(config::error_of(Code::kInvalidArgument, name, reading.problems));
  Reader reader;
  std::vector<AccessKey> keys = reader.read(*reading.root);
  if (!reader.problems().empty())
    return std::unexpected(config::error_of(Code::kInvalidArgument, name, reader.problems()));
  return keys;
}

Result<std::vector<AccessKey>> read_access_file(const std::filesystem::path& file) {
  DOLMEN_TRY_VOID(check_mode(file));
  DOLMEN_TRY(const std::string text, config::read_file(file));
  return parse_access_file(text, file.string());
}

Result<void> write_access_file(const std::filesystem::path& file, const std::vector<AccessKey>& keys,
                               const FileWriter& writer) {
  std::string text =
      "# Who may use a Dolmen server. Written by `dolmen access`, which keeps no comments. Secrets: for its owner "
      "alone.\n";
  text.append(keys.empty() ? "keys: []\n" : "keys:\n");
  for (const AccessKey& key : keys) append_key(text, key);
  return writer.replace(file, text, FileWriter::Readers::kOwnerAlone);
}

}  // namespace dolmen::access
