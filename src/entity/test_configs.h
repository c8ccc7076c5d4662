#pragma once

#include "dolmen/entity/manager.h"

namespace dolmen {

/// Users and their e-mails: one shard at first, 16 from 1,000 on, 256 from 2,000 on.
inline EntityConfig users_and_emails() {
  return {.hash_key = "pk",
          .range_key = "sk",
          .entities = {{.name = "user",
                        .timestamp_property = "created",
                        .unique_property = "userId",
                        .shard_bumps = {{.timestamp = 1000, .char_bits = 4, .chars = 1},
                                        {.timestamp = 2000, .char_bits = 4, .chars = 2}}},
                       {.name = "email", .timestamp_property = "created", .unique_property = "email"}},
          .sharded = {{"userPK", {"userId"}}},
          .unsharded = {{"lastNameRK", {"lastName", "firstName"}}, {"scoreRK", {"score", "created"}}},
          .indexes = {{.name = "created", .hash_key = "pk", .range_key = "created"},
                      {.name = "lastName", .hash_key = "pk", .range_key = "lastNameRK"},
                      {.name = "score", .hash_key = "pk", .range_key = "scoreRK"},
                      {.name = "userCreated", .hash_key = "userPK", .range_key = "created"}},
          .property_transcodes = {{"created", "timestamp"},
                                  {"email", "string"},
                                  {"firstName", "string"},
                                  {"lastName", "string"},
                                  {"score", "int"},
                                  {"userId", "string"}}};
}

}  // namespace dolmen
