#include "service/internal_tables.h"
#include "service/request_rules.h"
#include "service/vector_rules.h"
#include "store/placeholders.h"
#include "store/translate.h"

namespace dolmen::translate {

Result<SearchVectorsRequest> search_vectors(const std::string& table, const std::string& index,
                                            std::span<const float> vector, const VectorSearchOptions& options) {
  DOLMEN_TRY_VOID(check_for_users(table));
  DOLMEN_TRY_VOID(check_index_name(index));
  DOLMEN_TRY_VOID(check_top_k(options.top_k));
  DOLMEN_TRY_VOID(check_search_vector(vector));
  PlaceholderWriter writer;
  SearchVectorsRequest request{.table = table,
                               .index = index,
                               .vector = std::vector<float>(vector.begin(), vector.end()),
                               .top_k = options.top_k,
                               .condition = writer.write(options.where),
                               .projection = writer.write(options.projection),
                               .return_capacity = options.return_capacity};
  DOLMEN_TRY(request.placeholders, writer.finish());
  DOLMEN_TRY_VOID(check_placeholders(request.placeholders));
  return request;
}

Result<VectorHits> result(SearchVectorsResponse response) {
  VectorHits found{.hits = {}, .search_bytes = response.search_bytes};
  for (const FoundVector& one : response.results) {
    DOLMEN_TRY(Item item, decode_item(one.item.bytes));
    if (!one.vector.empty()) {
      DOLMEN_TRY(List elements, vector_list(one.vector));
      item.set(response.vector_attribute, std::move(elements));
    }
    found.hits.push_back({.item = std::move(item), .score = one.score});
  }
  return found;
}

}  // namespace dolmen::translate
