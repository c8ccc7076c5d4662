#include <fmt/format.h>
#include <utility>

#include "base/fail.h"
#include "base/joined_stop.h"
#include "dolmen/isr/isr.h"
#include "isr/flights.h"
#include "isr/items.h"
#include "isr/page_memory.h"
#include "lease/pause.h"

namespace dolmen {
namespace {

/// A body can be replaced between reading its metadata and reading itself, but not endlessly.
constexpr int kServeLooksMax = 3;

/// What a generator has thrown, for those who cannot catch it.
Error thrown_error(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& known) {
    return Error(Code::kUnavailable, fmt::format("the page was not generated: {}", known.what()));
  } catch (...) {
    return Error(Code::kUnavailable, "the page was not generated: an exception was thrown");
  }
}

/// What the caller did wrong, which no stale page makes right.
bool is_callers_fault(const Error& error) {
  return error.code() == Code::kIdempotencyMismatch || error.code() == Code::kInvalidArgument ||
         error.code() == Code::kValidation;
}

}  // namespace

/// The current page, fresh or stale; nothing when it does not exist or cannot be read, so that it is generated again.
Result<std::optional<ServedPage>> PageCache::look(const PageKey& key) {
  for (int i = 0; i < kServeLooksMax; ++i) {
    Result<std::optional<PageMetadata>> metadata = this->metadata(key);
    if (!metadata && metadata.error().code() == Code::kValidation) return std::nullopt;
    if (!metadata) return look_in_memory(key, metadata.error());
    if (!*metadata) return std::nullopt;
    DOLMEN_TRY(std::optional<std::string> body, this->body((*metadata)->s3_key));
    if (!body) continue;
    memory_->remember(page_partition(key), **metadata);
    return ServedPage{.state = is_fresh(**metadata, now()) ? PageState::kFresh : PageState::kStale,
                      .body = std::move(*body),
                      .metadata = std::move(**metadata)};
  }
  return std::nullopt;
}

/// The page as it was last seen, because its metadata cannot be read now.
Result<std::optional<ServedPage>> PageCache::look_in_memory(const PageKey& key, const Error& error) {
  std::optional<PageMetadata> metadata = memory_->find(page_partition(key));
  if (!metadata) return std::unexpected(error);
  Result<std::optional<std::string>> body = this->body(metadata->s3_key);
  if (!body || !*body) return std::unexpected(error);
  return ServedPage{.state = is_fresh(*metadata, now()) ? PageState::kFresh : PageState::kStale,
                    .body = std::move(**body),
                    .metadata = std::move(*metadata),
                    .problem = error};
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
  Result<ServedPage> serve() {
    while (true) {
      DOLMEN_TRY_VOID(look());
      if (page_ && page_->problem) return stale_or(*page_->problem);
      if (is_renewed()) return std::move(*page_);
      Result<std::optional<ServedPage>> completed = begin_request();
      if (!completed && is_callers_fault(completed.error())) return std::unexpected(completed.error());
      if (!completed) return stale_or(completed.error());
      if (*completed) return std::move(**completed);
      if (!request() || request()->is_mine)
        if (std::optional<Result<ServedPage>> renewed = renew()) return std::move(*renewed);
      if (page_ && !is_patient()) return std::move(*page_);
      if (out_of_time()) return too_late();
      const auto interval = std::max(cache_.options_.poll_interval, std::chrono::milliseconds{1});
      pause(clock_, std::min(give_up_, later(clock_.steady_now(), interval)));
    }
  }

  // ---- What there is ----

  /// Reads the page. The first one shows later whether somebody has published meanwhile.
  Result<void> look() {
    DOLMEN_TRY(page_, cache_.look(key_));
    if (!seen_) seen_ = page_ ? page_->metadata.s3_key : std::string();
    return {};
  }

  /// A page that was published since this call began is as new as it gets, even if it took longer to generate than it
  /// is fresh: else everybody who waited would generate it once more.
  [[nodiscard]] bool is_renewed() const {
    return page_ && (page_->state == PageState::kFresh || page_->metadata.s3_key != *seen_);
  }

  [[nodiscard]] bool is_patient() const {
    switch (options_.when_stale) {
      case WhenStale::kGenerate: return options_.when_busy == WhenBusy::kWait;
      case WhenStale::kServeAtOnce: return false;
      case WhenStale::kWait:
      case WhenStale::kWaitAtMost: return true;
    }
    return true;
  }

  [[nodiscard]] bool out_of_time() const {
    return options_.when_stale != WhenStale::kWait && clock_.steady_now() >= give_up_;
  }

  Result<ServedPage> too_late() {
    if (page_) return std::move(*page_);
    return fail(Code::kTimeout, "{} was not generated within {} ms", key_.name, options_.wait_max.count());
  }

  Result<ServedPage> stale_or(const Error& error) {
    if (!page_ || !options_.stale_on_error) return std::unexpected(error);
    page_->problem = error;
    return std::move(*page_);
  }

  // ---- The request ----

  struct Begun {
    PageRequest request;
    bool is_mine = false;
  };
  [[nodiscard]] const std::optional<Begun>& request() const { return request_; }

  /// Lets another caller try with the same id.
  void give_up_request() {
    if (request_ && request_->is_mine && !published_) static_cast<void>(cache_.fail_request(key_, request_->request));
  }

  void own_request(const RequestState& state) {
    request_->is_mine = state.is_mine;
    request_->request.token = state.token;
  }

  /// The result of the request, if it has been carried out before. When that has been replaced, the current page; when
  /// no page exists, the request is carried out again.
  Result<std::optional<ServedPage>> begin_request() {
    if (!options_.request || (request_ && request_->is_mine)) return std::nullopt;
    request_ = Begun{.request = *options_.request};
    DOLMEN_TRY(const RequestState state, cache_.begin_request(key_, *options_.request));
    own_request(state);
    if (state.status != RequestStatus::kCompleted) return std::nullopt;
    std::optional<std::string> body;
    if (state.result_s3_key) {
      DOLMEN_TRY(body, cache_.body(*state.result_s3_key));
    }
    if (!body && page_) return page_;
    if (!body) {
      DOLMEN_TRY(const std::optional<RequestState> taken, cache_.take_over_request(key_, *options_.request, state));
      if (taken) own_request(*taken);
      return std::nullopt;
    }
    PageMetadata metadata = page_ ? page_->metadata : PageMetadata{};
    if (metadata.s3_key != *state.result_s3_key) metadata = {.s3_key = *state.result_s3_key};
    return ServedPage{.state = PageState::kStale, .body = std::move(*body), .metadata = std::move(metadata)};
  }

  // ---- A new page ----

  /// Nothing when another program is at work on the page.
  std::optional<Result<ServedPage>> renew() {
    if (options_.when_stale == WhenStale::kGenerate) return attempt({});
    isr::Flights& flights = *cache_.flights_;
    const isr::Flights::Joined joined = flights.join(flight_name(), [this] { return work(); });
    const bool at_once = page_ && options_.when_stale == WhenStale::kServeAtOnce;
    bool given_up = false;
    if (options_.when_stale == WhenStale::kWait) {
      // On this thread: a generator that waits for another page must not need a thread that may be waiting, too.
      flights.carry_out(joined.flight);
    } else if (joined.is_new && !flights.launch(joined.flight)) {
      given_up = at_once;
      at_once ? flights.give_up(joined.flight) : flights.carry_out(joined.flight);
    }
    // What carries it out also completes the request, or lets it fail.
    if (joined.is_new && !given_up && request_) request_->is_mine = false;
    if (at_once) return std::move(*page_);
    return wait_for(joined);
  }

  /// Those who have the same request share an attempt; other requests cannot be completed by it.
  [[nodiscard]] std::string flight_name() const {
    std::string name = page_partition(key_);
    if (request_) name.append("/").append(request_->request.id);
    return name;
  }

  [[nodiscard]] isr::Flight::Work work() const {
    return [cache = cache_.without_threads(), key = key_, generate = generate_, options = options_, seen = seen_,
            request = request_](const std::stop_token& closing) mutable {
      options.stale_on_error = true;
      Serving serving(cache, key, generate, options);
      serving.seen_ = seen;
      serving.request_ = request;
      isr::FlightOutcome outcome;
      try {
        outcome.page = serving.attempt(closing);
      } catch (...) {
        outcome.thrown = std::current_exception();
      }
      serving.give_up_request();
      serving.tell(outcome);
      return outcome;
    };
  }

  void tell(const isr::FlightOutcome& outcome) const {
    if (!cache_.options_.on_generated) return;
    if (outcome.thrown) return cache_.options_.on_generated(key_, std::unexpected(thrown_error(outcome.thrown)));
    if (!outcome.page) return;
    const Result<ServedPage>& page = *outcome.page;
    if (!page) return cache_.options_.on_generated(key_, std::unexpected(page.error()));
    if (page->problem) return cache_.options_.on_generated(key_, std::unexpected(*page->problem));
    cache_.options_.on_generated(key_, page->metadata);
  }

  std::optional<Result<ServedPage>> wait_for(const isr::Flights::Joined& joined) {
    const bool for_ever = options_.when_stale == WhenStale::kWait;
    std::optional<isr::FlightOutcome> outcome =
        joined.flight->wait(clock_, for_ever ? std::nullopt : std::optional(give_up_));
    if (!outcome) return too_late();
    if (outcome->thrown) std::rethrow_exception(outcome->thrown);
    if (!outcome->page) return std::nullopt;
    Result<ServedPage>& page = *outcome->page;
    if (!page) return stale_or(page.error());
    if (page->problem && !options_.stale_on_error) return Result<ServedPage>(std::unexpected(*page->problem));
    if (!joined.is_new && page->state == PageState::kRegenerated)
      page->state = is_fresh(page->metadata, cache_.now()) ? PageState::kFresh : PageState::kStale;
    return std::move(page);
  }

  /// Nothing when another program is at work on the page.
  std::optional<Result<ServedPage>> attempt(const std::stop_token& closing) {
    Result<LeaseGuard> guard = cache_.hold(key_);
    if (guard) return regenerate(*guard, closing);
    if (guard.error().code() == Code::kLeaseHeld) return std::nullopt;
    return stale_or(guard.error());
  }

  std::optional<Result<ServedPage>> regenerate(LeaseGuard& guard, const std::stop_token& closing) {
    // Another caller may have published before the lease was acquired.
    const Result<void> looked = look();
    if (!looked) return stale_or(looked.error());
    if (page_ && page_->problem) return stale_or(*page_->problem);
    if (is_renewed()) return std::move(*page_);
    // The request may have been taken over by another caller before the lease was acquired, not after.
    if (request_) {
      const Result<bool> mine = cache_.still_mine(key_, request_->request);
      if (!mine) return stale_or(mine.error());
      request_->is_mine = *mine;
      if (!*mine) return std::nullopt;
    }
    return generate(guard, closing);
  }

  Result<ServedPage> generate(LeaseGuard& guard, const std::stop_token& closing) {
    const std::int64_t generated_at = cache_.now_seconds();
    const JoinedStop stop(guard.lost(), closing);
    Result<GeneratedPage> generated = generate_(stop.token());
    if (!generated) return stale_or(generated.error());
    PublishOptions publish{.generated_at = generated_at};
    if (request_) publish.request = request_->request;
    Result<PageMetadata> published = cache_.publish(guard, key_, *generated, publish);
    if (!published) return after_refusal(published.error());
    published_ = true;
    guard.forget();
    return ServedPage{.state = PageState::kRegenerated, .body = std::move(generated->body), .metadata = *published};
  }

  /// The caller that was faster has probably published.
  Result<ServedPage> after_refusal(const Error& error) {
    if (error.code() == Code::kLeaseNotOwned) {
      Result<std::optional<ServedPage>> now_there = cache_.look(key_);
      if (now_there && *now_there) page_ = std::move(*now_there);
      if (page_ && page_->state == PageState::kFresh) return std::move(*page_);
    }
    return stale_or(error);
  }

  PageCache& cache_;
  const PageKey& key_;
  const GeneratePage& generate_;
  const ServeOptions& options_;
  const LeaseClock& clock_;
  const LeaseClock::Moment give_up_;
  /// The page when it was last read.
  std::optional<ServedPage> page_;
  /// The body's key when it was first read; empty when there was no page.
  std::optional<std::string> seen_;
  std::optional<Begun> request_;
  bool published_ = false;
};

Result<ServedPage> PageCache::serve_or_regenerate(const PageKey& key, const GeneratePage& generate,
                                                  const ServeOptions& options) {
  return Serving(*this, key, generate, options).run();
}

namespace {

/// Answers also when it is destroyed unasked, because the cache has gone.
class PendingPage {
 public:
  explicit PendingPage(Callback<ServedPage> done) : done_(std::move(done)) {}
  ~PendingPage() {
    if (done_) answer(fail(Code::kClosed, "the cache of the page is closed"));
  }
  PendingPage(PendingPage&& other) noexcept : done_(std::exchange(other.done_, {})) {}
  PendingPage& operator=(PendingPage&&) = delete;

  void answer(Result<ServedPage> page) { std::exchange(done_, {})(std::move(page)); }

 private:
  Callback<ServedPage> done_;
};

}  // namespace

/// What the generator throws has no caller to go to, so it is an error.
void PageCache::async_serve_or_regenerate(const PageKey& key, const GeneratePage& generate, const ServeOptions& options,
                                          Callback<ServedPage> done) {
  // The threads end before what they belong to goes, so they need not own it; the last owner must not be one of them.
  PageCache cache = *this;
  cache.flights_ = std::shared_ptr<isr::Flights>(std::shared_ptr<void>(), flights_.get());
  auto pending = std::make_shared<PendingPage>(std::move(done));
  const bool posted = flights_->post([cache, key, generate, options, pending]() mutable {
    try {
      pending->answer(cache.serve_or_regenerate(key, generate, options));
    } catch (...) {
      pending->answer(std::unexpected(thrown_error(std::current_exception())));
    }
  });
  if (!posted)
    pending->answer(
        fail(Code::kThrottled, "{} calls wait for a thread already, which is the most", options_.waiting_max));
}

}  // namespace dolmen
