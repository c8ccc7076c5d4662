#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

/// The limits of collections, by name.
namespace dolmen::limits {

inline constexpr std::size_t kIndexesPerSchema = 20;
/// The size of an indexed value in its ordered form.
inline constexpr std::size_t kIndexedBytes = 512;
inline constexpr std::uint32_t kQueryDocuments = 1000;
/// How many documents one call of a query examines before it returns its matches so far and a cursor.
inline constexpr std::size_t kQueryExamined = 2000;
/// How many bytes the documents of one page have together, unless the first alone has more.
inline constexpr std::size_t kDocumentPageBytes = std::size_t{1024} * 1024;
/// How long a write goes on starting again because writers in other processes were faster, or indexes were changed; and
/// the longest of its pauses, which are random.
inline constexpr std::chrono::milliseconds kWriteWaitMax{120'000};
inline constexpr std::chrono::milliseconds kWritePauseMax{250};
/// How often building an index tries a step that fails temporarily, and how long it waits in between: twice as long
/// each time, up to a maximum, and half a minute in all.
inline constexpr int kBuildAttempts = 10;
inline constexpr std::chrono::milliseconds kBuildDelayFirst{100};
inline constexpr std::chrono::milliseconds kBuildDelayMax{10'000};

}  // namespace dolmen::limits
