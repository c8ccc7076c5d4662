// Bodies in a directory, and in a bucket of a small peer on loopback that checks what it is sent.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <thread>

#include "base/percent_encoding.h"
#include "base/test_result.h"
#include "base/test_steps.h"
#include "isr/directory.h"
#include "page_world.h"
#include "protocol/digest.h"
#include "protocol/signature.h"
#include "tests/http_client/test_server.h"

namespace dolmen {
namespace {

// ---- A directory ----

struct Directory {
  TemporaryDirectory folder;
  std::unique_ptr<BodyStore> bodies = open_body_directory(folder.path() / "a" / "b").value();
};

TEST(BodyDirectory, keeps_bodies) {
  Directory world;
  const std::string binary("\0\xff<p>\n", 6);
  ASSERT_THAT(world.bodies->put("pages/CACHE#1/x", binary), succeeds());
  EXPECT_EQ(world.bodies->get("pages/CACHE#1/x").value(), binary);
  EXPECT_EQ(world.bodies->head("pages/CACHE#1/x").value()->bytes, 6U);
  ASSERT_THAT(world.bodies->put("pages/CACHE#1/x", ""), succeeds());
  EXPECT_EQ(world.bodies->get("pages/CACHE#1/x").value(), "");
  // It is all there for another process.
  EXPECT_EQ(open_body_directory(world.folder.path() / "a" / "b").value()->get("pages/CACHE#1/x").value(), "");
}

TEST(BodyDirectory, lists_bodies) {
  Directory world;
  const auto before = std::chrono::system_clock::now() - 1h;
  const std::set<std::string> expected{"pages/CACHE#1/x", "pages/a b%/..y", "pages/z"};
  for (const std::string& key : expected) ASSERT_THAT(world.bodies->put(key, "body"), succeeds());
  ASSERT_THAT(world.bodies->put("page", "body"), succeeds());
  const auto list = [&](const std::string& prefix) {
    std::set<std::string> found;
    EXPECT_THAT(world.bodies->list(prefix,
                                   [&](const std::string& key, const BodyInfo& info) {
                                     EXPECT_EQ(info.bytes, 4U);
                                     EXPECT_GT(info.modified_at, before);
                                     found.insert(key);
                                   }),
                succeeds());
    return found;
  };
  EXPECT_EQ(list("pages/"), expected);
  EXPECT_EQ(list("pages/CA"), std::set<std::string>{"pages/CACHE#1/x"});
  EXPECT_EQ(list("").size(), 4U);
  EXPECT_TRUE(list("none/").empty());
}

TEST(BodyDirectory, says_that_there_is_no_body) {
  Directory world;
  ASSERT_THAT(world.bodies->put("a", "body"), succeeds());
  for (const char* key : {"none", "no/ne", "a/b"}) {
    EXPECT_EQ(world.bodies->get(key).value(), std::nullopt) << key;
    EXPECT_FALSE(world.bodies->head(key).value().has_value()) << key;
    EXPECT_THAT(world.bodies->remove(key), succeeds()) << key;
  }
}

TEST(BodyDirectory, does_not_call_missing_what_it_cannot_look_at) {
  Directory world;
  const std::filesystem::path loop = world.folder.path() / "a" / "b" / "loop";
  std::filesystem::create_symlink(loop, loop);
  EXPECT_THAT(world.bodies->get("loop"), fails_with(Code::kDirectoryUnusable));
  EXPECT_THAT(world.bodies->head("loop"), fails_with(Code::kDirectoryUnusable));
}

TEST(BodyDirectory, leaves_nothing_behind_when_a_body_goes) {
  Directory world;
  ASSERT_THAT(world.bodies->put("x/y/1", "1"), succeeds());
  ASSERT_THAT(world.bodies->put("x/y/2", "2"), succeeds());
  ASSERT_THAT(world.bodies->remove("x/y/1"), succeeds());
  EXPECT_TRUE(std::filesystem::exists(world.folder.path() / "a/b/x/y/2"));
  ASSERT_THAT(world.bodies->remove("x/y/2"), succeeds());
  EXPECT_FALSE(std::filesystem::exists(world.folder.path() / "a/b/x"));
  EXPECT_THAT(world.bodies->put("x/y/1", "1"), succeeds());
}

TEST(BodyDirectory, stays_inside_of_itself) {
  Directory world;
  for (const char* key : {"", "/", "..", "a/../../x", "./a", "a//b", "a/", "/etc/passwd", "\xff"})
    EXPECT_THAT(world.bodies->put(key, "x"), fails_with(Code::kInvalidArgument)) << key;
  EXPECT_THAT(world.bodies->put(std::string(1025, 'x'), "x"), fails_with(Code::kInvalidArgument));
  EXPECT_EQ(world.folder.files(), 0U);
  ASSERT_THAT(world.bodies->put("a b%\\..\n", "odd"), succeeds());
  EXPECT_TRUE(std::filesystem::exists(world.folder.path() / "a/b/a%20b%25%5C..%0A"));
}

TEST(BodyDirectory, refuses_what_is_too_long_for_a_file) {
  Directory world;
  EXPECT_THAT(world.bodies->put(std::string(255, 'x'), "x"), succeeds());
  for (const std::string& key : {std::string(256, 'x'), std::string(100, '#'), "a/" + std::string(256, 'x') + "/b"}) {
    EXPECT_THAT(world.bodies->put(key, "x"), fails_with(Code::kInvalidArgument)) << key;
    EXPECT_THAT(world.bodies->get(key), fails_with(Code::kInvalidArgument)) << key;
    EXPECT_THAT(world.bodies->head(key), fails_with(Code::kInvalidArgument)) << key;
    EXPECT_THAT(world.bodies->remove(key), fails_with(Code::kInvalidArgument)) << key;
  }
}

TEST(BodyDirectory, has_no_body_where_a_directory_is) {
  Directory world;
  ASSERT_THAT(world.bodies->put("x/y", "body"), succeeds());
  EXPECT_EQ(world.bodies->get("x").value(), std::nullopt);
  EXPECT_FALSE(world.bodies->head("x").value().has_value());
  EXPECT_THAT(world.bodies->remove("x"), succeeds());
  EXPECT_EQ(world.bodies->get("x/y").value(), "body");
}

TEST(BodyDirectory, never_shows_half_a_body) {
  Directory world;
  const std::string ones(100'000, '1');
  const std::string twos(100'000, '2');
  ASSERT_THAT(world.bodies->put("page", ones), succeeds());
  std::atomic<bool> stop = false;
  {
    const std::jthread reader([&] {
      while (!stop) {
        const std::string body = world.bodies->get("page").value().value();
        EXPECT_TRUE(body == ones || body == twos);
      }
    });
    for (int i = 0; i < 50; ++i) ASSERT_THAT(world.bodies->put("page", i % 2 == 0 ? twos : ones), succeeds());
    stop = true;
  }
}

TEST(BodyDirectory, forgets_what_a_dead_process_did_not_finish) {
  Directory world;
  const std::filesystem::path root = world.folder.path() / "a" / "b";
  const std::filesystem::path old = root / "%unfinished" / "old";
  const std::filesystem::path young = root / "%unfinished" / "young";
  for (const auto& path : {old, young}) std::ofstream(path) << "half";
  std::filesystem::last_write_time(old, std::filesystem::file_time_type::clock::now() - 25h);
  ASSERT_THAT(open_body_directory(root), succeeds());
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(young));
}

TEST(BodyDirectory, makes_bodies_last_and_leaves_nothing_of_those_that_fail) {
  const TemporaryDirectory folder;
  WatchedSteps watched;
  const std::filesystem::path root = folder.path() / "bodies";
  ASSERT_THAT(open_body_directory(root, watched.writer()), succeeds());
  EXPECT_EQ(watched.steps,
            (std::vector<std::string>{"make_folder bodies", "sync_folder " + folder.path().filename().string(),
                                      "make_folder %unfinished", "sync_folder bodies"}));
  // A rename is tried again.
  for (const int step : {0, 1, 2, 3, 5}) {
    const auto bodies = open_body_directory(root, watched.writer(step)).value();
    const Result<void> put = bodies->put("pages/x", "body");
    EXPECT_FALSE(put.has_value()) << step;
    // Only once the body has its name can it be the sync of the folder that fails.
    EXPECT_EQ(folder.files(), step == 5 ? 1U : 0U) << step;
    std::filesystem::remove_all(root / "pages");
  }
  const auto bodies = open_body_directory(root, watched.writer()).value();
  ASSERT_THAT(bodies->put("pages/x", "body"), succeeds());
  ASSERT_EQ(watched.steps.size(), 6U);
  EXPECT_TRUE(watched.steps[0].starts_with("write ")) << watched.steps[0];
  EXPECT_EQ(watched.steps[1], "sync" + watched.steps[0].substr(5));
  EXPECT_EQ((std::vector<std::string>(watched.steps.begin() + 2, watched.steps.end())),
            (std::vector<std::string>{"make_folder pages", "sync_folder bodies", "rename x", "sync_folder pages"}));
}

TEST(BodyDirectory, says_why_it_cannot_be_used) {
  TemporaryDirectory folder;
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_THAT(open_body_directory(folder.path() / "file"), fails_with(Code::kDirectoryUnusable));
}

// ---- A bucket ----

constexpr const char* kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

/// A bucket called my-bucket. It refuses what is not signed as it should be.
class Bucket {
 public:
  BucketOptions options() const {
    return {.bucket = "my-bucket",
            .endpoint = peer_.url(),
            .region = "eu-west-1",
            .credentials = AwsCredentials{"AKIDEXAMPLE", kSecret, "TOKEN"},
            .now = [] { return std::chrono::system_clock::time_point(1'794'794'400s); },
            .sleep = [this](auto) { ++waits_; }};
  }

  /// Answers to give instead of the right one.
  std::vector<TestServer::Reply> instead = {};
  std::map<std::string, std::string> objects = {};
  std::string content_type;
  mutable int waits_ = 0;

 private:
  TestServer::Reply answer(const TestServer::Received& request) {
    if (!instead.empty()) {
      const TestServer::Reply reply = instead.front();
      instead.erase(instead.begin());
      return reply;
    }
    std::smatch line;
    EXPECT_TRUE(std::regex_search(request.head, line, std::regex("^([A-Z]+) (\\S+) HTTP/1.1\r\n")));
    const std::string method = line[1];
    const std::string target = line[2];
    const std::string path = target.substr(0, target.find('?'));
    const std::string query = target.size() > path.size() ? target.substr(path.size() + 1) : "";
    if (!is_signed(request, {.method = method, .path = path, .query = query}))
      return {TestServer::response(403, "<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>")};
    if (path == "/my-bucket" && method == "GET") return {TestServer::response(200, listing(query))};
    if (!path.starts_with("/my-bucket/"))
      return {TestServer::response(404, "<Error><Code>NoSuchBucket</Code><Message>none</Message></Error>")};
    if (method == "PUT") {
      content_type = request.header("content-type");
      objects[path] = request.body;
      return {TestServer::response(200, "", "ETag: \"x\"\r\n")};
    }
    if (method == "DELETE") {
      objects.erase(path);
      return {"HTTP/1.1 204 No Content\r\n\r\n"};
    }
    const auto found = objects.find(path);
    if (found == objects.end())
      return {method == "HEAD" ? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
                               : TestServer::response(404, "<Error><Code>NoSuchKey</Code></Error>")};
    if (method == "HEAD") return {fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", found->second.size())};
    return {TestServer::response(200, found->second)};
  }

  /// Two objects at a time. The token is the last key of the page before.
  std::string listing(const std::string& query) const {
    std::smatch parts;
    const std::regex form("(?:continuation-token=(.*)&)?encoding-type=url&list-type=2&prefix=(.*)");
    EXPECT_TRUE(std::regex_match(query, parts, form)) << query;
    const std::string start = "/my-bucket/" + percent_decoded(parts[2].str()).value();
    std::string xml = "<ListBucketResult><EncodingType>url</EncodingType>";
    std::string last;
    for (auto object = objects.upper_bound(percent_decoded(parts[1].str()).value()); object != objects.end();
         ++object) {
      if (!object->first.starts_with(start)) continue;
      if (std::count(xml.begin(), xml.end(), '?') == 2)
        return xml + "<IsTruncated>true</IsTruncated><NextContinuationToken>" + last + "</NextContinuationToken>";
      last = object->first;
      xml += fmt::format(
          "<Contents><!--?--><Key>{}</Key><LastModified>2026-11-16T00:00:00.000Z</LastModified>"
          "<Size>{}</Size></Contents>",
          object->first.substr(std::string("/my-bucket/").size()), object->second.size());
    }
    return xml + "<IsTruncated>false</IsTruncated></ListBucketResult>";
  }

  static bool is_signed(const TestServer::Received& request, SignatureInput input) {
    const std::string given = request.header("authorization");
    std::smatch names;
    if (!std::regex_search(given, names, std::regex("SignedHeaders=([^,]+),"))) return false;
    input.body = request.body;
    input.region = "eu-west-1";
    input.service = "s3";
    input.time = std::chrono::system_clock::time_point(1'794'794'400s);
    const std::regex separator(";");
    const std::string list = names[1];
    for (std::sregex_token_iterator name(list.begin(), list.end(), separator, -1), end; name != end; ++name)
      input.headers.emplace_back(*name, request.header(name->str()));
    return request.header("x-amz-content-sha256") == hex_sha256(request.body) &&
           request.header("x-amz-security-token") == "TOKEN" && given == authorization({"AKIDEXAMPLE", kSecret}, input);
  }

  TestServer peer_{[this](const TestServer::Received& request) { return answer(request); }};
};

TEST(BodyBucket, keeps_bodies_under_signed_requests) {
  Bucket bucket;
  const auto bodies = open_body_bucket(bucket.options()).value();
  const std::string binary("\0\xff<p>\n", 6);
  const std::string key = "pages/CACHE#ab/\xc3\xa9 x.html";
  ASSERT_THAT(bodies->put(key, binary), succeeds());
  EXPECT_EQ(bucket.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(bucket.objects.begin()->first, "/my-bucket/pages/CACHE%23ab/%C3%A9%20x.html");
  EXPECT_EQ(bodies->get(key).value(), binary);
  EXPECT_EQ(bodies->head(key).value()->bytes, 6U);
  ASSERT_THAT(bodies->put(key, ""), succeeds());
  EXPECT_EQ(bodies->get(key).value(), "");
  ASSERT_THAT(bodies->remove(key), succeeds());
  EXPECT_EQ(bodies->get(key).value(), std::nullopt);
  EXPECT_FALSE(bodies->head(key).value().has_value());
  EXPECT_THAT(bodies->remove(key), succeeds());
}

TEST(BodyBucket, keeps_bodies_of_keys_of_1024_bytes) {
  Bucket bucket;
  const auto bodies = open_body_bucket(bucket.options()).value();
  EXPECT_THAT(bodies->put(std::string(1024, 'x'), "y"), succeeds());
  EXPECT_THAT(bodies->put(std::string(1025, 'x'), "y"), fails_with(Code::kInvalidArgument));
  EXPECT_EQ(bucket.objects.size(), 1U);
}

TEST(BodyBucket, lists_bodies_page_by_page) {
  Bucket bucket;
  const auto bodies = open_body_bucket(bucket.options()).value();
  const std::map<std::string, std::uint64_t> expected{
      {"pages/a b+c&<d>", 1}, {"pages/\xc3\xa9#1", 2}, {"pages/x", 3}, {"pages/y/z", 4}, {"pages/z", 5}};
  for (const auto& [key, bytes] : expected) ASSERT_THAT(bodies->put(key, std::string(bytes, '.')), succeeds());
  ASSERT_THAT(bodies->put("page", ""), succeeds());
  std::map<std::string, std::uint64_t> found;
  ASSERT_THAT(bodies->list("pages/",
                           [&](const std::string& key, const BodyInfo& info) {
                             EXPECT_EQ(info.modified_at.time_since_epoch(), 1'794'787'200s);
                             EXPECT_TRUE(found.emplace(key, info.bytes).second) << key;
                           }),
              succeeds());
  EXPECT_EQ(found, expected);
  bucket.instead = {{TestServer::response(200, "<Contents><Key>x</Key></Contents>")}};
  EXPECT_THAT(bodies->list("", [](const std::string&, const BodyInfo&) {}), fails_with(Code::kUnexpectedResponse));
}

TEST(BodyBucket, tells_a_missing_bucket_from_a_missing_body) {
  Bucket bucket;
  BucketOptions options = bucket.options();
  options.bucket = "other";
  EXPECT_THAT(open_body_bucket(options).value()->get("x"),
              fails_with(Code::kBucketNotFound, "the bucket answered 404 NoSuchBucket: none"));
}

TEST(BodyBucket, says_that_it_may_not) {
  Bucket bucket;
  BucketOptions options = bucket.options();
  options.credentials->secret_access_key = "wrong";
  EXPECT_THAT(open_body_bucket(options).value()->put("x", "y"),
              fails_with(Code::kAccessDenied, "the bucket answered 403 SignatureDoesNotMatch: no"));
}

TEST(BodyBucket, tries_again_when_the_server_is_in_trouble) {
  Bucket bucket;
  const auto bodies = open_body_bucket(bucket.options()).value();
  const std::string slow = "<Error><Code>SlowDown</Code><Message>less</Message></Error>";
  bucket.instead = {{TestServer::response(503, slow)}, {"", TestServer::Then::kReset}};
  ASSERT_THAT(bodies->put("x", "y"), succeeds());
  EXPECT_EQ(bucket.waits_, 2);
  bucket.instead = std::vector<TestServer::Reply>(3, {TestServer::response(503, slow)});
  EXPECT_THAT(bodies->get("x"), fails_with(Code::kThrottled, "the bucket answered 503 SlowDown: less"));
  EXPECT_EQ(bodies->get("x").value(), "y");
}

TEST(BodyBucket, refuses_what_is_no_bucket_key_or_endpoint) {
  Bucket bucket;
  for (const char* name : {"", "ab", "a/b", "a..b", "a b c"}) {
    BucketOptions options = bucket.options();
    options.bucket = name;
    EXPECT_THAT(open_body_bucket(options), fails_with(Code::kInvalidArgument)) << name;
  }
  BucketOptions options = bucket.options();
  options.endpoint = "127.0.0.1";
  EXPECT_THAT(open_body_bucket(options), fails_with(Code::kInvalidArgument));
  const auto bodies = open_body_bucket(bucket.options()).value();
  for (const char* key : {"", "../x", "x//y"}) {
    EXPECT_THAT(bodies->put(key, "y"), fails_with(Code::kInvalidArgument)) << key;
    EXPECT_THAT(bodies->get(key), fails_with(Code::kInvalidArgument)) << key;
    EXPECT_THAT(bodies->head(key), fails_with(Code::kInvalidArgument)) << key;
    EXPECT_THAT(bodies->remove(key), fails_with(Code::kInvalidArgument)) << key;
  }
}

TEST(BodyBucket, serves_pages) {
  Bucket bucket;
  const auto bodies = open_body_bucket(bucket.options()).value();
  PageWorld world;
  PageCache cache(*world.store, "cache", *bodies);
  EXPECT_EQ(cache.serve_or_regenerate({"/"}, world.generate("one"))->state, PageState::kRegenerated);
  EXPECT_EQ(cache.serve_or_regenerate({"/"}, world.generate("two"))->body, "one");
  EXPECT_EQ(bucket.objects.size(), 1U);
  EXPECT_EQ(cache.purge({"/"})->bodies, 1U);
  EXPECT_TRUE(bucket.objects.empty());
}

}  // namespace
}  // namespace dolmen
