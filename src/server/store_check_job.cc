#include "server/store_check_job.h"

#include <utility>

#include "base/fail.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

namespace dolmen {

Result<std::string> StoreCheckJob::execute(std::string_view operation, std::string_view body) {
  if (operation == kDescribe) return describe(body);
  DOLMEN_TRY_VOID(ObjectView::request(body, {}));
  return start();
}

Result<std::string> StoreCheckJob::start() {
  if (store_.companions().find<StoreCheck>() == nullptr)
    return fail(Code::kUnsupported, "the store of this server cannot be checked");
  const std::scoped_lock lock(state_mutex_);
  if (running_) return fail(Code::kResourceInUse, "the store is being checked already; it is check {}", id_);
  running_ = true;
  ++id_;
  doing_.clear();
  rows_ = 0;
  result_.reset();
  if (!worker_.run([this] { run(); })) {
    running_ = false;
    return fail(Code::kThrottled, "the server is stopping");
  }
  return object_text([&](ObjectWriter& object) { object.text("CheckId", std::to_string(id_)); });
}

void StoreCheckJob::run() {
  Result<StoreCheckReport> result =
      store_.companions().find<StoreCheck>()->check_store([this](std::string_view doing, std::uint64_t rows) {
        const std::scoped_lock lock(state_mutex_);
        doing_ = doing;
        rows_ = rows;
        return !stopping_;
      });
  const std::scoped_lock lock(state_mutex_);
  running_ = false;
  result_ = std::move(result);
}

Result<std::string> StoreCheckJob::describe(std::string_view body) const {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"CheckId"}));
  DOLMEN_TRY(const std::string id, request.text("CheckId"));
  const std::scoped_lock lock(state_mutex_);
  if (id_ == 0 || id != std::to_string(id_))
    return fail(Code::kResourceNotFound, "there is no check \"{}\"; only the last one is remembered", id);
  return object_text([&](ObjectWriter& object) {
    object.text("CheckId", id);
    if (!result_) {
      object.text("Status", "RUNNING").text("Doing", doing_).number("Rows", rows_);
      return;
    }
    if (!*result_) {
      object.text("Status", "FAILED").text("Message", result_->error().message());
      return;
    }
    const StoreCheckReport& report = **result_;
    object.text("Status", "DONE")
        .number("Files", report.files)
        .number("Tables", report.tables)
        .number("Items", report.items)
        .number("IndexRows", report.index_rows)
        .number("Vectors", report.vectors)
        .number("ExpiryRows", report.expiry_rows)
        .number("StreamRecords", report.stream_records)
        .number("HistoryRows", report.history_rows)
        .number("ProblemCount", report.problem_count)
        .texts("Problems", report.problems);
  });
}

void StoreCheckJob::stop() {
  {
    const std::scoped_lock lock(state_mutex_);
    stopping_ = true;
  }
  worker_.stop_soon();
}

}  // namespace dolmen
