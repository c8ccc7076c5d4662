#include "wire/texts.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>
#include <vector>

#include "base/base64.h"
#include "expr/mistakes.h"
#include "service/mistakes.h"
#include "value/mistakes.h"

namespace dolmen::wire {
namespace {

// ---- The table: what each operation does in each layer ----

constexpr std::string_view kUnknownReturnValues =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, "
    "NONE]";
constexpr std::string_view kUnknownMetrics = "ReturnItemCollectionMetrics can only be SIZE or NONE";
constexpr std::string_view kUnknownOperator =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";

constexpr OrderedParameter kPutOrder[] = {{"ReturnConsumedCapacity"},
                                          {"ReturnValues", kUnknownReturnValues},
                                          {"ReturnItemCollectionMetrics", kUnknownMetrics},
                                          {"ReturnValuesOnConditionCheckFailure"},
                                          {"ConditionalOperator", kUnknownOperator, true}};
constexpr OrderedParameter kUpdateOrder[] = {{"ReturnValues", kUnknownReturnValues, true},
                                             {"ReturnConsumedCapacity", "", true},
                                             {"ReturnItemCollectionMetrics", kUnknownMetrics, true},
                                             {"ReturnValuesOnConditionCheckFailure", "", true},
                                             {"ConditionalOperator", kUnknownOperator, true}};
constexpr OrderedParameter kQueryOrder[] = {
    {"ConditionalOperator", kUnknownOperator, true}, {"Select"}, {"ReturnConsumedCapacity"}};
constexpr OrderedParameter kBatchWriteOrder[] = {
    {"ReturnConsumedCapacity"}, {"ReturnItemCollectionMetrics"}, {"RequestItems", "", true}};

/// PutItem, UpdateItem and DeleteItem: all that the request alone shows is introduced.
constexpr Layer write_layer(std::span<const OrderedParameter> order) {
  return {.names_lengths = true,
          .order = order,
          .introduces = true,
          .older_values = false,
          .limits_statements = true,
          .lists_missing_expressions = false,
          .older_when_deep = true};
}

constexpr Layer kPutLayer = write_layer(kPutOrder);
constexpr Layer kUpdateLayer = write_layer(kUpdateOrder);
constexpr Layer kGetLayer{
    .names_lengths = true, .older_values = false, .lists_missing_expressions = false, .older_when_deep = true};
constexpr Layer kQueryLayer{.names_lengths = true,
                            .order = kQueryOrder,
                            .introduces_select = true,
                            .older_values = false,
                            .lists_missing_expressions = false,
                            .names_key_condition = true};
/// eu-west-2: us-east-1 still has the older layer throughout. Values are worded in the older way in both.
constexpr Layer kScanLayer{
    .names_lengths = true, .introduces_select = true, .operator_before_values = true, .shows_segments = false};
constexpr Layer kBatchGetLayer{.names_lengths = true, .older_values = false};
/// Only a batch without tables has a current text, and that in eu-west-2, which has answered in both ways.
constexpr Layer kBatchWriteLayer{.names_lengths = true, .order = kBatchWriteOrder};
/// eu-west-2: us-east-1 still has the older layer throughout.
constexpr Layer kTransactionLayer{.names_lengths = true, .older_values = false, .limits_statements = true};

/// Younger than both layers.
constexpr Layer kSearchLayer{.names_lengths = true, .older_values = false};

constexpr Layer kOlderLayer{};
constexpr Layer kOlderScanLayer{.explains_start_key = true};
constexpr Layer kOlderBatchGetLayer{.empty_batch = "The requestItems parameter is required for BatchGetItem"};
constexpr Layer kOlderBatchWriteLayer{.empty_batch = "The requestItems parameter is required for BatchWriteItem"};

struct OperationLayers {
  std::string_view operation;
  const Layer& current;
  const Layer& older = kOlderLayer;
};

constexpr OperationLayers kLayers[] = {
    {"PutItem", kPutLayer},
    {"UpdateItem", kUpdateLayer},
    {"DeleteItem", kPutLayer},
    {"GetItem", kGetLayer},
    {"Query", kQueryLayer},
    {"Scan", kScanLayer, kOlderScanLayer},
    {"SearchVectors", kSearchLayer, kSearchLayer},
    {"BatchGetItem", kBatchGetLayer, kOlderBatchGetLayer},
    {"BatchWriteItem", kBatchWriteLayer, kOlderBatchWriteLayer},
    {"TransactGetItems", kTransactionLayer},
    {"TransactWriteItems", kTransactionLayer},
};

// ---- Texts of values ----

constexpr std::string_view kNotANumber = "The parameter cannot be converted to a numeric value";
constexpr std::string_view kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";

/// A text as JSON shows it.
std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + '"';
}

/// The members in the order in which the current layer lists them: those before the first repetition sorted by
/// `sort_key`, then the others as sent.
template <class SortKey>
std::vector<std::string> listed(const std::vector<std::string>& members, SortKey sort_key) {
  std::set<std::string> seen;
  std::size_t distinct = 0;
  while (distinct < members.size() && seen.insert(sort_key(members[distinct])).second) ++distinct;
  std::vector<std::string> order(members);
  std::ranges::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(distinct), {}, sort_key);
  for (std::string& member : order) member = in_quotes(member);
  return order;
}

std::string current_words(const ValueMistake& mistake, const std::string& message) {
  switch (mistake.kind) {
    case ValueMistake::Kind::kNumber: return mistake.texts.front().empty() ? fmt::format("{}: ", kNotANumber) : message;
    case ValueMistake::Kind::kRepeatedStrings:
      return fmt::format("One or more parameter values were invalid: Input collection [{}] contains duplicates.",
                         fmt::join(listed(mistake.texts, [](const std::string& text) { return text; }), ", "));
    case ValueMistake::Kind::kRepeatedBinaries: {
      const auto bytes = [](const std::string& text) { return decode_base64(text).value_or(text); };
      return fmt::format(
          "One or more parameter values were invalid: Input collection [{}]of type BS contains duplicates.",
          fmt::join(listed(mistake.texts, bytes), ","));
    }
    case ValueMistake::Kind::kRepeatedNumbers:
    case ValueMistake::Kind::kEmptyNumberSet: return message;
  }
  return message;
}

/// The older layer reads numbers as Java's BigDecimal does: the exponent is a 32-bit integer, and so is the sum of it
/// and the number of digits.
std::string older_number_words(std::string_view text, const std::string& message) {
  if (text.empty()) return std::string(kNotANumber);
  const std::size_t at = text.find_first_of("eE");
  if (at == std::string_view::npos || message.starts_with(kNotANumber)) return message;
  constexpr std::int64_t kIntegerMax = std::numeric_limits<std::int32_t>::max();
  std::string_view written = text.substr(at + 1);
  if (written.starts_with('+')) written.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto read = std::from_chars(written.data(), written.data() + written.size(), exponent);
  if (read.ec != std::errc() || exponent > kIntegerMax || exponent < -kIntegerMax)
    return fmt::format("{}: {}", kNotANumber, text);
  std::string_view whole = text.substr(0, std::min(at, text.find('.')));
  while (!whole.empty() && (whole.front() < '1' || whole.front() > '9')) whole.remove_prefix(1);
  return exponent + static_cast<std::int64_t>(whole.size()) > kIntegerMax ? std::string(kUnderflow) : message;
}

std::string older_words(const ValueMistake& mistake, const std::string& message) {
  if (mistake.kind == ValueMistake::Kind::kRepeatedNumbers) return "Input collection contains duplicates";
  if (mistake.kind == ValueMistake::Kind::kNumber) return older_number_words(mistake.texts.front(), message);
  return message;
}

std::string words_of(const Error& error, const Layer& layer);

std::string words_of(const PlacedMistake& placed, const Layer& layer) {
  std::string words = words_of(placed.mistake, layer);
  if (!layer.older_values) return words;
  if (!placed.placeholder.empty())
    return fmt::format("ExpressionAttributeValues contains invalid value: {} for key {}", words, placed.placeholder);
  // Mistakes in numbers and sets of them, and repeated members, are reported without their place.
  return placed.mistake.payload<ValueMistake>() != nullptr
             ? words
             : fmt::format("The provided starting key is invalid: {}", words);
}

std::string words_of(const Error& error, const Layer& layer) {
  const std::string& message = error.message();
  if (const auto* placed = error.payload<PlacedMistake>()) return words_of(*placed, layer);
  if (const auto* mistake = error.payload<ValueMistake>())
    return layer.older_values ? older_words(*mistake, message) : current_words(*mistake, message);
  if (layer.names_key_condition && error.payload<expr::KeyConditionMistake>() != nullptr)
    return fmt::format("Invalid KeyConditionExpression: {}", message);
  if (layer.explains_start_key && error.payload<StartKeyMistake>() != nullptr)
    return fmt::format("{}: The provided key element does not match the schema", message);
  return message;
}

std::unexpected<Error> placed(std::string_view where, const Error& mistake) {
  return std::unexpected(Error(mistake.code(), mistake.message(),
                               std::shared_ptr<const ErrorPayload>(new PlacedMistake(std::string(where), mistake))));
}

}  // namespace

const Layer& layer_of(std::string_view operation, Texts texts) {
  const auto found = std::ranges::find(kLayers, operation, &OperationLayers::operation);
  if (found == std::end(kLayers)) return kOlderLayer;
  return texts == Texts::kCurrent ? found->current : found->older;
}

std::unexpected<Error> bad_placeholder(std::string_view placeholder, const Error& mistake) {
  return placed(placeholder, mistake);
}

std::unexpected<Error> bad_start_key(const Error& mistake) { return placed("", mistake); }

Error worded(Error error, const Layer& layer, Found found) {
  if (error.code() != Code::kValidation) return error;
  std::string words = words_of(error, layer);
  const bool in_request = found == Found::kInRequest ? error.payload<ItemTooLarge>() == nullptr
                                                     : error.payload<ExpressionMistake>() != nullptr;
  if (layer.introduces && in_request && !words.starts_with(kOneErrorDetected)) words.insert(0, kOneErrorDetected);
  return words == error.message() ? std::move(error) : Error(error.code(), std::move(words));
}

}  // namespace dolmen::wire
