#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/base64.h"
#include "base/random.h"
#include "dolmen/model/encryption.h"
#include "dolmen/model/logical_value.h"
#include "protocol/signature.h"
#include "tests/http_client/test_server.h"

namespace dolmen {

/// A key management service on loopback: checks signatures, and really wraps data keys, bound to the key and to the
/// encryption context. What it gives out it can only decrypt with the same.
class StandInKms {
 public:
  static constexpr std::string_view kAccessKey = "AKIDSTANDIN";
  static constexpr std::string_view kSecret = "secret-of-the-stand-in";
  static constexpr std::string_view kKey = "arn:aws:kms:eu-west-1:111122223333:key/users";
  static constexpr std::string_view kOtherKey = "arn:aws:kms:eu-west-1:111122223333:key/older";
  using Answer = TestServer::Reply;

  StandInKms() : server_([this](const TestServer::Received& request) { return answer(request); }) {}

  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] int requests() const { return server_.requests(); }
  [[nodiscard]] std::vector<std::string> operations() const {
    const std::lock_guard lock(state_mutex_);
    return operations_;
  }
  /// The encryption contexts of all requests, as JSON.
  [[nodiscard]] std::vector<std::string> contexts() const {
    const std::lock_guard lock(state_mutex_);
    return contexts_;
  }

  /// The next requests are answered so.
  void answer_next(std::vector<Answer> answers) {
    const std::lock_guard lock(state_mutex_);
    next_ = std::move(answers);
  }
  void disable(std::string_view key) {
    const std::lock_guard lock(state_mutex_);
    disabled_.emplace(key);
  }

  static Answer error(std::string_view type, std::string_view message, int status = 400) {
    return {TestServer::response(status, fmt::format(R"({{"__type":"{}","message":"{}"}})", type, message))};
  }
  static Answer text(int status, std::string_view body) { return {TestServer::response(status, body)}; }

 private:
  Answer answer(const TestServer::Received& request) {
    const std::lock_guard lock(state_mutex_);
    const std::string target = request.header("X-Amz-Target");
    operations_.push_back(target.substr(target.find('.') + 1));
    if (!next_.empty()) {
      Answer first = std::move(next_.front());
      next_.erase(next_.begin());
      return first;
    }
    if (!is_signed(request)) return error("InvalidSignatureException", "the signature does not match");
    const Result<LogicalValue> body = parse_json(request.body);
    const auto* members = body ? body->get_if<LogicalItem>() : nullptr;
    if (members == nullptr) return error("SerializationException", "not a JSON object");
    const std::string context = members->contains("EncryptionContext")
                                    ? canonical_json(members->at("EncryptionContext")).value()
                                    : std::string("{}");
    contexts_.push_back(context);
    const std::string key = text_in(*members, "KeyId");
    if (key != kKey && key != kOtherKey) return error("NotFoundException", "Key does not exist");
    if (disabled_.contains(key)) return error("DisabledException", fmt::format("{} is disabled.", key));
    if (operations_.back() == "GenerateDataKey") return generate(*members, key, context);
    if (operations_.back() == "Decrypt") return decrypt(*members, key, context);
    return error("UnknownOperationException", "");
  }

  static std::string text_in(const LogicalItem& members, std::string_view name) {
    const auto found = members.find(name);
    const std::string* text = found == members.end() ? nullptr : found->second.get_if<std::string>();
    return text == nullptr ? "" : *text;
  }

  /// The names of the signed headers and the scope are those that the request gives; everything else is made anew.
  static bool is_signed(const TestServer::Received& request) {
    const std::string given = request.header("Authorization");
    const auto part = [&](std::string_view name) {
      const std::size_t begin = given.find(name);
      return begin == std::string::npos
                 ? std::string()
                 : given.substr(begin + name.size(), given.find(',', begin) - begin - name.size());
    };
    SignatureInput input{.headers = {}, .body = request.body, .region = "eu-west-1", .service = "kms", .time = {}};
    std::string names = part("SignedHeaders=");
    if (names != "content-type;host;x-amz-date;x-amz-target") return false;
    while (!names.empty()) {
      const std::string name = names.substr(0, names.find(';'));
      names.erase(0, std::min(names.size(), name.size() + 1));
      input.headers.emplace_back(name, request.header(name));
    }
    const std::string date = request.header("x-amz-date");
    input.time = time_of(date);
    return amz_date(input.time) == date &&
           authorization({std::string(kAccessKey), std::string(kSecret)}, input) == given;
  }

  static std::chrono::system_clock::time_point time_of(const std::string& date) {
    using namespace std::chrono;
    if (date.size() != 16) return {};
    const auto number = [&](std::size_t at, std::size_t length) { return std::stoi(date.substr(at, length)); };
    return sys_days(year(number(0, 4)) / number(4, 2) / number(6, 2)) + hours(number(9, 2)) + minutes(number(11, 2)) +
           seconds(number(13, 2));
  }

  /// A key is wrapped as a value is sealed, with key and context in the place of the attribute's name.
  Answer generate(const LogicalItem& members, const std::string& key, const std::string& context) {
    if (text_in(members, "KeySpec") != "AES_256") return error("ValidationException", "KeySpec");
    std::string plain(SecretKey::kBytes, '\0');
    system_random().fill(std::as_writable_bytes(std::span(plain)));
    const std::string purpose = key + context;
    const Item sealed = seal(Bytes(plain), {.model = "", .attribute = purpose}, *masters_).value().map();
    std::string blob;
    for (const char* name : {"edk", "nonce", "ct"}) blob += sealed.at(name).binary().view();
    return text(200, fmt::format(R"({{"CiphertextBlob":"{}","Plaintext":"{}","KeyId":"{}"}})", encode_base64(blob),
                                 encode_base64(plain), key));
  }

  Answer decrypt(const LogicalItem& members, const std::string& key, const std::string& context) {
    const Result<std::string> blob = decode_base64(text_in(members, "CiphertextBlob"));
    constexpr std::size_t kEdk = 32;
    constexpr std::size_t kNonce = 12;
    if (!blob || blob->size() <= kEdk + kNonce) return error("InvalidCiphertextException", "");
    Item sealed{{"v", 1},
                {"edk", Bytes(blob->substr(0, kEdk))},
                {"nonce", Bytes(blob->substr(kEdk, kNonce))},
                {"ct", Bytes(blob->substr(kEdk + kNonce))}};
    const std::string purpose = key + context;
    const Result<AttributeValue> plain = unseal(sealed, {.model = "", .attribute = purpose}, *masters_);
    if (!plain) return error("InvalidCiphertextException", "");
    return text(200, fmt::format(R"({{"Plaintext":"{}","KeyId":"{}","EncryptionAlgorithm":"SYMMETRIC_DEFAULT"}})",
                                 encode_base64(plain->binary().view()), key));
  }

  mutable std::mutex state_mutex_;  ///< Guards everything below.
  std::unique_ptr<KeyProvider> masters_ = deterministic_keys("the masters of the stand-in");
  std::vector<std::string> operations_;
  std::vector<std::string> contexts_;
  std::vector<Answer> next_;
  std::set<std::string, std::less<>> disabled_;
  /// Its threads use everything above.
  TestServer server_;
};

}  // namespace dolmen
