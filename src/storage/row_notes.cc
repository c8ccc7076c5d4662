#include "storage/row_notes.h"

#include <thread>

#include "base/hash.h"

namespace dolmen::storage {

struct alignas(64) RowNotes::Place {
  std::atomic_flag busy;
  std::uint8_t key_bytes = 0;  ///< Zero when nothing is remembered here.
  std::uint32_t note = 0;
  char key[kKeyBytesMax];

  [[nodiscard]] bool holds(std::string_view other) const { return std::string_view(key, key_bytes) == other; }
};

/// Keeps others away from a place, for a few instructions.
class RowNotes::Visit {
 public:
  explicit Visit(Place& place) : place_(place) {
    while (place_.busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~Visit() { place_.busy.clear(std::memory_order_release); }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  Place& place_;
};

RowNotes::~RowNotes() { delete[] places_.load(); }

/// Null when nothing of the kind is remembered.
RowNotes::Place* RowNotes::place_of(std::string_view key) const {
  if (key.empty() || key.size() > kKeyBytesMax) return nullptr;
  Place* const places = places_.load(std::memory_order_acquire);
  return places == nullptr ? nullptr : &places[hash64(key) % kRows];
}

std::optional<std::uint32_t> RowNotes::find(std::string_view key) const {
  Place* const place = place_of(key);
  if (place == nullptr) return std::nullopt;
  const Visit visit(*place);
  return place->holds(key) ? std::optional(place->note) : std::nullopt;
}

void RowNotes::keep(std::string_view key, std::uint32_t note) {
  if (places_.load(std::memory_order_relaxed) == nullptr) {
    const std::scoped_lock lock(making_);
    if (places_.load() == nullptr) places_.store(std::make_unique<Place[]>(kRows).release(), std::memory_order_release);
  }
  Place* const place = place_of(key);
  if (place == nullptr) return;
  const Visit visit(*place);
  place->key_bytes = static_cast<std::uint8_t>(key.size());
  place->note = note;
  key.copy(place->key, key.size());
}

void RowNotes::forget(std::string_view key) {
  Place* const place = place_of(key);
  if (place == nullptr) return;
  const Visit visit(*place);
  if (place->holds(key)) place->key_bytes = 0;
}

}  // namespace dolmen::storage
