#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <ostream>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

#include "dolmen/result.h"

/// Matchers for `Result`, which say what a result really holds when it is not what a test expects:
///
///     EXPECT_THAT(store->put_item("notes", note), succeeds());
///     EXPECT_THAT(store->create_table(kNotes), fails_with(Code::kTableExists, "Table already exists: notes"));
///     EXPECT_THAT(quarter(8), holds(2));
namespace dolmen {

/// "Validation: the message", and a line for each detail.
inline void PrintTo(const Error& error, std::ostream* out) {
  *out << code_name(error.code()) << ": " << error.message();
  for (const ErrorDetail& detail : error.details())
    *out << "\n  " << detail.path << " (" << detail.rule << "): " << detail.message;
}

namespace detail {

/// Whether GoogleTest has more to print of a T than its bytes.
template <class T>
constexpr bool is_printable() {
  // A pointer is printed with what it points to.
  if constexpr (requires { typename T::element_type; })
    return is_printable<std::remove_cv_t<typename T::element_type>>();
  else if constexpr (requires(std::ostream& out, const T& value) { out << value; })
    return true;
  else if constexpr (requires(std::ostream& out, const T& value) { PrintTo(value, &out); })
    return true;
  else if constexpr (requires(const T& value) { value.has_value(), *value; })
    return is_printable<typename T::value_type>();
  else if constexpr (requires(const T& value) { value.first, value.second; })
    return is_printable<std::remove_cv_t<decltype(T::first)>>() && is_printable<decltype(T::second)>();
  else if constexpr (std::ranges::input_range<const T>)
    return is_printable<std::ranges::range_value_t<const T>>();
  else
    return false;
}

template <class T>
void print_value([[maybe_unused]] const Result<T>& result, std::ostream& out) {
  if constexpr (std::is_void_v<T>)
    out << "success";
  else if constexpr (is_printable<T>())
    out << ::testing::PrintToString(*result);
  else
    out << "a value that cannot be printed";
}

/// What follows the printed result, in the form that GoogleTest gives its explanations.
template <class T>
void explain(const Result<T>& result, ::testing::MatchResultListener& listener) {
  if (!listener.IsInterested()) return;
  std::ostream& out = *listener.stream();
  if (!result) {
    out << "which failed with ";
    PrintTo(result.error(), &out);
  } else if constexpr (std::is_void_v<T>) {
    out << "which succeeded";
  } else {
    out << "which holds ";
    print_value(result, out);
  }
}

}  // namespace detail

/// The value or the error.
template <class T>
void PrintTo(const Result<T>& result, std::ostream* out) {
  if (result)
    detail::print_value(result, *out);
  else
    PrintTo(result.error(), out);
}

namespace detail {

class FailsWith {
 public:
  using Message = ::testing::Matcher<const std::string&>;

  explicit FailsWith(Code code, std::optional<Message> message = {}) : code_(code), message_(std::move(message)) {}

  template <class T>
  bool MatchAndExplain(const Result<T>& result, ::testing::MatchResultListener* listener) const {
    explain(result, *listener);
    if (result || result.error().code() != code_) return false;
    if (!message_) return true;
    ::testing::StringMatchResultListener about_message;
    const bool matches = message_->MatchAndExplain(result.error().message(), &about_message);
    if (!about_message.str().empty()) *listener << ", with a message " << about_message.str();
    return matches;
  }
  void DescribeTo(std::ostream* out) const {
    *out << "fails with " << code_name(code_);
    if (!message_) return;
    *out << " and a message that ";
    message_->DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "does not fail with " << code_name(code_);
    if (!message_) return;
    *out << ", or has a message that ";
    message_->DescribeNegationTo(out);
  }

 private:
  Code code_;
  std::optional<Message> message_;
};

class Succeeds {
 public:
  template <class T>
  bool MatchAndExplain(const Result<T>& result, ::testing::MatchResultListener* listener) const {
    explain(result, *listener);
    return result.has_value();
  }
  void DescribeTo(std::ostream* out) const { *out << "succeeds"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "fails"; }
};

/// Becomes a matcher of `const Result<T>&` when T is known.
template <class Inner>
class Holds {
 public:
  explicit Holds(Inner inner) : inner_(std::move(inner)) {}

  template <class R>
  operator ::testing::Matcher<R>() const {  // NOLINT(google-explicit-constructor): as matchers are
    return ::testing::Matcher<R>(new For<R>(inner_));
  }

 private:
  template <class R>
  class For final : public ::testing::MatcherInterface<R> {
   public:
    using Value = typename std::remove_cvref_t<R>::value_type;

    explicit For(const Inner& inner) : inner_(::testing::SafeMatcherCast<const Value&>(inner)) {}

    bool MatchAndExplain(R result, ::testing::MatchResultListener* listener) const override {
      explain(result, *listener);
      if (!result) return false;
      ::testing::StringMatchResultListener about_value;
      const bool matches = inner_.MatchAndExplain(*result, &about_value);
      if (!about_value.str().empty()) *listener << ", " << about_value.str();
      return matches;
    }
    void DescribeTo(std::ostream* out) const override {
      *out << "holds a value that ";
      inner_.DescribeTo(out);
    }
    void DescribeNegationTo(std::ostream* out) const override {
      *out << "fails, or holds a value that ";
      inner_.DescribeNegationTo(out);
    }

   private:
    ::testing::Matcher<const Value&> inner_;
  };

  Inner inner_;
};

}  // namespace detail

/// Matches a result that failed with `code`, whatever its message and details are.
inline auto fails_with(Code code) { return ::testing::MakePolymorphicMatcher(detail::FailsWith(code)); }

/// The same with a message that is `message`, or that the matcher `message` matches.
template <class Message>
auto fails_with(Code code, const Message& message) {
  return ::testing::MakePolymorphicMatcher(
      detail::FailsWith(code, ::testing::SafeMatcherCast<const std::string&>(message)));
}

/// Matches a result that did not fail.
inline auto succeeds() { return ::testing::MakePolymorphicMatcher(detail::Succeeds()); }

/// Matches a result whose value is `value`, or is matched by the matcher `value`.
template <class Inner>
auto holds(Inner value) {
  return detail::Holds<Inner>(std::move(value));
}

}  // namespace dolmen
