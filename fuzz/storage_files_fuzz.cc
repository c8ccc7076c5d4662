// The small files beside a database: any bytes are read as a note of its logs or as a list of files, or are refused;
// what is accepted reads back. The checksum is made right as well, so that what stands behind it is read.
#include <fmt/format.h>

#include "base/endian.h"
#include "base/hash.h"
#include "fuzz/fuzz.h"
#include "storage/file_list.h"
#include "storage/log_note.h"

using namespace dolmen;
using namespace dolmen::storage;

namespace {

void check_note(std::string_view bytes) {
  const std::optional<LogNote> note = decode_log_note(bytes);
  if (!note) return;
  DOLMEN_CHECK(decode_log_note(encode_log_note(*note)) == *note, "a note reads back");
  const std::string file = log_note_file(*note);
  DOLMEN_CHECK(file.size() == 2 * kLogNotePlaceBytes, "a file has two places");
  DOLMEN_CHECK(decode_log_note(std::string_view(file).substr(kLogNotePlaceBytes)) == *note, "both places hold it");
}

void check_list(std::string_view text) {
  const auto files = read_file_list(text);
  if (files) DOLMEN_CHECK(read_file_list(file_list_text(*files)) == *files, "a list reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  check_note(input);
  std::string note(input);
  append_big_endian(note, hash64(input));
  check_note(note);
  check_list(input);
  check_list(fmt::format("{}end {:016x}\n", input, hash64(input)));
  return 0;
}
