#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "document/index_set.h"
#include "document/published.h"
#include "document/rows.h"

namespace dolmen::document {

/// Builds and drops indexes, on its own thread or on the caller's. Writers maintain an index from the moment it is
/// declared, so only earlier documents have to be added: each is checked against its schema and put into the index on
/// condition that it has not changed meanwhile. A step that fails temporarily is repeated after increasing pauses; when
/// it has failed limits::kBuildAttempts times, building stops until it is requested again. An interrupted build starts
/// from the beginning.
class IndexBuilder {
 public:
  /// `sleep` may be empty; the destructor then ends a pause.
  IndexBuilder(const Rows& rows, Published& published, IndexSets& indexes, Sleep sleep);
  /// Stops between two pages of documents.
  ~IndexBuilder();
  IndexBuilder(const IndexBuilder&) = delete;
  IndexBuilder& operator=(const IndexBuilder&) = delete;

  /// Checks every stored document that an unfinished index concerns, changing nothing, and then builds those indexes.
  /// Fails with kCorruption when a document does not fit its schema.
  Result<void> finish_interrupted();

  /// Checks that every stored document can be in an index on the field, and changes nothing. Fails with kCorruption or
  /// kSchemaValidationFailed.
  Result<void> check(const SchemaRef& ref, const std::string& field);
  /// Builds or drops an index in the background, as its state asks.
  void start(SchemaRef ref, std::string field);
  /// True while the index waits for what `start` does, or that is being done.
  bool is_at_work(const SchemaRef& ref, const std::string& field);
  /// Why building the index has stopped; empty when it has not.
  std::string failure_of(const SchemaRef& ref, const std::string& field);
  /// Waits until no index is being built. Fails when building any index has stopped; see build_failure.
  Result<void> wait();

 private:
  struct Job {
    SchemaRef ref;
    std::string field;

    friend auto operator<=>(const Job&, const Job&) = default;
  };
  using Page = std::function<Result<void>(const Schema& schema, const std::vector<Row>& rows)>;

  void run(const std::stop_token& stop);
  /// Calls `step` until it succeeds, fails permanently, or has been tried kBuildAttempts times.
  Result<void> patiently(const std::stop_token& stop, const std::function<Result<void>()>& step);
  Result<void> carry_out(const Job& job, const std::stop_token& stop);
  Result<void> build(const SchemaRef& ref, const DeclaredIndex& index, const std::stop_token& stop);
  /// Removes all entries of an index.
  Result<void> clear(const SchemaRef& ref, const DeclaredIndex& index, const std::stop_token& stop);
  Result<void> walk(const SchemaRef& ref, const std::stop_token& stop, const Page& use);
  Result<void> add_page(const Schema& schema, const DeclaredIndex& index, const std::vector<Row>& rows);

  const Rows& rows_;
  Published& published_;
  IndexSets& indexes_;
  const Sleep sleep_;
  std::mutex jobs_mutex_;  ///< Guards the next three members.
  std::deque<Job> jobs_;
  std::optional<Job> at_work_;
  std::map<Job, Error> failures_;
  std::condition_variable_any changed_;
  std::jthread thread_;  ///< Last, because it uses all other members.
};

/// One error for all indexes whose building or dropping has stopped, of which there must be at least one: the code of
/// the first, and a detail for each with the index as its path.
Error build_failure(const std::vector<std::pair<std::string, Error>>& failures);

}  // namespace dolmen::document
