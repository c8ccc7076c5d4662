#include "dolmen/model/nearest.h"

#include "base/fail.h"
#include "dolmen/model/model_table.h"
#include "model/attribute_codec.h"

namespace dolmen {

namespace {

std::vector<std::string> names_of_attributes(const Model& model) {
  std::vector<std::string> names;
  for (const ModelAttribute& attribute : model.attributes) names.push_back(attribute.name);
  return names;
}

Result<std::vector<ModelHit>> decoded_hits(const detail::ModelSource& source, const VectorHits& found) {
  std::vector<ModelHit> hits;
  for (const auto& [item, score] : found) {
    DOLMEN_TRY(DecodedItem decoded, decode_item(source.model, item, source.decoding()));
    hits.push_back({.item = std::move(decoded.values), .score = score});
  }
  return hits;
}

}  // namespace

Result<detail::ModelSearch> detail::model_search(const ModelSource& source, const std::string& index,
                                                 const ModelSearchOptions& options,
                                                 const std::vector<std::string>& all_fields) {
  DOLMEN_TRY_VOID(check_encryption(source.model, source.keys));
  const ModelVectorIndex* found = source.model.find_vector_index(index);
  if (found == nullptr)
    return fail(Code::kInvalidOperator, "model \"{}\" has no vector index \"{}\"", source.model.name, index);
  ModelSearch search{.options = {.top_k = options.top_k},
                     .is_partial = !options.fields.empty() || found->projection != ProjectionType::kAll};
  DOLMEN_TRY(search.options.where, compile_condition(source.model, options.where, source.encoding()));
  std::vector<Path> paths;
  for (const std::string& field : options.fields.empty() ? all_fields : options.fields) paths.push_back(attr(field));
  search.options.projection = paths;
  return search;
}

NearestHits<ModelHit> ModelTable::nearest(const std::string& index, std::span<const float> vector,
                                          const ModelSearchOptions& options) const {
  DOLMEN_TRY(const detail::ModelSearch search,
             detail::model_search(*source_, index, options, names_of_attributes(model())));
  DOLMEN_TRY(const VectorHits found, source_->store->search_vectors(table(), index, vector, search.options));
  return decoded_hits(*source_, found);
}

void ModelTable::async_nearest(const std::string& index, std::span<const float> vector,
                               const ModelSearchOptions& options, Callback<std::vector<ModelHit>> done) const {
  const Result<detail::ModelSearch> search =
      detail::model_search(*source_, index, options, names_of_attributes(model()));
  if (!search) return done(std::unexpected(search.error()));
  source_->store->async_search_vectors(table(), index, vector, search->options,
                                       [source = source_, done = std::move(done)](Result<VectorHits> found) mutable {
                                         if (!found) return done(std::unexpected(std::move(found).error()));
                                         done(decoded_hits(*source, *found));
                                       });
}

}  // namespace dolmen
