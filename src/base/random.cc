#include "base/random.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/random.h>
#include <utility>

#include "base/check.h"

namespace dolmen {
namespace {

class SystemRandom final : public Random {
 public:
  void fill(std::span<std::byte> out) override {
    while (!out.empty()) {
      const ssize_t got = getrandom(out.data(), out.size(), 0);
      DOLMEN_CHECK(got > 0 || errno == EINTR, "the operating system provides random bytes");
      if (got > 0) out = out.subspan(static_cast<std::size_t>(got));
    }
  }
};

}  // namespace

std::uint64_t Random::next_u64() {
  std::uint64_t value = 0;
  fill(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

Random& system_random() {
  static SystemRandom random;
  return random;
}

RandomNumbers or_system_random(RandomNumbers given) {
  return given ? std::move(given) : RandomNumbers([] { return system_random().next_u64(); });
}

void FunctionRandom::fill(std::span<std::byte> out) {
  while (!out.empty()) {
    const std::uint64_t bits = next_();
    const std::size_t count = std::min(out.size(), sizeof bits);
    std::memcpy(out.data(), &bits, count);
    out = out.subspan(count);
  }
}

std::string random_uuid(Random& random) {
  const std::uint64_t high = (random.next_u64() & ~0xF000ULL) | 0x4000ULL;
  const std::uint64_t low = (random.next_u64() & ~(0xC0ULL << 56)) | (0x80ULL << 56);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xFFFF, high & 0xFFFF, low >> 48,
                     low & 0xFFFFFFFFFFFFULL);
}

}  // namespace dolmen
