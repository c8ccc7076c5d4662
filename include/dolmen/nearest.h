#pragma once

#include <source_location>
#include <utility>
#include <vector>

#include "dolmen/error.h"

namespace dolmen {

/// The outcome of a search for what is nearest: the hits, best first, or an error. A Result whose `value()` gives the
/// hits themselves and not a reference to what is about to go, so that a loop may run over what a call returns:
///
///     for (auto& [note, score] : notes.nearest("by_meaning", vector, {.top_k = 10}).value()) show(note, score);
template <class Hit>
class [[nodiscard]] NearestHits : public Result<std::vector<Hit>> {
  using Base = Result<std::vector<Hit>>;

 public:
  using Base::Base;
  // NOLINTNEXTLINE(google-explicit-constructor): so that a search can return its outcome
  NearestHits(Base outcome) : Base(std::move(outcome)) {}

  using Base::value;
  std::vector<Hit> value(const std::source_location& caller = std::source_location::current()) && {
    return std::move(static_cast<Base&>(*this)).value(caller);
  }
};

}  // namespace dolmen
