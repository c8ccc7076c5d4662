#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table_update.h"

namespace dolmen {

/// The tables that a request names. DynamoDB answers "Requested resource not found" without a name; the request has it.
class AskedTables {
 public:
  /// `request` is any request of an operation.
  template <class Request>
  explicit AskedTables(const Request& request) {
    // The error of a change of a table names what is missing: the table or an index.
    if constexpr (std::same_as<Request, TableUpdate>)
      return;
    else if constexpr (requires { request.table; })
      add(request.table);
    else if constexpr (requires { request.tables; })
      add_all(request.tables);
    else if constexpr (requires { request.writes; })
      add_all(request.writes);
    else if constexpr (requires { request.gets; })
      add_all(request.gets);
  }

  /// For kTableNotFound, an error that names the table, or the tables of which one is missing; other errors unchanged.
  [[nodiscard]] Error named_in(Error error) const;

 private:
  void add(const std::string& table);
  template <class Parts>
  void add_all(const Parts& parts) {
    for (const auto& part : parts) add(part.table);
  }

  /// Empty when the request is not about a table that must exist.
  std::string first_;
  /// Empty for most requests.
  std::vector<std::string> others_;
};

}  // namespace dolmen
