#pragma once

/// Resources and their relations in one table (docs/relation.md).
#include "dolmen/relation/async.h"
#include "dolmen/relation/relations.h"
#include "dolmen/relation/resource_types.h"
#include "dolmen/relation/typed.h"
#include "dolmen/relation/types.h"
#include "dolmen/relation/urn.h"
