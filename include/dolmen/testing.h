#pragma once

/// For tests of programs that use a store: each test gets a store or a server of its own, in which things go wrong when
/// it says so, and whose time it moves. Not part of `dolmen/dolmen.h`; CMake's component is `testing`. See
/// docs/testing.md.
#include "dolmen/testing/clock.h"
#include "dolmen/testing/server.h"
#include "dolmen/testing/store.h"
