#pragma once

#include <memory>

#include "dolmen/model/model_table.h"
#include "error_name.h"
#include "tests/support/test_store.h"

namespace dolmen {

inline Model parcel_model() {
  return {.name = "Parcel",
          .table = "parcels",
          .partition_key = {"pk", KeyType::kString},
          .sort_key = KeyAttribute{"sk", KeyType::kNumber},
          .attributes = {{.name = "pk", .type = Type::kString, .required = true},
                         {.name = "sk", .type = Type::kNumber, .required = true},
                         {.name = "created_at", .type = Type::kString, .roles = {{Role::kCreatedAt}}},
                         {.name = "updated_at", .type = Type::kString, .roles = {{Role::kUpdatedAt}}},
                         {.name = "version", .type = Type::kNumber, .roles = {{Role::kVersion}}},
                         {.name = "status", .type = Type::kString},
                         {.name = "note", .type = Type::kString, .omit_empty = true},
                         {.name = "weight", .type = Type::kNumber},
                         {.name = "labels", .type = Type::kStringSet, .omit_empty = true},
                         {.name = "steps", .type = Type::kList},
                         {.name = "body", .type = Type::kString, .json = true}},
          .indexes = {{.name = "by-status",
                       .type = IndexType::kGlobal,
                       .partition_key = {"status", KeyType::kString},
                       .sort_key = KeyAttribute{"weight", KeyType::kNumber}},
                      {.name = "by-weight",
                       .type = IndexType::kLocal,
                       .partition_key = {"pk", KeyType::kString},
                       .sort_key = KeyAttribute{"weight", KeyType::kNumber}}}};
}

/// A table of parcels in memory, with a clock that moves only when it is told to.
struct Parcels {
  std::unique_ptr<Store> store = test_store();
  Timestamp now{.seconds = 1768525323};
  ModelTable table = ModelTable::open(*store, parcel_model(), {.now = [this] { return now.to_time_point(); }}).value();

  Parcels() { table.create_table().value(); }
  Parcels(const Parcels&) = delete;
  Parcels& operator=(const Parcels&) = delete;

  /// What is stored, without the model.
  Item stored(const LogicalItem& key) {
    return store->get_item("parcels", encode_key(table.model(), key).value()).value().item.value();
  }
};

}  // namespace dolmen
