#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "dolmen/error.h"

/// DynamoDB checks requests in one of two layers, which differ in their texts and in their order. Everything in which
/// they differ is decided by the table of texts.cc; docs/dynamodb-behaviour.md, section 0, says where it is from.
namespace dolmen::wire {

/// The layer that a server speaks, as far as an operation has it.
enum class Texts : std::uint8_t {
  kCurrent,  ///< what AWS answers in us-east-1 and eu-west-2; where these differ, what it answers in eu-west-2
  kOlder,    ///< what AWS answered everywhere until June 2026, and DynamoDB Local still does
};

/// A parameter whose broken constraint has a place of its own in the order, or a text of its own.
struct OrderedParameter {
  std::string_view name;
  /// Replaces "Value 'x' at 'name' failed to satisfy constraint: ...".
  std::string_view text = {};
  /// It is reported only if nothing before it is wrong, and nothing is reported after it.
  bool alone = false;
};

/// How the requests of an operation are checked and how their mistakes are worded. The defaults are the older layer.
struct Layer {
  /// Lengths and ranges are checked before all other constraints. The first one that is broken is reported alone, by
  /// the name of the parameter and without its value.
  bool names_lengths = false;
  /// The order of the other constraints; parameters that are not listed come first.
  std::span<const OrderedParameter> order = {};
  /// Mistakes that need no table to be found are introduced by "1 validation error detected: ".
  bool introduces = false;
  /// The same for Select with parameters that it does not go with.
  bool introduces_select = false;
  /// Bad values are worded in the older way, also by their places: a placeholder, a start key. Values of expressions
  /// may be one level deeper than those of items.
  bool older_values = true;
  /// Updates are limited by what their statement writes, too (expr/statement_size.h).
  bool limits_statements = false;
  /// "... can only be specified when using expressions" lists the expressions that are missing.
  bool lists_missing_expressions = true;
  /// A ConditionalOperator that joins nothing is reported before the values of the conditions.
  bool operator_before_values = false;
  /// A mistake in how the conditions of a key condition go together is introduced by the name of its parameter.
  bool names_key_condition = false;
  /// A segment beyond the number of segments is reported with both numbers.
  bool shows_segments = true;
  /// A start key with wrong attributes is said not to match the schema.
  bool explains_start_key = false;
  /// The sentence for a batch without tables; empty: it is a length like others.
  std::string_view empty_batch = {};
  /// A request of more than kDeepLevels is answered in the older layer.
  bool older_when_deep = false;

  /// The limit for values of expressions.
  [[nodiscard]] constexpr unsigned value_levels_max() const { return limits::kNestingLevels + (older_values ? 1 : 0); }

  /// Whether errors of the service are worded.
  [[nodiscard]] constexpr bool words_answers() const { return introduces || names_key_condition || explains_start_key; }
};

/// Levels of JSON. A value of an item with 62 maps around it needs as many.
constexpr unsigned kDeepLevels = 127;

/// The layer of an operation. Operations that have only one, as those on tables, have the older one.
const Layer& layer_of(std::string_view operation, Texts texts);

/// Carried by kValidation: a bad value of a placeholder, or of a start key, whose text depends on the layer.
struct PlacedMistake final : ErrorPayload {
  PlacedMistake(std::string where, Error why) : placeholder(std::move(where)), mistake(std::move(why)) {}

  std::string placeholder;  ///< Empty for a start key.
  Error mistake;
};

std::unexpected<Error> bad_placeholder(std::string_view placeholder, const Error& mistake);
std::unexpected<Error> bad_start_key(const Error& mistake);

/// Where a mistake was found.
enum class Found : std::uint8_t {
  kInRequest,  ///< by the wire, which has nothing but the request
  kByService,  ///< by the service, which says by a payload when it needed nothing but the request
};

/// The error in the words of the layer.
Error worded(Error error, const Layer& layer, Found found);

/// The introduction of errors that a request as such has.
constexpr std::string_view kOneErrorDetected = "1 validation error detected: ";

}  // namespace dolmen::wire
