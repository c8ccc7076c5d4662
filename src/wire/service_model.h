#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// The shapes of DynamoDB's requests: names, types and constraints of every parameter, from the service model that the
/// AWS SDKs share.
namespace dolmen::wire {

struct Shape;

enum class Presence : std::uint8_t {
  kOptional,
  kRequired,   ///< its absence is one of the collected constraint violations
  kParameter,  ///< its absence is reported alone, before all constraints
};

struct Member {
  std::string_view name;
  const Shape* shape = nullptr;
  Presence presence = Presence::kOptional;
};

struct Shape {
  enum class Kind : std::uint8_t {
    kString,
    kInteger,
    kLong,
    kDouble,
    kBoolean,
    kBlob,
    kList,
    kMap,
    kStructure,
    kAttributeValue,
  };

  std::string_view name;
  Kind kind = Kind::kString;
  std::span<const Member> members = {};                ///< of a structure
  std::span<const std::string_view> enumeration = {};  ///< of a string, in the order in which DynamoDB prints them
  const Shape* element = nullptr;                      ///< of a list or a map
  const Shape* key = nullptr;                          ///< of a map
  std::optional<std::int64_t> min = std::nullopt;      ///< of a number, or of a length
  std::optional<std::int64_t> max = std::nullopt;
  std::string_view pattern = {};
  bool allows_arn = false;  ///< of the name of a table: an ARN is accepted too
};

/// An operation of DynamoDB, supported or not.
struct ModelOperation {
  std::string_view name;
  const Shape* input = nullptr;
  bool of_streams = false;  ///< of DynamoDB Streams, which is a service of its own
};

/// All operations that the AWS SDKs know, by name.
std::span<const ModelOperation> model_operations();

/// Null for what is not an operation of DynamoDB.
const ModelOperation* find_model_operation(std::string_view name);

}  // namespace dolmen::wire
