#include "dolmen/table.h"

#include "base/check.h"

namespace dolmen {

std::string_view key_type_name(KeyType type) {
  switch (type) {
    case KeyType::kString: return "S";
    case KeyType::kNumber: return "N";
    case KeyType::kBinary: return "B";
  }
  DOLMEN_UNREACHABLE("a key type outside the closed list");
}

std::string_view stream_view_name(StreamView view) {
  switch (view) {
    case StreamView::kKeysOnly: return "KEYS_ONLY";
    case StreamView::kNewImage: return "NEW_IMAGE";
    case StreamView::kOldImage: return "OLD_IMAGE";
    case StreamView::kNewAndOldImages: return "NEW_AND_OLD_IMAGES";
  }
  DOLMEN_UNREACHABLE("a view outside the closed list");
}

std::optional<StreamView> stream_view_of(std::string_view name) {
  for (const StreamView view :
       {StreamView::kKeysOnly, StreamView::kNewImage, StreamView::kOldImage, StreamView::kNewAndOldImages})
    if (stream_view_name(view) == name) return view;
  return std::nullopt;
}

std::string_view vector_distance_name(VectorDistance distance) {
  switch (distance) {
    case VectorDistance::kCosine: return "COSINE";
    case VectorDistance::kDotProduct: return "DOT_PRODUCT";
    case VectorDistance::kEuclidean: return "EUCLIDEAN";
  }
  DOLMEN_UNREACHABLE("a distance outside the closed list");
}

std::optional<VectorDistance> vector_distance_of(std::string_view name) {
  for (const VectorDistance distance :
       {VectorDistance::kCosine, VectorDistance::kDotProduct, VectorDistance::kEuclidean})
    if (vector_distance_name(distance) == name) return distance;
  return std::nullopt;
}

std::string_view search_role_name(SearchRole role) {
  switch (role) {
    case SearchRole::kHash: return "HASH";
    case SearchRole::kInlineFilter: return "INLINE_FILTER";
  }
  DOLMEN_UNREACHABLE("a role outside the closed list");
}

std::optional<SearchRole> search_role_of(std::string_view name) {
  for (const SearchRole role : {SearchRole::kHash, SearchRole::kInlineFilter})
    if (search_role_name(role) == name) return role;
  return std::nullopt;
}

std::string_view table_class_name(TableClass table_class) {
  switch (table_class) {
    case TableClass::kStandard: return "STANDARD";
    case TableClass::kInfrequentAccess: return "STANDARD_INFREQUENT_ACCESS";
  }
  DOLMEN_UNREACHABLE("a table class outside the closed list");
}

std::optional<TableClass> table_class_of(std::string_view name) {
  for (const TableClass table_class : {TableClass::kStandard, TableClass::kInfrequentAccess})
    if (table_class_name(table_class) == name) return table_class;
  return std::nullopt;
}

}  // namespace dolmen
