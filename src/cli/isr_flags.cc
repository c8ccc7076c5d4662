#include "cli/isr_flags.h"

#include <filesystem>
#include <system_error>

#include "base/fail.h"
#include "cli/print_error.h"

namespace dolmen::cli {
namespace {

/// Stands for bodies that are neither read nor removed.
class UntouchedBodies final : public BodyStore {
 public:
  Result<void> put(const std::string& key, std::string_view /*body*/) override {
    return fail(Code::kUnsupported, "the body {} cannot be written: this command leaves bodies alone", key);
  }
  Result<std::optional<std::string>> get(const std::string& /*key*/) override { return std::nullopt; }
  Result<std::optional<BodyInfo>> head(const std::string& /*key*/) override { return std::nullopt; }
  Result<void> remove(const std::string& /*key*/) override { return {}; }
};

Result<std::unique_ptr<BodyStore>> open_bodies(const IsrFlags& flags) {
  constexpr std::string_view kBucket = "s3://";
  if (flags.keep_bodies || flags.bodies.empty()) return std::make_unique<UntouchedBodies>();
  if (flags.bodies.starts_with(kBucket))
    return open_body_bucket({.bucket = flags.bodies.substr(kBucket.size()), .endpoint = flags.bodies_endpoint});
  // A verb that removes bodies has no reason to make a place for them.
  std::error_code ignored;
  if (!std::filesystem::is_directory(flags.bodies, ignored))
    return fail(Code::kDirectoryUnusable, "--bodies: there is no directory {}", flags.bodies);
  return open_body_directory(flags.bodies);
}

/// Splits NAME=VALUE; a NAME alone is one that the visit does not have.
std::pair<std::string, std::optional<std::string>> named_value(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

Result<OpenedCache> open_cache(const IsrFlags& flags) {
  DOLMEN_TRY(std::unique_ptr<Store> store, open_store(flags.store));
  DOLMEN_TRY(std::unique_ptr<BodyStore> bodies, open_bodies(flags));
  PageCache cache(*store, flags.table, *bodies, {.leases = {.fencing = flags.fencing}, .body_prefix = flags.prefix});
  return OpenedCache{std::move(store), std::move(bodies), std::move(cache)};
}

Result<PageKey> named_page(const IsrFlags& flags) {
  if (flags.vary_headers.empty() && flags.vary_cookies.empty()) return flags.page;
  PageVisit visit{.path = flags.page.name, .tenant = flags.page.tenant};
  PageVary vary{.tenant_required = false};
  for (const std::string& text : flags.vary_headers) {
    const auto [name, value] = named_value(text);
    vary.headers.push_back(name);
    if (value) visit.headers.emplace_back(name, *value);
  }
  for (const std::string& text : flags.vary_cookies) {
    const auto [name, value] = named_value(text);
    vary.cookies.push_back(name);
    if (value) visit.headers.emplace_back("cookie", name + "=" + *value);
  }
  return page_key(visit, vary);
}

LogicalItem described_page(const PageMetadata& page) {
  LogicalItem item{
      {"s3_key", page.s3_key}, {"generated_at", page.generated_at}, {"revalidate_seconds", page.revalidate_seconds}};
  if (page.etag) item["etag"] = *page.etag;
  if (page.current_sk) item["current_sk"] = *page.current_sk;
  if (page.content_type) item["content_type"] = *page.content_type;
  if (page.http_status) item["http_status"] = *page.http_status;
  if (!page.http_headers.empty()) {
    LogicalItem headers;
    for (const auto& [name, value] : page.http_headers) headers[name] = value;
    item["http_headers"] = headers;
  }
  if (!page.tags.empty()) {
    LogicalValue::List tags;
    for (const std::string& tag : page.tags) tags.emplace_back(tag);
    item["tags"] = tags;
  }
  if (page.page_name) item["page_name"] = *page.page_name;
  return item;
}

std::pair<Verb, std::shared_ptr<IsrFlags>> add_isr_verb(const Verb& parent, const char* name, const char* help,
                                                        Result<void> (*carry_out)(const IsrFlags&)) {
  auto flags = std::make_shared<IsrFlags>();
  const Verb added = parent.verb(name, help);
  added.text("--table", flags->table, "Table of the pages").shown_as("NAME");
  added.flag("--json", flags->json, "Print JSON");
  add_store_flags(added, flags->store);
  added.runs([flags, carry_out]() -> int {
    const Result<void> done = carry_out(*flags);
    return done ? kDone : report(done.error(), flags->json);
  });
  return {added, flags};
}

Option add_page(const Verb& verb, IsrFlags& flags) {
  verb.text("--tenant", flags.page.tenant, "Tenant that the page belongs to").not_empty();
  verb.texts("--vary-header", flags.vary_headers,
             "Header that the page varies by, and its value; without a value for visits that do not have it; can be "
             "given several times")
      .shown_as("NAME[=VALUE]");
  verb.texts("--vary-cookie", flags.vary_cookies, "Cookie that the page varies by, likewise").shown_as("NAME[=VALUE]");
  return verb.text("PAGE", flags.page.name, "Name of the page, such as /news?page=2").not_empty();
}

Option add_bodies(const Verb& verb, IsrFlags& flags) {
  verb.text("--bodies-endpoint", flags.bodies_endpoint, "Server that speaks S3's protocol").shown_as("URL");
  return verb.text("--bodies", flags.bodies, "Where the bodies are: a directory, or s3://BUCKET").shown_as("PLACE");
}

void add_fencing(const Verb& verb, IsrFlags& flags) {
  verb.flag("--fencing", flags.fencing, "Leases have generations: keep the row that counts them");
}

}  // namespace dolmen::cli
