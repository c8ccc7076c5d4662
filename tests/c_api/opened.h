#pragma once

#include <gtest/gtest.h>

#include "dolmen/c.h"

namespace dolmen::c_api {

/// A store in memory with the table notes, which has a stream.
inline dolmen_store* open_with_stream() {
  dolmen_store* store = nullptr;
  EXPECT_EQ(dolmen_open("memory:", &store), DOLMEN_OK);
  char* answer = nullptr;
  EXPECT_EQ(dolmen_call(store, "CreateTable", R"({"TableName":"notes",
      "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
      "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST",
      "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})",
                        &answer),
            DOLMEN_OK);
  dolmen_free(answer);
  return store;
}

}  // namespace dolmen::c_api
