// CSV: any bytes are split into the same records in whatever pieces they come; a record that is accepted reads back
// when all its fields are quoted. The first byte is the length of the pieces, the second the delimiter.
#include <algorithm>
#include <vector>

#include "formats/csv_record.h"
#include "formats/line_reader.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

namespace {

/// A text in pieces of a length.
class Pieces final : public formats::ByteSource {
 public:
  Pieces(std::string_view text, std::size_t length) : text_(text), length_(length) {}
  Result<bool> read(std::string& out) override {
    const std::string_view piece = std::string_view(text_).substr(at_, length_);
    out.append(piece);
    at_ += piece.size();
    return !piece.empty();
  }

 private:
  std::string text_;
  std::size_t length_;
  std::size_t at_ = 0;
};

std::vector<std::string> records(std::string_view text, std::size_t length) {
  formats::LineReader reader(std::make_unique<Pieces>(text, length));
  std::vector<std::string> found;
  std::string record;
  while (reader.next_csv(record).value()) found.push_back(record);
  DOLMEN_CHECK(reader.bytes_read() == text.size(), "all bytes are read");
  return found;
}

std::string quoted(const formats::CsvRecord& record, char delimiter) {
  std::string out;
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (i > 0) out.push_back(delimiter);
    if (!record[i]) continue;
    out.push_back('"');
    for (const char c : *record[i]) out.append(c == '"' ? 2 : 1, c);
    out.push_back('"');
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const char delimiter = std::string_view(",;\t| :")[data[1] % 6];
  const std::string_view text = fuzz_input(data + 2, size - 2);
  const std::vector<std::string> found = records(text, data[0] + std::size_t{1});
  DOLMEN_CHECK(found == records(text, text.size() + 1), "pieces do not matter");
  for (const std::string& record : found) {
    const Result<formats::CsvRecord> fields = formats::parse_record(record, delimiter);
    if (!fields) continue;
    DOLMEN_CHECK(!fields->empty(), "a record has a field");
    const std::string written = quoted(*fields, delimiter);
    DOLMEN_CHECK(!formats::is_open_record(written), "quotes come in pairs");
    const Result<formats::CsvRecord> again = formats::parse_record(written, delimiter);
    DOLMEN_CHECK(again && *again == *fields, "a record reads back");
  }
  return 0;
}
