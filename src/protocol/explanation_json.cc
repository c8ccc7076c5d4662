#include "protocol/explanation_json.h"

#include <charconv>
#include <fmt/format.h>

#include "base/fail.h"
#include "base/unicode.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

namespace dolmen {
namespace {

void write_part(ObjectWriter& object, const ReadPart& part) {
  object.text("table", part.table);
  if (!part.index.empty()) object.text("index", part.index);
  object.number("partitions_read", part.partitions_read);
  object.number("items_read", part.items_read);
  object.number("items_returned", part.items_returned);
  if (part.items_fetched > 0) object.number("items_fetched", part.items_fetched);
  object.number("bytes_read", part.bytes_read);
  if (part.items_fetched > 0) object.number("bytes_fetched", part.bytes_fetched);
  object.number("bytes_returned", part.bytes_returned);
  object.json("capacity", fmt::format("{}", part.capacity));
  if (!part.way.empty()) object.text("way", part.way).number("vectors_compared", part.vectors_compared);
}

std::string json_of(const Explanation& explanation, bool left_out) {
  return object_text([&](ObjectWriter& object) {
    object.text("operation", explanation.operation);
    object.objects("parts", explanation.parts, write_part);
    object.objects("phases", explanation.phases, [](ObjectWriter& one, const ReadPhase& phase) {
      one.text("name", phase.name).number("nanoseconds", phase.time.count());
    });
    object.objects("warnings", explanation.warnings, [](ObjectWriter& one, const ReadWarning& warning) {
      one.text("kind", warning.kind).text("message", warning.message);
    });
    if (left_out) object.flag("left_out", true);
  });
}

/// Characters beyond ASCII as the escapes of JSON.
std::string in_ascii(std::string_view json) {
  const Result<std::u16string> characters = utf16_from_utf8(json);
  std::string ascii;
  for (const char16_t c : characters.value_or(u"{}")) {
    if (c < 0x80)
      ascii.push_back(static_cast<char>(c));
    else
      ascii += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  }
  return ascii;
}

/// Zero when the member is missing or not a number.
template <class T>
T number_in(const ObjectView& object, std::string_view name) {
  const std::string_view text = object.find(name).value_or("");
  T number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Result<ReadPart> read_part(std::string_view json) {
  DOLMEN_TRY(const ObjectView object, ObjectView::response(json));
  DOLMEN_TRY(std::string table, object.text("table"));
  return ReadPart{.table = std::move(table),
                  .index = object.shown("index"),
                  .partitions_read = number_in<std::uint64_t>(object, "partitions_read"),
                  .items_read = number_in<std::uint64_t>(object, "items_read"),
                  .items_returned = number_in<std::uint64_t>(object, "items_returned"),
                  .items_fetched = number_in<std::uint64_t>(object, "items_fetched"),
                  .bytes_read = number_in<std::uint64_t>(object, "bytes_read"),
                  .bytes_fetched = number_in<std::uint64_t>(object, "bytes_fetched"),
                  .bytes_returned = number_in<std::uint64_t>(object, "bytes_returned"),
                  .capacity = number_in<double>(object, "capacity"),
                  .way = object.shown("way"),
                  .vectors_compared = number_in<std::uint64_t>(object, "vectors_compared")};
}

}  // namespace

std::string explanation_json(const Explanation& explanation) { return json_of(explanation, false); }

std::string explanation_header(const Explanation& explanation) {
  constexpr std::size_t kHeaderBytesMax = 6000;
  Explanation shown = explanation;
  std::string text = in_ascii(json_of(shown, false));
  while (text.size() > kHeaderBytesMax && shown.parts.size() + shown.warnings.size() > 2) {
    // The longer half goes, of whichever list is longer.
    if (shown.parts.size() >= shown.warnings.size())
      shown.parts.resize((shown.parts.size() + 1) / 2);
    else
      shown.warnings.resize((shown.warnings.size() + 1) / 2);
    text = in_ascii(json_of(shown, true));
  }
  return text;
}

Result<Explanation> read_explanation(std::string_view json) {
  DOLMEN_TRY(const ObjectView object, ObjectView::response(json));
  Explanation explanation;
  DOLMEN_TRY(explanation.operation, object.text("operation"));
  DOLMEN_TRY(const auto parts, object.list("parts"));
  for (const std::string_view part : parts) {
    DOLMEN_TRY(explanation.parts.emplace_back(), read_part(part));
  }
  DOLMEN_TRY(const auto phases, object.list("phases"));
  for (const std::string_view phase : phases) {
    DOLMEN_TRY(const ObjectView one, ObjectView::response(phase));
    DOLMEN_TRY(std::string name, one.text("name"));
    explanation.phases.push_back(
        {std::move(name), std::chrono::nanoseconds(number_in<std::int64_t>(one, "nanoseconds"))});
  }
  DOLMEN_TRY(const auto warnings, object.list("warnings"));
  for (const std::string_view warning : warnings) {
    DOLMEN_TRY(const ObjectView one, ObjectView::response(warning));
    DOLMEN_TRY(std::string kind, one.text("kind"));
    DOLMEN_TRY(std::string message, one.text("message"));
    explanation.warnings.push_back({std::move(kind), std::move(message)});
  }
  return explanation;
}

}  // namespace dolmen
