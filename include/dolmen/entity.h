#pragma once

/// Entities that share a table (docs/entities.md).
#include "dolmen/entity/client.h"
#include "dolmen/entity/condition.h"
#include "dolmen/entity/config.h"
#include "dolmen/entity/manager.h"
#include "dolmen/entity/query.h"
#include "dolmen/entity/threads.h"
#include "dolmen/entity/tokens.h"
