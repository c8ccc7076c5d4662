#pragma once

#include <cstdint>
#include <dolmen/documents.h>
#include <dolmen/dolmen.h>
#include <memory>
#include <optional>
#include <string>

#include "tests/docs/fresh_folder.h"

/// What docs/documents.md expects: a store in which users v1 is published, with an index on age.
namespace given {

inline std::unique_ptr<dolmen::Store> store;

inline void show(const auto& /*user*/) {}

inline void set_up() {
  store = dolmen::open("memory:").value();
  auto documents = dolmen::Documents::open(*store).value();
  documents
      .publish(R"({"schema_id": "users", "schema_version": "v1", "fields": {
                     "_id":   {"type": "string", "required": true},
                     "email": {"type": "string", "required": true},
                     "age":   {"type": "int",    "required": false}}})")
      .value();
  documents.create_index({"users", "v1"}, "age").value();
  documents.wait_for_indexes().value();
}

}  // namespace given
