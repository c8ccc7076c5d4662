#include <utility>

#include "buckets/s3_bucket.h"
#include "dolmen/isr.h"
#include "isr/body_key.h"

namespace dolmen {
namespace {

/// Bodies as objects of a bucket.
class BucketBodies final : public BodyStore {
 public:
  explicit BucketBodies(std::unique_ptr<S3Bucket> bucket) : bucket_(std::move(bucket)) {}

  Result<void> put(const std::string& key, std::string_view body) override {
    DOLMEN_TRY_VOID(body_key_parts(key));
    return bucket_->put(key, body);
  }

  Result<std::optional<std::string>> get(const std::string& key) override {
    DOLMEN_TRY_VOID(body_key_parts(key));
    return bucket_->get(key);
  }

  Result<std::optional<BodyInfo>> head(const std::string& key) override {
    DOLMEN_TRY_VOID(body_key_parts(key));
    DOLMEN_TRY(const std::optional<std::uint64_t> bytes, bucket_->size_of(key));
    if (!bytes) return std::nullopt;
    return BodyInfo{.bytes = *bytes};
  }

  Result<void> remove(const std::string& key) override {
    DOLMEN_TRY_VOID(body_key_parts(key));
    return bucket_->remove(key);
  }

  Result<void> list(const std::string& prefix, const Found& found) override {
    return bucket_->visit(prefix, [&](const ObjectInfo& object) {
      found(object.key, {.bytes = object.bytes, .modified_at = object.modified_at});
    });
  }

 private:
  std::unique_ptr<S3Bucket> bucket_;
};

}  // namespace

Result<std::unique_ptr<BodyStore>> open_body_bucket(const BucketOptions& options) {
  DOLMEN_TRY(std::unique_ptr<S3Bucket> bucket,
             open_s3_bucket(options.bucket, {.endpoint = options.endpoint,
                                             .region = options.region,
                                             .content_type = options.content_type,
                                             .credentials = options.credentials,
                                             .profile = options.profile,
                                             .connect_timeout = options.connect_timeout,
                                             .request_timeout = options.request_timeout,
                                             .response_bytes_max = options.body_bytes_max,
                                             .attempts_max = options.attempts_max,
                                             .now = options.now,
                                             .sleep = options.sleep}));
  return std::make_unique<BucketBodies>(std::move(bucket));
}

}  // namespace dolmen
