#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/timestamp.h"

namespace dolmen {

/// The name of a resource: urn:{domain}:{type}::{id}, such as
/// urn:pp:System.Account.JobCollection.Job::01955556-3cd2-7df2-b839-693fa6fbd505. Compared byte by byte.
struct Urn {
  /// A letter or digit and 1 to 31 more of a-z, 0-9 and "-".
  std::string domain = "pp";
  /// Segments of letters and digits that begin with a letter, joined by dots.
  std::string type;
  /// 1 to 64 of 0-9, a-z and "-".
  std::string id;

  /// Nothing is trimmed or repaired. Fails with kInvalidUrn and says which part is wrong.
  static Result<Urn> parse(std::string_view text);

  /// The text, at most 512 bytes. Fails with kInvalidUrn when a part breaks its rule.
  [[nodiscard]] Result<std::string> format() const;

  friend bool operator==(const Urn&, const Urn&) = default;
};

/// The parts of a URN by themselves; all fail with kInvalidUrn.
Result<void> check_domain(std::string_view domain);
Result<void> check_resource_type(std::string_view type);
Result<void> check_resource_id(std::string_view id);

/// True for a UUID of version 7 in lower case.
bool is_uuid_v7(std::string_view id);

/// The smallest UUID of version 7 of a millisecond, so that a range of ids is a range of time.
std::string first_uuid_v7(Timestamp time);

/// Makes UUIDs of version 7 (RFC 9562) that sort in the order in which they were made, also within a millisecond and
/// when the clock is set back. Thread-safe.
class UuidGenerator {
 public:
  /// Without functions: the machine's clock and random bytes.
  explicit UuidGenerator(Now now = {}, RandomNumbers random = {});

  std::string next();

 private:
  Now now_;
  RandomNumbers random_;
  /// Guards what follows.
  std::mutex last_mutex_;
  std::uint64_t last_ms_ = 0;
  /// The 12 bits behind the time; counts up within a millisecond.
  std::uint32_t counter_ = 0;
};

}  // namespace dolmen
