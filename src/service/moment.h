#pragma once

#include <memory>

namespace dolmen {

/// The content of an embedded store at one moment. It must be gone before the store is.
class Moment {
 public:
  virtual ~Moment() = default;
};

/// A service that can remember moments, for reads that are to see an earlier one (ReadManyRequest::as_of). Found among
/// the companions of a Store.
class Moments {
 public:
  virtual ~Moments() = default;
  /// The content as it is now. Thread-safe.
  [[nodiscard]] virtual std::shared_ptr<const Moment> this_moment() = 0;
};

}  // namespace dolmen
