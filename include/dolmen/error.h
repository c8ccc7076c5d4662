#pragma once

#include <utility>

#include "dolmen/detail/error.h"
#include "dolmen/result.h"

#define DOLMEN_CONCAT_INNER(a, b) a##b
#define DOLMEN_CONCAT(a, b) DOLMEN_CONCAT_INNER(a, b)

#define DOLMEN_TRY_INNER(result, declaration, expression)         \
  auto result = (expression);                                     \
  if (!result) return std::unexpected(std::move(result).error()); \
  declaration = std::move(*result)

/// Declares a variable from a `Result`, or returns its error from the enclosing function:
///
///     DOLMEN_TRY(const Item item, decode_item(bytes));
#define DOLMEN_TRY(declaration, expression) \
  DOLMEN_TRY_INNER(DOLMEN_CONCAT(dolmen_try_, __COUNTER__), declaration, expression)

/// The same for a `Result` whose value is not needed.
#define DOLMEN_TRY_VOID(expression)                                             \
  do {                                                                          \
    if (auto dolmen_try_result = (expression); !dolmen_try_result) [[unlikely]] \
      return std::unexpected(std::move(dolmen_try_result).error());             \
  } while (false)
