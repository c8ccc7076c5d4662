#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

/// The walk over every member of every request that the service model knows: which of them a server reads.
namespace dolmen::wire {

enum class MemberState {
  kUsed,      ///< read, so it decides what happens
  kChecked,   ///< only its type and its constraints are checked; tools/compatibility.json says why
  kRefused,   ///< refused, by its name or together with its operation
  kUnserved,  ///< the operation is not carried out
  kIgnored,   ///< none of these: a mistake
};

std::string_view state_name(MemberState state);

struct WalkedMember {
  /// From the operation on, such as "GlobalSecondaryIndexes[].Projection.ProjectionType"; {} stands for the values of a
  /// map.
  std::string path;
  std::string shape;
  bool required = false;
  MemberState state = MemberState::kIgnored;
};

struct WalkedOperation {
  std::string name;
  bool served = false;
  std::vector<WalkedMember> members;
};

struct Walk {
  std::vector<WalkedOperation> operations;
  /// Entries of tools/compatibility.json that are not true: a path that the model does not have, or that is read
  /// although it is said to be only checked.
  std::vector<std::string> mistakes;

  [[nodiscard]] std::map<MemberState, std::size_t> counts() const;
};

/// Sends, for every member of every served operation, a request that has it and what is needed beside it to a server
/// without a store, and notes what is read. `statements` is the text of tools/compatibility.json.
Result<Walk> walk_members(std::string_view statements);

/// {"operations": [{"name": ..., "served": ..., "members": [{"path": ..., "shape": ..., "required": ..., "state":
/// ...}]}]}
std::string walk_json(const Walk& walk);

}  // namespace dolmen::wire
