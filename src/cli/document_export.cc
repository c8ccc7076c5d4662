#include "cli/document_export.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>

#include "base/fail.h"
#include "cli/check_files.h"
#include "cli/print_error.h"
#include "schema/names.h"

namespace dolmen::cli {
namespace {

constexpr std::uint32_t kDocumentsPerPage = 1000;

/// Writes the documents of a version. Returns how many there were.
Result<std::size_t> write_lines(const Documents& documents, const SchemaRef& ref, std::ostream& out) {
  std::size_t count = 0;
  ListDocumentsOptions options{.limit = kDocumentsPerPage};
  do {
    DOLMEN_TRY(const DocumentPage page, documents.list(ref, options));
    for (const Document& document : page.documents) out << document.text << '\n';
    count += page.documents.size();
    options.cursor = page.cursor;
  } while (!options.cursor.empty() && out);
  out.flush();
  if (!out) return fail(Code::kIo, "the documents of {} cannot be written", to_string(ref));
  return count;
}

/// A file that is not there yet: an export replaces nothing.
Result<std::ofstream> new_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return fail(Code::kIo, "{} exists; choose another place", path.native());
  std::ofstream file(path, std::ios::binary);
  if (!file) return fail(Code::kIo, "cannot write {}", path.native());
  return file;
}

Result<std::size_t> export_one(const Documents& documents, const ExportFlags& flags) {
  DOLMEN_TRY_VOID(documents.schema(flags.ref));
  if (flags.to.empty()) return write_lines(documents, flags.ref, std::cout);
  DOLMEN_TRY(std::ofstream file, new_file(flags.to));
  return write_lines(documents, flags.ref, file);
}

Result<std::size_t> export_all(const Documents& documents, const ExportFlags& flags) {
  const std::filesystem::path folder = flags.to;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(Code::kIo, "cannot make the folder {}: {}", folder.native(), error.message());
  DOLMEN_TRY(const std::vector<PublishedInfo> schemas, documents.schemas());
  std::size_t count = 0;
  for (const PublishedInfo& info : schemas) {
    DOLMEN_TRY(std::ofstream schema, new_file(folder / schema::file_name(info.ref)));
    schema << info.text << std::flush;
    if (!schema) return fail(Code::kIo, "the schema {} cannot be written", to_string(info.ref));
    DOLMEN_TRY(std::ofstream file, new_file(folder / fmt::format("{}_{}.jsonl", info.ref.id, info.ref.version)));
    DOLMEN_TRY(const std::size_t written, write_lines(documents, info.ref, file));
    count += written;
  }
  return count;
}

}  // namespace

int export_documents(const ExportFlags& flags) {
  if (flags.all && (flags.to.empty() || !flags.ref.id.empty() || !flags.ref.version.empty()))
    return report(Error(Code::kInvalidArgument,
                        "--all: name a folder with --to, and neither --schema nor --version, because all are exported"),
                  flags.json);
  if (flags.json && flags.to.empty())
    return report(
        Error(Code::kInvalidArgument, "--json: name a file with --to, because the documents go to the output"),
        flags.json);
  auto opened = documents_in(open_store(flags.store));
  if (!opened) return report(opened.error(), flags.json);
  const Result<std::size_t> count =
      flags.all ? export_all(opened->documents, flags) : export_one(opened->documents, flags);
  if (!count) return report(count.error(), flags.json);
  if (flags.json)
    fmt::print(R"({{"exported":{}}})"
               "\n",
               *count);
  else
    fmt::print(stderr, "{}\n", counted(*count, "document", "documents"));
  return 0;
}

}  // namespace dolmen::cli
