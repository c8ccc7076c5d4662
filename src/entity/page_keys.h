#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entity/compiled.h"
#include "entity/hash_key_space.h"
#include "entity/indexes.h"

/// The position of a query in every shard of every index, in its short form and its long one.
namespace dolmen::entity {

/// The page keys of one index by the values of its hash key. Nothing where a shard has no page key.
struct IndexPageKeys {
  std::string_view index;
  std::vector<std::pair<std::string_view, const ElementSource*>> keys;
};

/// One text for each index and hash key, "" for no page key: the indexes in the order of their names, the hash keys in
/// that of the first index. Nothing at all when there is no page key.
Result<std::vector<std::string>> dehydrate_page_keys(const CompiledConfig& config, std::string_view entity_token,
                                                     std::vector<IndexPageKeys> page_keys);

/// Writes the short form of one page key of an index after the other.
class PageKeyWriter {
 public:
  PageKeyWriter(const CompiledConfig& config, const CompiledEntity& entity, const CompiledIndex& index);

  Result<std::string> write(const ElementSource& page_key);

 private:
  Result<void> add(std::string_view name, const Element& value);

  const CompiledConfig& config_;
  PlaceElements elements_;
  // The content of the page key and its short form; members, so that their memory is reused.
  ElementViews item_;
  std::string text_;
};

/// A query's indexes, which must share a hash key.
struct QueryIndexes {
  std::string hash_key_token;
  std::vector<const CompiledIndex*> indexes;
};

/// Fails with kInvalidArgument: "indexTokens empty", "invalid index token", "inconsistent hashKeys".
Result<QueryIndexes> find_indexes(const CompiledConfig& config, const Tokens& tokens);

/// The page key of a place in an index: a value for each of its components. `elements` are those of its short form.
Result<ElementList> rehydrate_page_key(const CompiledConfig& config, const CompiledEntity& entity,
                                       const CompiledIndex& index, const PlaceElements& elements,
                                       std::string_view hash_key, std::string_view dehydrated);

struct RehydratedMap {
  std::string hash_key_token;
  /// Empty when everything has been read.
  std::vector<std::string> hash_keys;
  /// For each index, in the order of the request, and each hash key.
  std::vector<std::vector<std::optional<ElementList>>> page_keys;
};

/// The start of a query of many shards. Without `dehydrated` there are no page keys yet.
struct RehydrateRequest {
  std::string_view entity_token;
  Tokens index_tokens;
  const ElementSource& item;
  std::optional<std::vector<std::string>> dehydrated;
  TimeWindow window;
};

/// Fails with kInvalidPageToken, "dehydrated length mismatch", when the short form is of another number of shards.
Result<RehydratedMap> rehydrate_page_keys(const CompiledConfig& config, const RehydrateRequest& request);

}  // namespace dolmen::entity
