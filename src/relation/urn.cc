#include "dolmen/relation/urn.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/random.h"

namespace dolmen {
namespace {

constexpr std::size_t kUrnBytesMax = 512;
constexpr std::size_t kIdBytesMax = 64;
constexpr std::size_t kDomainBytesMin = 2;
constexpr std::size_t kDomainBytesMax = 32;
constexpr std::string_view kPrefix = "urn:";
constexpr std::string_view kUuidForm = "xxxxxxxx-xxxx-7xxx-vxxx-xxxxxxxxxxxx";

constexpr std::uint32_t kCounterMax = 0xFFF;
/// A new millisecond begins in the lower half of the counter, so that there is room to count.
constexpr std::uint32_t kCounterStartMask = 0x7FF;

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool fits(char c, char form) {
  switch (form) {
    case 'x': return is_hex(c);
    case 'v': return c == '8' || c == '9' || c == 'a' || c == 'b';
    default: return c == form;
  }
}

bool is_segment(std::string_view segment) {
  return !segment.empty() && is_letter(segment.front()) &&
         std::ranges::all_of(segment, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::uint64_t milliseconds_of(Timestamp time) {
  if (time.seconds < 0) return 0;
  return static_cast<std::uint64_t>(time.seconds) * 1000 + static_cast<std::uint64_t>(time.nanoseconds / 1'000'000);
}

std::string uuid_text(std::uint64_t ms, std::uint32_t counter, std::uint64_t tail) {
  const std::uint64_t variant_and_tail = (tail & ~(3ULL << 62)) | (2ULL << 62);
  return fmt::format("{:08x}-{:04x}-7{:03x}-{:04x}-{:012x}", (ms >> 16) & 0xFFFFFFFF, ms & 0xFFFF, counter,
                     variant_and_tail >> 48, variant_and_tail & 0xFFFFFFFFFFFFULL);
}

}  // namespace

Result<void> check_domain(std::string_view domain) {
  const bool good = domain.size() >= kDomainBytesMin && domain.size() <= kDomainBytesMax && domain.front() != '-' &&
                    std::ranges::all_of(domain, [](char c) { return is_lower_or_digit(c) || c == '-'; });
  if (good) return {};
  return fail(
      Code::kInvalidUrn,
      "\"{}\" is not the domain of a URN; use {} to {} characters of a-z, 0-9 and \"-\", not beginning with \"-\"",
      domain, kDomainBytesMin, kDomainBytesMax);
}

Result<void> check_resource_type(std::string_view type) {
  std::string_view rest = type;
  while (true) {
    const std::size_t dot = rest.find('.');
    if (!is_segment(rest.substr(0, dot)))
      return fail(
          Code::kInvalidUrn,
          "\"{}\" is not a resource type; use words of letters and digits that begin with a letter, joined by dots",
          type);
    if (dot == std::string_view::npos) return {};
    rest.remove_prefix(dot + 1);
  }
}

Result<void> check_resource_id(std::string_view id) {
  const bool good = !id.empty() && id.size() <= kIdBytesMax &&
                    std::ranges::all_of(id, [](char c) { return is_lower_or_digit(c) || c == '-'; });
  if (good) return {};
  return fail(Code::kInvalidUrn, "\"{}\" is not a resource id; use 1 to {} characters of 0-9, a-z and \"-\"", id,
              kIdBytesMax);
}

Result<Urn> Urn::parse(std::string_view text) {
  if (text.size() > kUrnBytesMax)
    return fail(Code::kInvalidUrn, "a URN can have at most {} bytes, and this one has {}", kUrnBytesMax, text.size());
  const auto no_urn = [&] {
    return fail(Code::kInvalidUrn, "\"{}\" is not a URN; a URN looks like urn:pp:System.Account::0195…", text);
  };
  if (!text.starts_with(kPrefix)) return no_urn();
  const std::string_view parts = text.substr(kPrefix.size());
  const std::size_t domain_end = parts.find(':');
  if (domain_end == std::string_view::npos) return no_urn();
  const std::size_t type_end = parts.find("::", domain_end + 1);
  if (type_end == std::string_view::npos) return no_urn();
  Urn urn{.domain = std::string(parts.substr(0, domain_end)),
          .type = std::string(parts.substr(domain_end + 1, type_end - domain_end - 1)),
          .id = std::string(parts.substr(type_end + 2))};
  DOLMEN_TRY_VOID(urn.format());
  return urn;
}

Result<std::string> Urn::format() const {
  DOLMEN_TRY_VOID(check_domain(domain));
  DOLMEN_TRY_VOID(check_resource_type(type));
  DOLMEN_TRY_VOID(check_resource_id(id));
  std::string text = fmt::format("{}{}:{}::{}", kPrefix, domain, type, id);
  if (text.size() > kUrnBytesMax)
    return fail(Code::kInvalidUrn, "a URN can have at most {} bytes, and this one has {}", kUrnBytesMax, text.size());
  return text;
}

bool is_uuid_v7(std::string_view id) {
  return id.size() == kUuidForm.size() && std::equal(id.begin(), id.end(), kUuidForm.begin(), fits);
}

std::string first_uuid_v7(Timestamp time) { return uuid_text(milliseconds_of(time), 0, 0); }

UuidGenerator::UuidGenerator(Now now, RandomNumbers random)
    : now_(or_system_clock(std::move(now))), random_(or_system_random(std::move(random))) {}

std::string UuidGenerator::next() {
  const std::uint64_t ms = milliseconds_of(Timestamp::from(now_()));
  const std::uint64_t start = random_();
  const std::uint64_t tail = random_();
  const std::lock_guard lock(last_mutex_);
  if (ms > last_ms_) {
    last_ms_ = ms;
    counter_ = static_cast<std::uint32_t>(start) & kCounterStartMask;
  } else if (counter_ < kCounterMax) {
    ++counter_;
  } else {
    // The counter is used up before the clock went on: borrow from the next millisecond.
    ++last_ms_;
    counter_ = 0;
  }
  return uuid_text(last_ms_, counter_, tail);
}

}  // namespace dolmen
