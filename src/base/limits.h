#pragma once

#include <cstddef>
#include <cstdint>

/// Every limit that DynamoDB documents and this program enforces, by name.
namespace dolmen::limits {

inline constexpr std::size_t kItemBytes = 400 * 1024;
inline constexpr std::size_t kPartitionKeyBytes = 2048;
inline constexpr std::size_t kSortKeyBytes = 1024;
inline constexpr std::size_t kAttributeNameBytes = 65535;
inline constexpr std::size_t kKeyAttributeNameBytes = 255;
inline constexpr unsigned kNestingLevels = 32;

inline constexpr std::size_t kExpressionBytes = 4096;
inline constexpr unsigned kExpressionOperators = 300;
inline constexpr std::size_t kInOperands = 100;
inline constexpr std::size_t kPlaceholderBytes = 255;
inline constexpr std::size_t kExpressionValueBytes = 2 * 1024 * 1024;

inline constexpr std::size_t kPageBytes = 1024 * 1024;
inline constexpr std::size_t kBatchGetBytes = 16 * 1024 * 1024;
inline constexpr std::size_t kBatchGetKeys = 100;
inline constexpr std::size_t kBatchWrites = 25;
inline constexpr std::size_t kTransactionActions = 100;
inline constexpr std::size_t kTokenBytes = 36;
inline constexpr std::uint32_t kScanSegments = 1'000'000;
inline constexpr std::size_t kTransactionBytes = 4 * 1024 * 1024;

inline constexpr std::size_t kTableNameMin = 3;
inline constexpr std::size_t kTableNameMax = 255;
inline constexpr std::size_t kLocalIndexes = 5;
inline constexpr std::size_t kGlobalIndexes = 20;
inline constexpr std::size_t kIndexKeyAttributes = 4;
inline constexpr std::size_t kProjectedAttributes = 100;
inline constexpr std::size_t kVectorIndexes = 5;
inline constexpr std::int64_t kVectorDimensions = 4096;
inline constexpr std::uint32_t kSearchResults = 100;
inline constexpr std::size_t kInlineFilters = 18;
/// Of one vector index: the vector itself, its filters and the included attributes.
inline constexpr std::size_t kVectorProjectedAttributes = 20;
inline constexpr std::size_t kSearchHashBytes = 2048;
inline constexpr std::size_t kInlineFilterBytes = 10'240;
inline constexpr std::size_t kTablesPerAccount = 2500;
inline constexpr int kListTablesMax = 100;
inline constexpr std::int64_t kCapacityUnitsMax = 1'000'000'000'000;
inline constexpr std::int64_t kTableCapacityUnits = 40'000;

inline constexpr std::size_t kTimeToLiveNameMax = 255;
inline constexpr std::size_t kTags = 50;
inline constexpr std::size_t kTagKeyCharacters = 128;
inline constexpr std::size_t kTagValueCharacters = 256;
inline constexpr std::size_t kResourceArnMax = 1283;

inline constexpr int kNumberDigits = 38;
inline constexpr int kNumberExponentMax = 125;
inline constexpr int kNumberExponentMin = -130;

}  // namespace dolmen::limits
