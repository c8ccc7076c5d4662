#include <fmt/format.h>

#include "dolmen/isr/isr.h"
#include "isr/items.h"
#include "lease/pause.h"

namespace dolmen {
namespace {

/// A body can be replaced between reading its metadata and reading itself, but not endlessly.
constexpr int kServeLooksMax = 3;

}  // namespace

/// The current page, fresh or stale; nothing when it does not exist or cannot be read, so that it is generated again.
Result<std::optional<ServedPage>> PageCache::look(const PageKey& key) {
  for (int i = 0; i < kServeLooksMax; ++i) {
    Result<std::optional<PageMetadata>> metadata = this->metadata(key);
    if (!metadata && metadata.error().code() == Code::kValidation) return std::nullopt;
    if (!metadata) return std::unexpected(std::move(metadata).error());
    if (!*metadata) return std::nullopt;
    DOLMEN_TRY(std::optional<std::string> body, this->body((*metadata)->s3_key));
    if (body)
      return ServedPage{.state = is_fresh(**metadata, now()) ? PageState::kFresh : PageState::kStale,
                        .body = std::move(*body),
                        .metadata = std::move(**metadata)};
  }
  return std::nullopt;
}

/// One call of serve_or_regenerate.
class PageCache::Serving {
 public:
  Serving(PageCache& cache, const PageKey& key, const GeneratePage& generate, const ServeOptions& options)
      : cache_(cache),
        key_(key),
        generate_(generate),
        options_(options),
        clock_(cache.leases_.options().clock),
        give_up_(later(clock_.steady_now(), options.wait_max)) {}

  /// Exceptions of `generate_` are the caller's own and pass through.
  Result<ServedPage> run() {
    try {
      Result<ServedPage> served = serve();
      give_up_request();
      return served;
    } catch (...) {
      give_up_request();
      throw;
    }
  }

 private:
  /// Lets another caller try with the same id.
  void give_up_request() {
    if (request_is_mine_ && !published_) static_cast<void>(cache_.fail_request(key_, *options_.request));
  }

  Result<ServedPage> serve() {
    while (true) {
      DOLMEN_TRY(page_, cache_.look(key_));
      if (page_ && page_->state == PageState::kFresh) return std::move(*page_);
      DOLMEN_TRY(std::optional<ServedPage> completed, begin_request());
      if (completed) return std::move(*completed);
      if (!options_.request || request_is_mine_) {
        Result<LeaseGuard> guard = cache_.hold(key_);
        if (guard) return regenerate(*guard);
        if (guard.error().code() != Code::kLeaseHeld) return stale_or(guard.error());
      }
      const bool patient = options_.when_busy == WhenBusy::kWait || !page_;
      if (!patient || (page_ && out_of_time())) return std::move(*page_);
      if (out_of_time())
        return std::unexpected(Error(
            Code::kTimeout, fmt::format("{} was not generated within {} ms", key_.name, options_.wait_max.count())));
      const auto interval = std::max(cache_.options_.poll_interval, std::chrono::milliseconds{1});
      pause(clock_, std::min(give_up_, later(clock_.steady_now(), interval)));
    }
  }

  [[nodiscard]] bool out_of_time() const { return clock_.steady_now() >= give_up_; }

  /// The result of the request, if it has been carried out before. When that has been replaced, the current page; when
  /// no page exists, the request is carried out again.
  Result<std::optional<ServedPage>> begin_request() {
    if (!options_.request || request_is_mine_) return std::nullopt;
    DOLMEN_TRY(const RequestState state, cache_.begin_request(key_, *options_.request));
    request_is_mine_ = state.is_mine;
    if (state.status != RequestStatus::kCompleted) return std::nullopt;
    std::optional<std::string> body;
    if (state.result_s3_key) {
      DOLMEN_TRY(body, cache_.body(*state.result_s3_key));
    }
    if (!body && page_) return page_;
    if (!body) {
      DOLMEN_TRY(request_is_mine_, cache_.take_over_request(key_, *options_.request, state));
      return std::nullopt;
    }
    PageMetadata metadata = page_ ? page_->metadata : PageMetadata{};
    if (metadata.s3_key != *state.result_s3_key) metadata = {.s3_key = *state.result_s3_key};
    return ServedPage{.state = PageState::kStale, .body = std::move(*body), .metadata = std::move(metadata)};
  }

  Result<ServedPage> regenerate(LeaseGuard& guard) {
    // Another caller may have published before the lease was acquired.
    DOLMEN_TRY(page_, cache_.look(key_));
    if (page_ && page_->state == PageState::kFresh) return std::move(*page_);
    const std::int64_t generated_at = cache_.now_seconds();
    Result<GeneratedPage> generated = generate_(guard.lost());
    if (!generated) return stale_or(generated.error());
    Result<PageMetadata> published =
        cache_.publish(guard, key_, *generated, {.request = options_.request, .generated_at = generated_at});
    if (!published) return after_refusal(published.error());
    published_ = true;
    guard.forget();
    return ServedPage{.state = PageState::kRegenerated, .body = std::move(generated->body), .metadata = *published};
  }

  /// The caller that was faster has probably published.
  Result<ServedPage> after_refusal(const Error& error) {
    if (error.code() == Code::kLeaseNotOwned) {
      DOLMEN_TRY(page_, cache_.look(key_));
      if (page_ && page_->state == PageState::kFresh) return std::move(*page_);
    }
    return stale_or(error);
  }

  Result<ServedPage> stale_or(const Error& error) {
    if (!page_ || !options_.stale_on_error) return std::unexpected(error);
    page_->problem = error;
    return std::move(*page_);
  }

  PageCache& cache_;
  const PageKey& key_;
  const GeneratePage& generate_;
  const ServeOptions& options_;
  const LeaseClock& clock_;
  const LeaseClock::Moment give_up_;
  /// The page when it was last read.
  std::optional<ServedPage> page_;
  bool request_is_mine_ = false;
  bool published_ = false;
};

Result<ServedPage> PageCache::serve_or_regenerate(const PageKey& key, const GeneratePage& generate,
                                                  const ServeOptions& options) {
  return Serving(*this, key, generate, options).run();
}

}  // namespace dolmen
