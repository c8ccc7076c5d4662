#pragma once

/// Entities that share a table (docs/entities.md).
#include "dolmen/entity/client.h"
#include "dolmen/entity/client_query.h"
#include "dolmen/entity/condition.h"
#include "dolmen/entity/config.h"
#include "dolmen/entity/grow.h"
#include "dolmen/entity/log.h"
#include "dolmen/entity/manager.h"
#include "dolmen/entity/nearest.h"
#include "dolmen/entity/query.h"
#include "dolmen/entity/range.h"
#include "dolmen/entity/threads.h"
#include "dolmen/entity/tokens.h"
#include "dolmen/entity/transaction.h"
#include "dolmen/entity/typed.h"
