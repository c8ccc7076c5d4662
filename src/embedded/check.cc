#include "embedded/check.h"

#include <memory>

#include "embedded/embedded.h"
#include "embedded/log_inspection.h"
#include "embedded/table_key_file.h"
#include "engine/keyspaces.h"
#include "engine/verification.h"
#include "schema/registry.h"
#include "storage/storage.h"

namespace dolmen {

Result<StoreCheckReport> check_directory(const std::string& directory, const StoreCheck::Progress& progress,
                                         const std::string& table_keys) {
  RecoveryReport recovery;
  std::shared_ptr<schema::Registry> schemas;
  storage::Options options{.directory = directory,
                           .keyspaces = engine::keyspaces::names(),
                           .verified_keyspaces = engine::keyspaces::verified()};
  options.inspect_directory = [&](const std::filesystem::path& path) -> Result<void> {
    DOLMEN_TRY(schemas, schema::Registry::load(path));
    return {};
  };
  options.inspect_log = [&](std::string_view bytes) { return inspect_note(bytes, *schemas, recovery); };
  const Result<std::unique_ptr<storage::Storage>> opened = storage::Storage::open_unchanged(options);
  if (opened) {
    DOLMEN_TRY_VOID(read_sealed_rows(**opened, table_keys));
    return engine::Verification(**opened, progress).run();
  }
  if (opened.error().code() != Code::kCorruption) return std::unexpected(opened.error());
  StoreCheckReport report;
  report.add_problem(opened.error().message());
  return report;
}

}  // namespace dolmen
