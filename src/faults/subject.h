#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "faults/decision.h"
#include "service/operations.h"

namespace dolmen::faults {

/// The table in an ARN of a table, a stream or a shard iterator; empty when there is none.
std::string_view table_in(std::string_view arn);

inline void add_table(Subject& subject, const std::string& name) { subject.tables.push_back(name); }
inline void add_table(Subject& subject, const std::optional<std::string>& name) {
  if (name) subject.tables.push_back(*name);
}
inline void add_table(Subject& subject, const TableDefinition& table) { subject.tables.push_back(table.name); }

/// Sees the names in the request. The tables of statements are not looked for.
template <class Op>
Subject subject_of(const typename Op::Request& request) {
  Subject subject{.operation = Op::kInfo};
  if constexpr (requires { request.table; }) add_table(subject, request.table);
  if constexpr (requires { request.name; }) add_table(subject, request.name);
  if constexpr (requires { request.arn; }) subject.tables.push_back(table_in(request.arn));
  if constexpr (requires { request.iterator; }) subject.tables.push_back(table_in(request.iterator));
  if constexpr (requires { request.writes; }) {
    for (const auto& write : request.writes) subject.tables.push_back(write.table);
    subject.parts = request.writes.size();
  }
  if constexpr (requires { request.gets; }) {
    for (const auto& get : request.gets) subject.tables.push_back(get.table);
    subject.parts = request.gets.size();
  }
  if constexpr (requires { request.statements; }) subject.parts = request.statements.size();
  if constexpr (requires { request.tables; })
    for (const auto& part : request.tables) {
      subject.tables.push_back(part.table);
      subject.parts += part.keys.size();
    }
  if constexpr (requires { request.key_conditions; }) subject.reads_index = request.index && !request.consistent_read;
  if constexpr (requires { request.client_token; }) subject.has_token = request.client_token.has_value();
  return subject;
}

}  // namespace dolmen::faults
