#pragma once

#include <memory>

#include "dolmen/open.h"

namespace dolmen {

/// An empty store for the running test: in memory, or at the endpoint that the variable DOLMEN_TEST_STORE names, so
/// that the same tests say what works on another implementation of DynamoDB (tests/system/engines_test.py).
///
/// The endpoint must have no tables when the program starts: nothing of anybody else's is ever deleted. What a test has
/// left there goes before the next call returns, and when the test ends; a test that needs two stores at a time opens
/// the second one by itself. Tables can be used as soon as they are created, as in an embedded store. A test that
/// worked at an endpoint has the property "store" in GoogleTest's report.
std::unique_ptr<Store> test_store();

}  // namespace dolmen
