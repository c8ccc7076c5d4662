#pragma once

#include <stop_token>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "storage/storage.h"

/// Giving back the disk space of deleted tables and indexes. The batch that removes rows also leaves a note:
///
///     kCatalogue   "reclaim/" keyspace (1 byte) id (big-endian)      empty
///
/// The note stays until the space is back, so that a crash forgets nothing.
namespace dolmen::engine::reclaiming {

/// Rows that have been removed: those of one id in one keyspace.
struct Note {
  storage::Keyspace keyspace;
  TableId id = 0;
};

/// Removes all rows of an id and leaves the note.
void remove_rows(storage::Batch& batch, const Note& note);

/// The notes, in the order of keyspaces and ids.
Result<std::vector<Note>> notes(const storage::Storage& storage);

/// Gives the space back. False when it was stopped.
Result<bool> give_back(storage::Storage& storage, const Note& note, const std::stop_token& stop);

/// Removes the note.
void forget(storage::Batch& batch, const Note& note);

}  // namespace dolmen::engine::reclaiming
