#include "cli/vector_definition.h"

#include <charconv>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "cli/table_definition.h"

namespace dolmen::cli {
namespace {

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    if (end == text.size()) return parts;
    start = end + 1;
  }
}

Result<VectorDistance> distance_in(const std::string& word) {
  if (word == "cosine") return VectorDistance::kCosine;
  if (word == "euclidean") return VectorDistance::kEuclidean;
  if (word == "dot") return VectorDistance::kDotProduct;
  return fail(Code::kInvalidArgument, "--vector: \"{}\" is not cosine, euclidean or dot", word);
}

Result<SearchAttribute> search_attribute_in(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string role = text.substr(0, equals);
  if (equals == std::string::npos || (role != "hash" && role != "filter"))
    return fail(Code::kInvalidArgument, "--vector: \"{}\" is not hash=ATTRIBUTE[:TYPE] or filter=ATTRIBUTE[:TYPE]",
                text);
  const Result<std::vector<KeyAttribute>> keys = parse_keys(text.substr(equals + 1));
  if (!keys) return fail(Code::kInvalidArgument, "--vector: {}", keys.error().message());
  return SearchAttribute{.name = keys->front().name,
                         .type = keys->front().type,
                         .role = role == "hash" ? SearchRole::kHash : SearchRole::kInlineFilter};
}

}  // namespace

Result<VectorIndexDefinition> parse_vector_index(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text, ',');
  const std::vector<std::string> words = parts_of(parts.front(), ':');
  if (words.size() < 3 || words.size() > 4 || words[0].empty() || words[1].empty())
    return fail(Code::kInvalidArgument,
                "--vector: \"{}\" is not NAME:ATTRIBUTE:DIMENSIONS[:DISTANCE][,hash=…][,filter=…]", text);
  VectorIndexDefinition index{.name = words[0], .attribute = words[1]};
  const std::string& digits = words[2];
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index.dimensions);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || index.dimensions < 1 ||
      index.dimensions > limits::kVectorDimensions)
    return fail(Code::kInvalidArgument, "--vector: \"{}\" is not a number of dimensions from 1 to {}", digits,
                limits::kVectorDimensions);
  if (words.size() == 4) {
    DOLMEN_TRY(index.distance, distance_in(words[3]));
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    DOLMEN_TRY(index.search.emplace_back(), search_attribute_in(parts[i]));
  }
  return index;
}

}  // namespace dolmen::cli
