#include "server/vector_statistics.h"

#include <charconv>

#include "base/fail.h"
#include "protocol/object_view.h"
#include "protocol/vector_statistics_json.h"
#include "service/vector_statistics.h"

namespace dolmen {
namespace {

constexpr std::size_t kSampleMax = 10'000;

}  // namespace

Result<std::string> describe_vector_index(const Store& store, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"TableName", "IndexName", "Sample"}));
  DOLMEN_TRY(const std::string table, request.text("TableName"));
  DOLMEN_TRY(const std::string index, request.text("IndexName"));
  std::size_t sample = 0;
  if (const std::optional<std::string_view> text = request.find("Sample")) {
    const auto read = std::from_chars(text->data(), text->data() + text->size(), sample);
    if (read.ec != std::errc() || read.ptr != text->data() + text->size() || sample > kSampleMax)
      return fail(Code::kValidation, "Sample: {} is not a number from 0 to {}", *text, kSampleMax);
  }
  auto* vectors = store.companions().find<VectorStatistics>();
  if (vectors == nullptr) return fail(Code::kUnsupported, "this store has no vector indexes of its own");
  DOLMEN_TRY(const VectorIndexStatistics statistics, vectors->vector_statistics(table, index, sample));
  return vector_statistics_json(statistics);
}

}  // namespace dolmen
