#pragma once

/// Everything that a user of Dolmen needs.
#include "dolmen/batch.h"
#include "dolmen/bytes.h"
#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/item_range.h"
#include "dolmen/number.h"
#include "dolmen/open.h"
#include "dolmen/operations.h"
#include "dolmen/record.h"
#include "dolmen/store.h"
#include "dolmen/table.h"
#include "dolmen/tables.h"
#include "dolmen/typed.h"
#include "dolmen/value.h"
#include "dolmen/version.h"
