#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/store_flags.h"
#include "dolmen/isr.h"
#include "dolmen/model/logical_value.h"

/// What the verbs of `isr` have in common.
namespace dolmen::cli {

struct IsrFlags {
  PageKey page;
  std::vector<std::string> vary_headers;
  std::vector<std::string> vary_cookies;
  std::string tag;
  std::string table = "cache";
  std::string bodies;
  std::string bodies_endpoint;
  std::string prefix = "pages/";
  std::string state;
  std::string version;
  std::string after;
  std::uint32_t limit = 1000;
  std::int64_t older_than_seconds = 3600;
  bool keep_bodies = false;
  bool dry_run = false;
  bool fencing = false;
  bool json = false;
  StoreFlags store;
};

/// Everything that a verb works with.
struct OpenedCache {
  std::unique_ptr<Store> store;
  std::unique_ptr<BodyStore> bodies;
  PageCache cache;
};

Result<OpenedCache> open_cache(const IsrFlags& flags);

/// The page that is named, with what it varies by.
Result<PageKey> named_page(const IsrFlags& flags);

/// What is printed of a page's metadata.
LogicalItem described_page(const PageMetadata& page);

/// Adds a verb with the options that all of them have.
std::pair<Verb, std::shared_ptr<IsrFlags>> add_isr_verb(const Verb& parent, const char* name, const char* help,
                                                        Result<void> (*carry_out)(const IsrFlags&));
/// Adds PAGE and what pages can vary by.
Option add_page(const Verb& verb, IsrFlags& flags);
Option add_bodies(const Verb& verb, IsrFlags& flags);
void add_fencing(const Verb& verb, IsrFlags& flags);

/// Adds the verbs that mark, list and sweep, and those about versions.
void add_isr_upkeep(const Verb& parent);
void add_isr_versions(const Verb& parent);

}  // namespace dolmen::cli
