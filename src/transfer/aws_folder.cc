#include "transfer/aws_folder.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <memory>
#include <openssl/evp.h>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/check.h"
#include "base/fail.h"
#include "base/file_writer.h"
#include "dolmen/timestamp.h"
#include "protocol/digest.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

namespace dolmen::transfer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kManifestBytes = std::size_t{64} << 20;
constexpr std::string_view kManifestFiles = "manifest-files.json";
constexpr std::string_view kManifestSummary = "manifest-summary.json";

/// The folder with the manifests: this one, or the only one below AWSDynamoDB.
Result<fs::path> manifest_folder(const fs::path& folder) {
  if (fs::exists(folder / kManifestFiles)) return folder;
  std::optional<fs::path> found;
  std::error_code failure;
  for (const fs::path& parent : {folder / "AWSDynamoDB", folder})
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, failure)) {
      if (!fs::exists(entry.path() / kManifestFiles)) continue;
      if (found && *found != entry.path())
        return fail(Code::kValidation, "{} has several exports; name one of them, such as {}", folder.string(),
                    entry.path().string());
      found = entry.path();
    }
  if (!found)
    return fail(Code::kValidation, "{} is not an export of AWS: it has no {}", folder.string(), kManifestFiles);
  return *found;
}

Result<void> check_summary(const fs::path& folder) {
  const fs::path path = folder / kManifestSummary;
  if (!fs::exists(path)) return {};
  DOLMEN_TRY(const std::string text, FileWriter::read(path, kManifestBytes));
  const Result<ObjectView> summary = ObjectView::response(text);
  if (!summary) return fail(Code::kValidation, "{} is not JSON", path.string());
  const std::string format = summary->shown("outputFormat");
  if (!format.empty() && format != "DYNAMODB_JSON")
    return fail(Code::kValidation, "{}: the export is in the format {}; only DYNAMODB_JSON can be imported",
                path.string(), format);
  if (summary->shown("exportType").starts_with("INCREMENTAL"))
    return fail(Code::kValidation, "{}: the export holds the changes of some time; only a full one can be imported",
                path.string());
  return {};
}

using Md5 = std::array<unsigned char, 16>;

/// MD5 of what `next` returns, until that is empty. AWS names the content of its files by it.
Md5 md5_of(const std::function<std::string_view()>& next) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  DOLMEN_CHECK(context && EVP_DigestInit_ex(context.get(), EVP_md5(), nullptr) == 1, "OpenSSL has MD5");
  for (std::string_view part = next(); !part.empty(); part = next())
    EVP_DigestUpdate(context.get(), part.data(), part.size());
  Md5 digest{};
  EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
  return digest;
}

Md5 md5_of_text(std::string_view text) {
  return md5_of([&] { return std::exchange(text, {}); });
}

Result<Md5> md5_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string buffer(std::size_t{1} << 20, '\0');
  const Md5 digest = md5_of([&] {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    return std::string_view(buffer).substr(0, static_cast<std::size_t>(file.gcount()));
  });
  if (!file.eof()) return fail(Code::kIo, "cannot read {}", path.string());
  return digest;
}

std::string base64_md5(const Md5& digest) {
  return encode_base64(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

std::string moment_text(std::int64_t time_ms) {
  const Timestamp time = Timestamp::from(TimePoint(std::chrono::milliseconds(time_ms)));
  return format_timestamp(time, TimestampForm::kTrimmed).value_or("");
}

}  // namespace

Result<std::vector<std::string>> aws_data_files(const std::string& folder) {
  if (!fs::is_directory(folder)) return fail(Code::kIo, "{} is not a folder", folder);
  DOLMEN_TRY(const fs::path place, manifest_folder(folder));
  DOLMEN_TRY_VOID(check_summary(place));
  DOLMEN_TRY(const std::string manifest, FileWriter::read(place / kManifestFiles, kManifestBytes));
  std::vector<std::string> files;
  std::size_t number = 0;
  for (std::size_t at = 0; at < manifest.size();) {
    const std::size_t end = std::min(manifest.find('\n', at), manifest.size());
    const std::string_view line = std::string_view(manifest).substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.empty()) continue;
    const Result<ObjectView> entry = ObjectView::response(line);
    const std::string key = entry ? entry->shown("dataFileS3Key") : "";
    if (key.empty())
      return fail(Code::kValidation, "{}:{}: there is no dataFileS3Key", (place / kManifestFiles).string(), number);
    const fs::path file = place / "data" / fs::path(key).filename();
    if (!fs::exists(file)) return fail(Code::kIo, "{} is missing, which {} names", file.string(), kManifestFiles);
    files.push_back(file);
  }
  return files;
}

std::string_view aws_item(std::string_view record) {
  const Result<ObjectView> line = ObjectView::response(record);
  if (!line) return record;
  return line->find("Item").value_or(record);
}

Result<void> write_aws_manifests(const AwsExport& done, const TableDescription& table) {
  const fs::path folder = done.folder;
  const std::string id = folder.filename();
  DOLMEN_TRY(const Md5 content, md5_of_file(folder / "data" / done.data_file));
  const std::string files = object_text([&](ObjectWriter& object) {
                              object.number("itemCount", done.items).text("md5Checksum", base64_md5(content));
                              object.text("etag", hex(content))
                                  .text("dataFileS3Key", fmt::format("AWSDynamoDB/{}/data/{}", id, done.data_file));
                            }) +
                            "\n";
  const std::string summary = object_text([&](ObjectWriter& object) {
    object.text("version", "2020-06-30").text("exportArn", fmt::format("{}/export/{}", table.arn, id));
    object.text("startTime", moment_text(done.time_ms)).text("endTime", moment_text(done.time_ms));
    object.text("tableArn", table.arn).text("tableId", table.id).text("exportTime", moment_text(done.time_ms));
    object.text("s3Bucket", "").json("s3Prefix", "null").text("s3SseAlgorithm", "AES256").json("s3SseKmsKeyId", "null");
    object.text("manifestFilesS3Key", fmt::format("AWSDynamoDB/{}/{}", id, kManifestFiles));
    object.number("billedSizeBytes", done.bytes).number("itemCount", done.items).text("outputFormat", "DYNAMODB_JSON");
  });
  const FileWriter writer;
  for (const auto& [name, text] : {std::pair(kManifestFiles, &files), std::pair(kManifestSummary, &summary)}) {
    DOLMEN_TRY_VOID(writer.replace(folder / name, *text));
    const fs::path sum = folder / (fs::path(name).stem().string() + ".md5");
    DOLMEN_TRY_VOID(writer.replace(sum, base64_md5(md5_of_text(*text))));
  }
  return writer.replace(folder / "_started", "");
}

}  // namespace dolmen::transfer
