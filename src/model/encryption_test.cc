#include "dolmen/model/encryption.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unordered_set>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "base/test_seed.h"
#include "base/test_steps.h"
#include "dolmen/model/item.h"
#include "dolmen/model/key_cache.h"
#include "model/envelope.h"
#include "model/key_file.h"
#include "value/test_items.h"

// Section 5: encrypted attributes.
namespace dolmen {
namespace {

constexpr KeyPurpose kSecret{.model = "User", .attribute = "secretA"};

/// The pins of Go's contract tests: one key for all, and a nonce of twos.
class PinnedKeys final : public KeyProvider {
 public:
  Result<DataKey> generate(const KeyPurpose&) override {
    return DataKey{.key = key(), .encrypted = Bytes("ciphertext-data-key")};
  }
  Result<SecretKey> decrypt(const Bytes&, const KeyPurpose&) override { return key(); }
  Result<Nonce> nonce(const KeyPurpose&) override {
    Nonce nonce{};
    nonce.fill(2);
    return nonce;
  }

 private:
  static SecretKey key() {
    std::array<std::uint8_t, SecretKey::kBytes> bytes{};
    bytes.fill(1);
    return SecretKey(bytes);
  }
};

/// One key for all, and nonces as every provider has them.
class OneKey final : public KeyProvider {
 public:
  Result<DataKey> generate(const KeyPurpose& purpose) override { return pinned_.generate(purpose); }
  Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& purpose) override {
    return pinned_.decrypt(encrypted, purpose);
  }

 private:
  PinnedKeys pinned_;
};

TEST(Envelope, section_5_is_the_one_that_go_and_typescript_make) {
  PinnedKeys keys;
  const Item envelope = seal("top-secret", kSecret, keys).value().map();
  EXPECT_EQ(envelope.size(), 4U);
  EXPECT_EQ(envelope.at("v"), AttributeValue(1));
  EXPECT_EQ(envelope.at("edk"), AttributeValue(Bytes("ciphertext-data-key")));
  const std::string_view sealed = envelope.at("ct").binary().view();
  EXPECT_EQ(sealed.size(), std::string_view(R"({"t":"S","s":"top-secret"})").size() + 16);
  EXPECT_EQ(sealed.substr(0, 4), "\x7c\xf4\xbd\x6b");
  EXPECT_EQ(sealed.substr(sealed.size() - 2), "\x0a\xdf");
}

TEST(Envelope, section_5_holds_values_of_every_type) {
  RandomItems items(test_seed("envelope round trip"));
  const auto keys = deterministic_keys("test");
  for (int i = 0; i < 300; ++i) {
    const AttributeValue value(items.item());
    ASSERT_EQ(unseal(seal(value, kSecret, *keys).value(), kSecret, *keys), value);
  }
  for (const AttributeValue& value : {AttributeValue(nullptr), AttributeValue(List{}), AttributeValue(StringSet{})})
    EXPECT_EQ(unseal(seal(value, kSecret, *keys).value(), kSecret, *keys), value);
}

TEST(Envelope, section_5_refuses_what_is_too_deep_to_be_read_again) {
  const auto keys = deterministic_keys("test");
  const auto lists = [](int depth) {
    AttributeValue value("]{");
    for (int i = 0; i < depth; ++i) {
      List list;
      list.push_back(std::move(value));
      value = std::move(list);
    }
    return value;
  };
  // Each takes two levels, and the innermost value one.
  const AttributeValue deepest = lists(127);
  EXPECT_EQ(unseal(seal(deepest, kSecret, *keys).value(), kSecret, *keys), deepest);
  const Result<AttributeValue> refused = seal(lists(128), kSecret, *keys);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kInvalidModel));
  EXPECT_NE(refused.error().message().find("\"secretA\""), std::string::npos) << refused.error().message();
}

TEST(Envelope, section_5_reads_texts_in_which_go_left_out_what_is_empty) {
  const auto read = [](std::string_view text) { return attribute_value(parse_secret_plaintext(text).value()).value(); };
  EXPECT_EQ(read(R"({"t":"L"})"), AttributeValue(List{}));
  EXPECT_EQ(read(R"({"t":"M"})"), AttributeValue(Item{}));
  EXPECT_EQ(read(R"({"t":"SS"})"), AttributeValue(StringSet{}));
  EXPECT_EQ(read(R"({"t":"S"})"), AttributeValue(""));
  EXPECT_EQ(read(R"({"t":"N"})"), AttributeValue(0));
  EXPECT_EQ(read(R"({"t":"S","s":"\u003c"})"), AttributeValue("<"));
  for (const char* text : {"", "[]", "{}", R"({"t":"X"})", R"({"t":1})", R"({"t":"S","s":1})", R"({"t":"B","b":"@"})",
                           R"({"t":"L","l":{}})", R"({"t":"M","m":[]})", R"({"t":"BOOL","bool":"x"})"})
    EXPECT_THAT(parse_secret_plaintext(text), fails_with(Code::kInvalidEncryptedEnvelope)) << text;
}

TEST(Envelope, section_5_fails_without_a_word_of_the_value_when_it_is_damaged_or_swapped) {
  PinnedKeys keys;
  const Item good = seal("top-secret", kSecret, keys).value().map();
  std::vector<Item> bad(7, good);
  std::string flipped(good.at("ct").binary().view());
  flipped[0] = static_cast<char>(flipped[0] ^ 1);
  bad[0].set("ct", Bytes(flipped));
  bad[1].set("ct", Bytes("short"));
  bad[2].set("v", 2);
  bad[3].erase("nonce");
  bad[4].set("edk", "text");
  bad[5].set("nonce", Bytes("short"));
  bad[6].set("edk", Bytes());
  for (const Item& envelope : bad) {
    const Result<AttributeValue> value = unseal(envelope, kSecret, keys);
    ASSERT_FALSE(value);
    EXPECT_THAT(value, fails_with(Code::kInvalidEncryptedEnvelope));
    EXPECT_EQ(value.error().message().find("top-secret"), std::string::npos);
  }
  EXPECT_EQ(unseal("plaintext", kSecret, keys).error().message(),
            "attribute \"secretA\" cannot be decrypted: it is not stored as an envelope");
  const Result<AttributeValue> swapped = unseal(good, {.model = "User", .attribute = "secretB"}, keys);
  EXPECT_THAT(swapped, fails_with(Code::kInvalidEncryptedEnvelope));
  Item more = good;
  more.set("extra", 1);
  EXPECT_EQ(unseal(more, kSecret, keys), AttributeValue("top-secret"));
}

/// What is left of an envelope when one bit of one byte of one member is another.
std::vector<Item> damaged(const Item& envelope) {
  std::vector<Item> all;
  for (const char* name : {"edk", "nonce", "ct"})
    for (std::size_t i = 0; i < envelope.at(name).binary().size(); ++i) {
      std::string bytes(envelope.at(name).binary().view());
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << i % 8));
      all.push_back(envelope);
      all.back().set(name, Bytes(std::move(bytes)));
    }
  return all;
}

TEST(Envelope, section_5_does_not_open_when_any_byte_is_another) {
  const TemporaryDirectory folder;
  ASSERT_THAT(create_key_file(folder / "keys", "main"), succeeds());
  const auto keys = open_key_file(folder / "keys").value();
  const auto cached = cached_keys(open_key_file(folder / "keys").value()).value();
  const Item good = seal("top-secret", kSecret, *keys).value().map();
  ASSERT_EQ(unseal(good, kSecret, *cached), AttributeValue("top-secret"));
  const std::vector<Item> all = damaged(good);
  ASSERT_EQ(all.size(), good.at("edk").binary().size() + 12 + good.at("ct").binary().size());
  for (const Item& bad : all) {
    EXPECT_THAT(unseal(bad, kSecret, *keys), fails_with(Code::kInvalidEncryptedEnvelope));
    EXPECT_THAT(unseal(bad, kSecret, *cached), fails_with(Code::kInvalidEncryptedEnvelope));
  }
}

TEST(Envelope, section_5_never_has_a_nonce_twice_in_a_million) {
  constexpr std::size_t kEnvelopes = 1'000'000;
  const auto keys = cached_keys(std::make_unique<OneKey>(), {.uses_max = kKeyUsesMax}).value();
  std::unordered_set<std::string> nonces;
  nonces.reserve(kEnvelopes);
  Bytes key;
  for (std::size_t i = 0; i < kEnvelopes; ++i) {
    const Item envelope = seal("x", kSecret, *keys).value().map();
    nonces.emplace(envelope.at("nonce").binary().view());
    if (i == 0) key = envelope.at("edk").binary();
    ASSERT_EQ(envelope.at("edk").binary(), key);
  }
  EXPECT_EQ(nonces.size(), kEnvelopes);
}

Model with_secret() {
  return {.name = "User",
          .table = "users",
          .partition_key = {"pk", KeyType::kString},
          .attributes = {{.name = "pk", .type = Type::kString},
                         {.name = "secret", .type = Type::kString, .omit_empty = true, .encrypted = true},
                         {.name = "blob", .type = Type::kString, .json = true, .encrypted = true}}};
}

TEST(EncryptedModel, section_5_stores_envelopes_and_reads_them_back) {
  const auto keys = deterministic_keys("test");
  const LogicalItem item{{"pk", "a"}, {"secret", "s"}, {"blob", nullptr}};
  const Item stored = encode_put(with_secret(), item, {.now = {}, .values = {.keys = keys.get()}}).value();
  EXPECT_EQ(stored.at("secret").type(), Type::kMap);
  EXPECT_EQ(stored.at("blob").type(), Type::kMap);
  EXPECT_EQ(decode_item(with_secret(), stored, {.keys = keys.get()}).value().values, item);
}

TEST(EncryptedModel, section_5_omits_what_is_empty_before_it_encrypts) {
  const auto keys = deterministic_keys("test");
  const Item stored =
      encode_put(with_secret(), {{"pk", "a"}, {"secret", ""}}, {.now = {}, .values = {.keys = keys.get()}}).value();
  EXPECT_EQ(stored, (Item{{"pk", "a"}}));
}

TEST(EncryptedModel, section_5_fails_closed_without_keys) {
  const Model model = with_secret();
  EXPECT_THAT(encode_put(model, {{"pk", "a"}}, {.now = {}}), fails_with(Code::kEncryptionNotConfigured));
  EXPECT_THAT(decode_item(model, {{"pk", "a"}}), fails_with(Code::kEncryptionNotConfigured));
  EXPECT_THAT(encode_attribute(model, model.attributes[1], "x"), fails_with(Code::kEncryptionNotConfigured));
  const auto keys = deterministic_keys("test");
  EXPECT_THAT(decode_item(model, {{"secret", "plain"}}, {.keys = keys.get()}),
              fails_with(Code::kInvalidEncryptedEnvelope));
}

/// A key service that cannot be reached.
class UnreachableKeys final : public KeyProvider {
 public:
  Result<DataKey> generate(const KeyPurpose&) override { return std::unexpected(failure()); }
  Result<SecretKey> decrypt(const Bytes&, const KeyPurpose&) override { return std::unexpected(failure()); }

  static Error failure() { return {Code::kTimeout, "the key service does not answer; look at its address"}; }
};

TEST(EncryptedModel, a_failure_of_the_keys_is_not_blamed_on_the_item) {
  UnreachableKeys unreachable;
  const auto put =
      encode_put(with_secret(), {{"pk", "a"}, {"secret", "s"}}, {.now = {}, .values = {.keys = &unreachable}});
  ASSERT_FALSE(put);
  EXPECT_THAT(put, fails_with(Code::kTimeout));
  EXPECT_EQ(put.error().message(), UnreachableKeys::failure().message());
  const auto keys = deterministic_keys("test");
  const Item stored =
      encode_put(with_secret(), {{"pk", "a"}, {"secret", "s"}}, {.now = {}, .values = {.keys = keys.get()}}).value();
  const auto read = decode_item(with_secret(), stored, {.keys = &unreachable});
  ASSERT_FALSE(read);
  EXPECT_THAT(read, fails_with(Code::kTimeout));
  EXPECT_EQ(read.error().message(), UnreachableKeys::failure().message());
}

TEST(SecretKey, is_wiped_when_it_moves_and_when_it_goes) {
  const auto is_wiped = [](std::span<const std::uint8_t> bytes) {
    return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
  };
  std::array<std::uint8_t, SecretKey::kBytes> bytes{};
  bytes.fill(7);
  alignas(SecretKey) std::array<std::byte, sizeof(SecretKey)> place{};
  auto* key = new (place.data()) SecretKey(bytes);  // NOLINT(cppcoreguidelines-owning-memory): the test owns the place
  SecretKey moved(std::move(*key));
  EXPECT_TRUE(is_wiped(key->bytes()));  // NOLINT(bugprone-use-after-move): what is left is what is tested
  EXPECT_TRUE(std::ranges::equal(moved.bytes(), bytes));
  *key = std::move(moved);
  EXPECT_TRUE(is_wiped(moved.bytes()));  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(std::ranges::equal(key->bytes(), bytes));
  key->~SecretKey();
  EXPECT_TRUE(std::ranges::all_of(place, [](std::byte byte) { return byte == std::byte{0}; }));
}

TEST(DeterministicKeys, section_5_repeat_themselves_and_never_give_a_key_twice) {
  const auto first = deterministic_keys("seed");
  const auto second = deterministic_keys("seed");
  const AttributeValue one = seal("x", kSecret, *first).value();
  EXPECT_EQ(one, seal("x", kSecret, *second).value());
  EXPECT_NE(one, seal("x", kSecret, *first).value());
  EXPECT_NE(one, seal("x", kSecret, *deterministic_keys("other")).value());
}

class KeyFileTest : public ::testing::Test {
 protected:
  void write(const std::string& text) {
    std::ofstream(file_) << text;
    std::filesystem::permissions(file_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  std::string refusal() {
    const auto keys = open_key_file(file_);
    if (keys) return "";
    EXPECT_THAT(keys, fails_with(Code::kEncryptionNotConfigured));
    return keys.error().message();
  }

  TemporaryDirectory folder_;
  const std::filesystem::path file_ = folder_ / "keys";
};

TEST_F(KeyFileTest, encrypts_with_the_first_key_and_decrypts_with_all) {
  const std::string old_key = "2025 " + std::string(64, 'a') + "\n";
  write(old_key);
  const AttributeValue old = seal("x", kSecret, **open_key_file(file_)).value();
  write("# the key of this year\n2026 " + std::string(64, 'b') + "\n" + old_key);
  const auto keys = open_key_file(file_).value();
  EXPECT_EQ(unseal(old, kSecret, *keys), AttributeValue("x"));
  const AttributeValue fresh = seal("y", kSecret, *keys).value();
  EXPECT_EQ(fresh.map().at("edk").binary().view().substr(0, 5),
            "\x04"
            "2026");
  EXPECT_EQ(fresh.map().at("edk").binary().size(), 5U + 40U);
  EXPECT_NE(fresh, seal("y", kSecret, *keys).value());
  write(old_key);
  const Result<AttributeValue> lost = unseal(fresh, kSecret, **open_key_file(file_));
  EXPECT_THAT(lost, fails_with(Code::kInvalidEncryptedEnvelope));
  EXPECT_EQ(lost.error().message(), "attribute \"secretA\" cannot be decrypted: the key file lacks its key 2026");
  write("2026 " + std::string(64, 'c') + "\n");
  EXPECT_THAT(unseal(fresh, kSecret, **open_key_file(file_)), fails_with(Code::kInvalidEncryptedEnvelope));
}

TEST_F(KeyFileTest, wraps_keys_as_rfc_3394_does) {
  // The example of section 4.6: 256 bits of key data with a 256-bit key.
  write("k 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n");
  const unsigned char wrapped[] = {0x28, 0xC9, 0xF4, 0x04, 0xC4, 0xB8, 0x10, 0xF4, 0xCB, 0xCC, 0xB3, 0x5C, 0xFB, 0x87,
                                   0xF8, 0x26, 0x3F, 0x57, 0x86, 0xE2, 0xD8, 0x0E, 0xD3, 0x26, 0xCB, 0xC7, 0xF0, 0xE7,
                                   0x1A, 0x99, 0xF4, 0x3B, 0xFB, 0x98, 0x8B, 0x9B, 0x7A, 0x02, 0xDD, 0x21};
  std::string stored = "\x01k";
  stored.append(reinterpret_cast<const char*>(wrapped), sizeof wrapped);
  const auto key = (*open_key_file(file_))->decrypt(Bytes(stored), kSecret);
  ASSERT_TRUE(key) << key.error().message();
  const unsigned char expected[] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA,
                                    0xBB, 0xCC, 0xDD, 0xEE, 0xFF, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05,
                                    0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F};
  EXPECT_TRUE(std::equal(key->bytes().begin(), key->bytes().end(), expected));
}

TEST_F(KeyFileTest, is_created_for_the_user_alone_and_never_overwritten) {
  ASSERT_THAT(create_key_file(file_, "main"), succeeds());
  EXPECT_EQ(std::filesystem::status(file_).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const auto keys = open_key_file(file_).value();
  EXPECT_EQ(unseal(seal("x", kSecret, *keys).value(), kSecret, *keys), AttributeValue("x"));
  EXPECT_THAT(create_key_file(file_, "main"), fails_with(Code::kIo));
  EXPECT_THAT(create_key_file(folder_ / "other", "two words"), fails_with(Code::kInvalidArgument));
}

TEST_F(KeyFileTest, lasts_and_leaves_nothing_when_it_cannot_be_made) {
  WatchedSteps watched;
  const std::string folder = folder_.path().filename();
  for (int step = 0; step < 3; ++step) {
    const Result<void> created = create_key_file(file_, "main", watched.writer(step));
    ASSERT_FALSE(created) << step;
    EXPECT_THAT(created, fails_with(Code::kIo));
    EXPECT_EQ(folder_.files(), 0U) << step;
  }
  ASSERT_THAT(create_key_file(file_, "main", watched.writer()), succeeds());
  EXPECT_EQ(watched.steps, (std::vector<std::string>{"write keys.tmp", "sync keys.tmp", "link keys", "remove keys.tmp",
                                                     "sync_folder " + folder}));
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(KeyFileTest, has_a_new_key_on_top_when_it_is_rotated_and_still_reads_the_old_ones) {
  write("# of the shop\n2025 " + std::string(64, 'a') + "\n");
  const AttributeValue old = seal("x", kSecret, **open_key_file(file_)).value();
  ASSERT_THAT(rotate_key_file(file_, "2026"), succeeds());
  EXPECT_EQ(key_ids_in(file_).value(), (std::vector<std::string>{"2026", "2025"}));
  EXPECT_EQ(std::filesystem::status(file_).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::ifstream text(file_);
  const std::string content{std::istreambuf_iterator<char>(text), {}};
  EXPECT_TRUE(content.ends_with("# of the shop\n2025 " + std::string(64, 'a') + "\n"));
  const auto keys = open_key_file(file_).value();
  EXPECT_EQ(unseal(old, kSecret, *keys), AttributeValue("x"));
  const AttributeValue fresh = seal("x", kSecret, *keys).value();
  EXPECT_TRUE(keys->is_current(fresh.map().at("edk").binary()));
  EXPECT_FALSE(keys->is_current(old.map().at("edk").binary()));
  EXPECT_FALSE(
      keys->is_current(Bytes("\x04"
                             "2026")));
  EXPECT_FALSE(keys->is_current(Bytes()));
}

TEST_F(KeyFileTest, is_not_rotated_to_a_key_that_it_has_or_that_cannot_be_one) {
  ASSERT_THAT(create_key_file(file_, "main"), succeeds());
  EXPECT_THAT(rotate_key_file(file_, "main"), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(rotate_key_file(file_, "two words"), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(rotate_key_file(folder_ / "other", "next"), fails_with(Code::kEncryptionNotConfigured));
  EXPECT_EQ(key_ids_in(file_).value(), std::vector<std::string>{"main"});
}

TEST_F(KeyFileTest, keeps_its_keys_when_it_cannot_be_rotated) {
  ASSERT_THAT(create_key_file(file_, "main"), succeeds());
  WatchedSteps watched;
  for (int step = 0; step < 3; ++step) {
    EXPECT_THAT(rotate_key_file(file_, "next", watched.writer(step)), fails_with(Code::kIo)) << step;
    EXPECT_EQ(key_ids_in(file_).value(), std::vector<std::string>{"main"}) << step;
    EXPECT_EQ(folder_.files(), 1U) << step;
  }
}

TEST_F(KeyFileTest, does_not_grow_beyond_what_can_be_read) {
  ASSERT_THAT(create_key_file(file_, "main"), succeeds());
  std::ofstream(file_, std::ios::app) << "# " << std::string(64 * 1024 - 80, '-') << "\n";
  EXPECT_THAT(rotate_key_file(file_, "next"), fails_with(Code::kInvalidArgument));
  EXPECT_EQ(key_ids_in(file_).value(), std::vector<std::string>{"main"});
}

TEST_F(KeyFileTest, is_refused_when_others_may_read_it_or_it_says_nothing_sensible) {
  EXPECT_NE(refusal().find("No such file"), std::string::npos);
  write("main " + std::string(64, '0') + "\n");
  std::filesystem::permissions(file_, std::filesystem::perms::group_read, std::filesystem::perm_options::add);
  EXPECT_NE(refusal().find("chmod 600"), std::string::npos);
  write("# nothing\n");
  EXPECT_NE(refusal().find("has no key"), std::string::npos);
  for (const std::string& line : {std::string("main"), "main " + std::string(63, '0'), "main " + std::string(64, 'x'),
                                  " " + std::string(64, '0'), "main  " + std::string(64, '0')}) {
    write("\n" + line + "\n");
    EXPECT_NE(refusal().find("keys:2: expected a key id"), std::string::npos) << line;
  }
  write("a " + std::string(64, '0') + "\na " + std::string(64, '1') + "\n");
  EXPECT_NE(refusal().find("occurs twice"), std::string::npos);
}

}  // namespace
}  // namespace dolmen
