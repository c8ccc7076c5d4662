#pragma once

#include <optional>
#include <source_location>
#include <utility>

#include "dolmen/error.h"

namespace dolmen {

/// The outcome of a look-up: something, nothing, or an error. "It worked" and "it is there" are two questions, so this
/// does not convert to bool; ask `failed()` or `found()`.
///
///     const Found<Note> note = get<Note>(*store, "notes", key);
///     if (note.failed()) return report(note.error());
///     if (note.found()) show(*note);
///
/// `value()` is for programs that cannot go on when the look-up failed: an optional that is empty when nothing was
/// there.
template <class T>
class [[nodiscard]] Found {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): so that a look-up can return its outcome, or `fail(...)`
  Found(Result<std::optional<T>> outcome) : outcome_(std::move(outcome)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Found(std::unexpected<Error> error) : outcome_(std::move(error)) {}

  /// True when the look-up itself failed, so that it is unknown whether there is something.
  [[nodiscard]] bool failed() const noexcept { return !outcome_.has_value(); }
  /// Whether there is something.
  [[nodiscard]] bool found() const noexcept { return outcome_ && outcome_->has_value(); }
  explicit operator bool() const = delete;

  /// Only when something was found.
  const T& operator*() const& noexcept { return **outcome_; }
  T&& operator*() && noexcept { return *std::move(*outcome_); }
  const T* operator->() const noexcept { return &**outcome_; }

  /// Throws BadResultAccess when the look-up failed.
  const std::optional<T>& value(const std::source_location& caller = std::source_location::current()) const& {
    return outcome_.value(caller);
  }
  std::optional<T> value(const std::source_location& caller = std::source_location::current()) && {
    return std::move(outcome_).value(caller);
  }
  /// Throws BadResultAccess when the look-up did not fail.
  const Error& error(const std::source_location& caller = std::source_location::current()) const {
    return outcome_.error(caller);
  }

  /// For DOLMEN_TRY: `DOLMEN_TRY(const std::optional<Note> note, get<Note>(...).outcome());`
  const Result<std::optional<T>>& outcome() const& noexcept { return outcome_; }
  Result<std::optional<T>> outcome() && noexcept { return std::move(outcome_); }

 private:
  Result<std::optional<T>> outcome_;
};

}  // namespace dolmen
