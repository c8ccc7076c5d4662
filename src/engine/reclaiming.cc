#include "engine/reclaiming.h"

#include <string>

#include "base/endian.h"
#include "base/fail.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"

namespace dolmen::engine::reclaiming {
namespace {

constexpr std::string_view kNotePrefix = "reclaim/";
constexpr std::string_view kNotePrefixEnd = "reclaim0";

std::string note_key(const Note& note) {
  std::string key(kNotePrefix);
  key.push_back(static_cast<char>(note.keyspace.index));
  append_big_endian(key, note.id);
  return key;
}

}  // namespace

void remove_rows(storage::Batch& batch, const Note& note) {
  batch.remove_range(note.keyspace, {.lower = first_key_of(note.id), .upper = first_key_of(note.id + 1)});
  batch.put(keyspaces::kCatalogue, note_key(note), "");
}

Result<std::vector<Note>> notes(const storage::Storage& storage) {
  std::vector<Note> found;
  auto rows = storage.iterate(keyspaces::kCatalogue, {.lower = kNotePrefix, .upper = kNotePrefixEnd});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    const std::string_view key = rows.key().substr(kNotePrefix.size());
    if (key.size() != 1 + sizeof(TableId)) return fail(Code::kCorruption, "a note about removed rows is damaged");
    found.push_back(
        {.keyspace = {static_cast<std::uint8_t>(key.front())}, .id = read_big_endian<TableId>(key.substr(1))});
  }
  DOLMEN_TRY_VOID(rows.status());
  return found;
}

Result<bool> give_back(storage::Storage& storage, const Note& note, const std::stop_token& stop) {
  const std::string lower = first_key_of(note.id);
  const std::string upper = first_key_of(note.id + 1);
  return storage.reclaim(note.keyspace, {.lower = lower, .upper = upper}, stop);
}

void forget(storage::Batch& batch, const Note& note) { batch.remove(keyspaces::kCatalogue, note_key(note)); }

}  // namespace dolmen::engine::reclaiming
