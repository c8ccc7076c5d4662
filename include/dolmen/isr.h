#pragma once

/// Pages that regenerate (docs/isr.md).
#include "dolmen/isr/bodies.h"
#include "dolmen/isr/body_store.h"
#include "dolmen/isr/etag.h"
#include "dolmen/isr/isr.h"
#include "dolmen/isr/options.h"
#include "dolmen/isr/page.h"
#include "dolmen/isr/vary.h"
