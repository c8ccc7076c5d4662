// Streams: any text is read as an iterator, an ARN, a sequence number or a saved position, or is refused; any bytes are
// read as a record or are refused; and what is accepted can be written and read again.
#include <optional>

#include "engine/stream_log.h"
#include "engine/stream_position.h"
#include "fuzz/fuzz.h"
#include "store/stream_bookmark.h"

using namespace dolmen;
using namespace dolmen::engine;

namespace {

void check_iterator(std::string_view text) {
  const Result<streams::Place> place = streams::parse_iterator(text);
  if (!place) {
    DOLMEN_CHECK(place.error().code() == Code::kValidation, "a damaged iterator has one code");
    return;
  }
  const Result<streams::Place> again = streams::parse_iterator(streams::iterator_text(*place));
  DOLMEN_CHECK(again && again->arn == place->arn && again->shard == place->shard && again->next == place->next &&
                   again->issued == place->issued,
               "an iterator reads back");
  DOLMEN_CHECK(place->shard < kStreamShardsMax && place->next > 0, "an iterator is in a shard");
}

void check_record(std::string_view bytes) {
  const Result<streams::RecordView> record = streams::decode_record(bytes);
  if (!record) {
    DOLMEN_CHECK(record.error().code() == Code::kCorruption, "a damaged record has one code");
    return;
  }
  const std::string written = streams::encode_record(*record);
  const Result<streams::RecordView> again = streams::decode_record(written);
  DOLMEN_CHECK(again && again->event == record->event && again->expired == record->expired &&
                   again->created == record->created && again->key == record->key &&
                   again->old_image == record->old_image && again->new_image == record->new_image,
               "a record reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  check_iterator(input);
  check_record(input);
  if (const auto number = streams::number_of(input))
    DOLMEN_CHECK(streams::sequence_number(*number) == input, "a sequence number has one text");
  if (const auto arn = streams::parse_arn(input))
    DOLMEN_CHECK(input.starts_with(arn->table_arn) && input.ends_with(arn->label), "an ARN is made of its parts");
  if (const auto bookmark = parse_bookmark(input))
    DOLMEN_CHECK(parse_bookmark(bookmark_text(*bookmark)) == *bookmark, "a position reads back");
  return 0;
}
