// Writes, checks and updates one row with generated C++ (tests/system/generated_rows_test.py).
//
//   generated_rows URL write|check|update PK [NUMBER]
//
// A check compares with the record that every language has written down for itself.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

#include "base/fail.h"
#include "dolmen/open.h"
#include "tests/models/sample.h"

namespace {

using namespace dolmen;
using contract::Sample;
using std::chrono::seconds;
using std::chrono::sys_seconds;

/// Keeps no secret: a key is stored as it is. Every language has its own keys, and reads those of the others.
class Keys : public KeyProvider {
 public:
  Result<DataKey> generate(const KeyPurpose& purpose) override {
    const Bytes stored(fmt::format("{:-<32}", fmt::format("cpp|{}", purpose.attribute)));
    DOLMEN_TRY(SecretKey key, decrypt(stored, purpose));
    return DataKey{std::move(key), stored};
  }
  Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& /*purpose*/) override {
    std::array<std::uint8_t, SecretKey::kBytes> bytes{};
    if (encrypted.size() != bytes.size()) return fail(Code::kInvalidEncryptedEnvelope, "this is not a key");
    std::ranges::copy(encrypted.view(), bytes.begin());
    return SecretKey(bytes);
  }
};

Number number(std::string_view text) { return Number::parse(text).value(); }

Sample full(const std::string& pk) {
  return {.pk = pk,
          .sk = 1,
          .text = "Grüße <&> \u2028",
          .number = number("12345678901234567890.5"),
          .flag = true,
          .blob = Bytes(std::string("b\0", 2)),
          .list = {1, "two", nullptr, List{true}},
          .map = {{"a", number("0.1")}, {"b", Item{{"c", Bytes("x")}}}},
          .strings = {"s", "t"},
          .numbers = {1, number("2.5")},
          .blobs = {Bytes("x"), Bytes("y")},
          .json = Item{{"b", List{1, number("2.5"), number("0.0000001"), nullptr}}, {"a", "é <&>"}},
          .moment = "2026-01-16T01:02:03.000000004Z",
          .seconds = sys_seconds(seconds(1700000000)),
          .whole = -9007199254740993,
          .exact = number("0.00000000000000000000000000000001"),
          .vector = std::array{0.1F, -1.0F, 1e-7F},
          .expires = sys_seconds(seconds(4100000000)),
          .group = "g",
          .rank = 3,
          .secret_text = "hidden <&> é",
          .secret_number = number("1.5"),
          .secret_flag = true,
          .secret_blob = Bytes(std::string("\0\xFF", 2)),
          .secret_list = {1, "x"},
          .secret_map = {{"a", 1}},
          .secret_strings = {"p", "q"},
          .secret_numbers = {3},
          .secret_blobs = {Bytes("z")},
          .secret_json = Item{{"k", List{1}}}};
}

Result<void> run(const std::string& url, std::string_view operation, const std::string& pk, const char* count) {
  Keys keys;
  const TimePoint now{seconds(1768525323)};
  DOLMEN_TRY(const std::unique_ptr<Store> store, open(url));
  DOLMEN_TRY(Table<Sample> samples,
             Table<Sample>::open(*store, contract::models::sample(), {.keys = &keys, .now = [now] { return now; }}));
  Sample wanted = full(pk);
  if (operation == "write") return samples.create(wanted);
  DOLMEN_TRY(Sample found, samples.get(contract::models::sample_key(pk, 1)));
  const std::int64_t version = count == nullptr ? 0 : std::strtoll(count, nullptr, 10);
  if (operation == "update") {
    found.whole = version;
    found.text_or_not = "";
    return samples.update(found, {&Sample::whole, &Sample::text_or_not});
  }
  wanted.created_at = wanted.updated_at = "2026-01-16T01:02:03.000000000Z";
  wanted.version = version;
  if (count != nullptr) wanted.whole = version;
  if (found == wanted) return {};
  return fail(Code::kInvalidArgument, "the records differ; only {} of version {} was found", found.text, found.version);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return 2;
  const Result<void> done = run(arguments[1], arguments[2], arguments[3], count > 4 ? arguments[4] : nullptr);
  if (!done) fmt::print(stderr, "{}\n", done.error().message());
  return done ? 0 : 1;
}
