#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "dolmen/error.h"
#include "service/service.h"
#include "wire/operations.h"
#include "wire/parameters.h"

/// What the operations have in common. Each reads its parameters, whose types and constraints have been checked, and
/// starts the service; an error that it returns itself was found before that.
namespace dolmen::wire {

using StartOperation = Result<void> (*)(const Parameters&, const Backend&, Done<std::string>&);

/// Turns the outcome of an operation into the body of its response.
template <class Response, class Encode>
Done<Response> encoded(Encode encode, Done<std::string> done) {
  return [encode = std::move(encode), done = std::move(done)](Result<Response> outcome) mutable {
    if (!outcome) return done(std::unexpected(std::move(outcome).error()));
    done(encode(*outcome));
  };
}

Result<EncodedItem> read_item(const Parameters& parameters, std::string_view name);
Result<std::string> read_table_name(const Parameters& parameters, const Backend& backend);
ReturnCapacity read_return_capacity(const Parameters& parameters);
bool read_return_metrics(const Parameters& parameters);

Result<void> create_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done);
Result<void> describe_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done);
Result<void> delete_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done);
Result<void> list_tables(const Parameters& parameters, const Backend& backend, Done<std::string>& done);

Result<void> put_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done);
Result<void> get_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done);
Result<void> update_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done);
Result<void> delete_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done);

Result<void> query(const Parameters& parameters, const Backend& backend, Done<std::string>& done);
Result<void> scan(const Parameters& parameters, const Backend& backend, Done<std::string>& done);

Result<void> batch_get_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done);
Result<void> batch_write_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done);

Result<void> transact_write_items(const Parameters& parameters, const Backend& backend, Done<std::string>& done);
Result<void> transact_get_items(const Parameters& parameters, const Backend& backend, Done<std::string>& done);

}  // namespace dolmen::wire
