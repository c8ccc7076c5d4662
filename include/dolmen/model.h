#pragma once

/// Models of items (docs/models.md): reading and checking them, and tables, queries and transactions by them.
#include "dolmen/model/condition.h"
#include "dolmen/model/cursor.h"
#include "dolmen/model/encryption.h"
#include "dolmen/model/item.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/model/member_field.h"
#include "dolmen/model/members.h"
#include "dolmen/model/model.h"
#include "dolmen/model/model_table.h"
#include "dolmen/model/query.h"
#include "dolmen/model/shared_tables.h"
#include "dolmen/model/struct_model.h"
#include "dolmen/model/table.h"
#include "dolmen/model/transaction.h"
#include "dolmen/model/update.h"
