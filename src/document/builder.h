#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "document/index_set.h"
#include "document/published.h"
#include "document/rows.h"

namespace dolmen::document {

/// Builds indexes, on a thread of its own or on the caller's. Writers keep an index from the moment it is declared, so
/// only documents that were there before have to be added: each is checked against its schema and put into the index on
/// condition that it has not changed meanwhile. A build that is interrupted begins again.
class IndexBuilder {
 public:
  IndexBuilder(const Rows& rows, Published& published, IndexSets& indexes);
  /// Stops between two pages of documents.
  ~IndexBuilder();
  IndexBuilder(const IndexBuilder&) = delete;
  IndexBuilder& operator=(const IndexBuilder&) = delete;

  /// Checks every stored document that an unfinished index concerns, changing nothing, and then builds those indexes.
  /// Fails with kCorruption when a document does not fit its schema.
  Result<void> finish_interrupted();

  /// Builds in the background.
  void start(SchemaRef ref, std::string field);
  /// Waits until nothing is being built.
  Result<void> wait();

 private:
  struct Job {
    SchemaRef ref;
    std::string field;
  };
  using Page = std::function<Result<void>(const Schema& schema, const std::vector<Row>& rows)>;

  void run(const std::stop_token& stop);
  Result<void> build(const Job& job, const std::stop_token& stop);
  Result<void> walk(const SchemaRef& ref, const std::stop_token& stop, const Page& use);
  Result<void> add_page(const Schema& schema, const std::string& field, const std::vector<Row>& rows);

  const Rows& rows_;
  Published& published_;
  IndexSets& indexes_;
  std::mutex jobs_mutex_;  ///< Guards the next three.
  std::deque<Job> jobs_;
  bool working_ = false;
  Result<void> last_ = {};
  std::condition_variable_any changed_;
  std::jthread thread_;  ///< Last: it uses all the others.
};

}  // namespace dolmen::document
