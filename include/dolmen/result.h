#pragma once

#include <concepts>
#include <expected>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "dolmen/detail/error.h"

namespace dolmen {

template <class T>
class Result;

/// Thrown by `Result::value()` when there is no value, and by `Result::error()` when there is no error. Its text has
/// the caller's file and line, and the code and message of the error.
class BadResultAccess : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {

[[noreturn]] void throw_no_value(const Error& error, const std::source_location& caller);
[[noreturn]] void throw_no_error(const std::source_location& caller);

template <class T>
inline constexpr bool kIsResult = false;
template <class T>
inline constexpr bool kIsResult<Result<T>> = true;
template <class T>
inline constexpr bool kIsUnexpected = false;
template <class E>
inline constexpr bool kIsUnexpected<std::unexpected<E>> = true;

/// What a Result<T> can be made of, besides another Result and an error.
template <class U, class T>
concept ValueFor = std::is_constructible_v<T, U> && !kIsResult<std::remove_cvref_t<U>> &&
                   !kIsUnexpected<std::remove_cvref_t<U>> && !std::same_as<std::remove_cvref_t<U>, std::in_place_t>;

}  // namespace detail

/// A value, or the reason why there is none. No public function throws, except `value()` and `error()` when there is
/// none:
///
///     Result<TableDescription> table = store->describe_table("notes");
///     if (!table) return report(table.error());
///     use(table->definition);
///
/// `value()` is for programs that cannot go on without the value.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using Caller = std::source_location;

  constexpr Result()
    requires std::is_default_constructible_v<T>
  = default;
  template <class U = T>
    requires detail::ValueFor<U, T>
  constexpr explicit(!std::is_convertible_v<U, T>) Result(U&& value) : state_(std::in_place, std::forward<U>(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): `return fail(...)`
  constexpr Result(std::unexpected<Error> error) : state_(std::move(error)) {}
  /// The same with another type of value.
  template <class U>
    requires(!std::same_as<U, T> && std::is_constructible_v<T, U>)
  constexpr explicit(!std::is_convertible_v<U, T>) Result(Result<U> other)
      : state_(other ? State(std::in_place, *std::move(other)) : State(std::unexpect, std::move(other).error())) {}
  template <class... Args>
    requires std::is_constructible_v<T, Args...>
  constexpr explicit Result(std::in_place_t, Args&&... args) : state_(std::in_place, std::forward<Args>(args)...) {}

  [[nodiscard]] constexpr bool has_value() const noexcept { return state_.has_value(); }
  constexpr explicit operator bool() const noexcept { return state_.has_value(); }

  /// Only when there is a value.
  constexpr T* operator->() noexcept { return std::addressof(*state_); }
  constexpr const T* operator->() const noexcept { return std::addressof(*state_); }
  constexpr T& operator*() & noexcept { return *state_; }
  constexpr const T& operator*() const& noexcept { return *state_; }
  constexpr T&& operator*() && noexcept { return *std::move(state_); }
  constexpr const T&& operator*() const&& noexcept { return *std::move(state_); }

  /// Throws BadResultAccess, which says what went wrong and where it was asked for, when there is none.
  constexpr T& value(const Caller& caller = Caller::current()) & { return expect(caller), *state_; }
  constexpr const T& value(const Caller& caller = Caller::current()) const& { return expect(caller), *state_; }
  constexpr T&& value(const Caller& caller = Caller::current()) && { return expect(caller), *std::move(state_); }
  constexpr const T&& value(const Caller& caller = Caller::current()) const&& {
    return expect(caller), *std::move(state_);
  }
  template <class U>
  constexpr T value_or(U&& otherwise) const& {
    return state_ ? *state_ : static_cast<T>(std::forward<U>(otherwise));
  }
  template <class U>
  constexpr T value_or(U&& otherwise) && {
    return state_ ? *std::move(state_) : static_cast<T>(std::forward<U>(otherwise));
  }

  /// Throws BadResultAccess when there is a value.
  constexpr Error& error(const Caller& caller = Caller::current()) & { return expect_not(caller), state_.error(); }
  constexpr const Error& error(const Caller& caller = Caller::current()) const& {
    return expect_not(caller), state_.error();
  }
  constexpr Error&& error(const Caller& caller = Caller::current()) && {
    return expect_not(caller), std::move(state_).error();
  }

  template <class... Args>
  constexpr T& emplace(Args&&... args) {
    state_ = State(std::in_place, std::forward<Args>(args)...);
    return *state_;
  }

  template <class U>
  friend constexpr bool operator==(const Result& a, const Result<U>& b) {
    return a && b ? *a == *b : !a && !b && a.error() == b.error();
  }
  template <class U>
    requires(!detail::kIsResult<U> && !detail::kIsUnexpected<U>)
  friend constexpr bool operator==(const Result& a, const U& value) {
    return a && *a == value;
  }
  friend constexpr bool operator==(const Result& a, const std::unexpected<Error>& error) {
    return !a && a.error() == error.error();
  }

 private:
  using State = std::expected<T, Error>;

  constexpr void expect(const Caller& caller) const {
    if (!state_) [[unlikely]]
      detail::throw_no_value(state_.error(), caller);
  }
  constexpr void expect_not(const Caller& caller) const {
    if (state_) [[unlikely]]
      detail::throw_no_error(caller);
  }

  State state_;
};

/// Success, or the reason why something failed.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  using Caller = std::source_location;

  constexpr Result() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): `return fail(...)`
  Result(std::unexpected<Error> error) : state_(std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.has_value(); }
  explicit operator bool() const noexcept { return state_.has_value(); }
  void operator*() const noexcept {}

  /// Throws BadResultAccess, which says what went wrong and where it was asked for, when it failed.
  void value(const Caller& caller = Caller::current()) const {
    if (!state_) [[unlikely]]
      detail::throw_no_value(state_.error(), caller);
  }

  /// Throws BadResultAccess when it succeeded.
  const Error& error(const Caller& caller = Caller::current()) const& { return expect_not(caller), state_.error(); }
  Error& error(const Caller& caller = Caller::current()) & { return expect_not(caller), state_.error(); }
  Error&& error(const Caller& caller = Caller::current()) && { return expect_not(caller), std::move(state_).error(); }

  friend bool operator==(const Result& a, const Result& b) {
    return a && b ? true : !a && !b && a.error() == b.error();
  }
  friend bool operator==(const Result& a, const std::unexpected<Error>& error) {
    return !a && a.error() == error.error();
  }

 private:
  void expect_not(const Caller& caller) const {
    if (state_) [[unlikely]]
      detail::throw_no_error(caller);
  }

  std::expected<void, Error> state_;
};

}  // namespace dolmen
