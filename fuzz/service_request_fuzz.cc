// Whole requests: the body of any operation goes through the checks of its JSON, of its shapes and of its parameters
// into the engine, in memory. The answer is always JSON and never an internal error.
//
// An input is a list of requests, one per line: a letter that names the operation, from A on in the order of the list
// below, then the body. They use the same few tables with a few items. The changes of one input are undone before the
// next.
#include <algorithm>
#include <future>
#include <iterator>
#include <simdjson.h>

#include "embedded/embedded.h"
#include "fuzz/fuzz.h"
#include "protocol/errors.h"
#include "service/service.h"
#include "wire/operations.h"

using namespace dolmen;

namespace {

constexpr std::string_view kOperations[] = {"PutItem",
                                            "GetItem",
                                            "UpdateItem",
                                            "DeleteItem",
                                            "Query",
                                            "Scan",
                                            "BatchGetItem",
                                            "BatchWriteItem",
                                            "TransactGetItems",
                                            "TransactWriteItems",
                                            "CreateTable",
                                            "DeleteTable",
                                            "ListTables",
                                            "DescribeTable",
                                            "ListStreams",
                                            "DescribeStream",
                                            "GetShardIterator",
                                            "GetRecords",
                                            "UpdateTable",
                                            "UpdateTimeToLive",
                                            "TagResource",
                                            "UntagResource",
                                            "ListTagsOfResource",
                                            "DescribeTimeToLive",
                                            "ExecuteStatement",
                                            "BatchExecuteStatement",
                                            "ExecuteTransaction",
                                            "PutResourcePolicy",
                                            "GetResourcePolicy",
                                            "DeleteResourcePolicy",
                                            "UpdateContributorInsights",
                                            "DescribeContributorInsights",
                                            "ListContributorInsights",
                                            "EnableKinesisStreamingDestination",
                                            "DisableKinesisStreamingDestination",
                                            "UpdateKinesisStreamingDestination",
                                            "UpdateTableReplicaAutoScaling"};
constexpr std::string_view kStreamOperations[] = {"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"};

constexpr std::string_view kTables[] = {
    R"({"TableName":"strings","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
        "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})",
    R"({"TableName":"pairs","BillingMode":"PAY_PER_REQUEST",
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
        "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},
                                {"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"}],
        "LocalSecondaryIndexes":[{"IndexName":"local","Projection":{"ProjectionType":"KEYS_ONLY"},
          "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}]}],
        "GlobalSecondaryIndexes":[{"IndexName":"global","Projection":{"ProjectionType":"ALL"},
          "KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}]}]})"};

constexpr std::string_view kItems = R"({"RequestItems":{
    "strings":[{"PutRequest":{"Item":{"pk":{"S":"a"},"l":{"L":[{"N":"1"},{"S":"x"}]},"m":{"M":{"a":{"N":"1"}}}}}}],
    "pairs":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"1"},"a":{"S":"x"},"b":{"N":"2"},"ss":{"SS":["p","q"]}}}},
             {"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"2"},"a":{"S":"y"}}}},
             {"PutRequest":{"Item":{"pk":{"S":"b"},"sk":{"N":"-1"},"b":{"N":"0"}}}}]}})";

/// The service under test, and the tables of every input.
class Subject {
 public:
  Result<std::string> answer(std::string_view operation, std::string_view body) {
    std::promise<Result<std::string>> answered;
    const wire::Account account;
    const wire::Backend backend{.service = store_->service(), .account = account};
    const bool of_streams = std::ranges::find(kStreamOperations, operation) != std::end(kStreamOperations);
    const auto interface = of_streams ? wire::Interface::kStreams : wire::Interface::kTables;
    wire::execute(interface, operation, body, backend,
                  [&](Result<std::string> result) { answered.set_value(std::move(result)); });
    return answered.get_future().get();
  }

  /// Makes the tables again when the last input changed something.
  void prepare() {
    if (!std::exchange(changed_, false)) return;
    for (const std::string& name : names()) remove(name);
    // An input may have protected its tables.
    if (!names().empty()) store_ = opened();
    for (const std::string_view table : kTables)
      DOLMEN_CHECK(answer("CreateTable", table).has_value(), "the tables can be made");
    DOLMEN_CHECK(answer("BatchWriteItem", kItems).has_value(), "the items can be put");
  }

  void note_change() { changed_ = true; }

 private:
  static std::unique_ptr<Store> opened() { return open_embedded_store({.durability = Durability::kMemory}).value(); }

  std::vector<std::string> names() { return store_->list_tables().value().names; }

  void remove(const std::string& name) { static_cast<void>(store_->delete_table(name)); }

  std::unique_ptr<Store> store_ = opened();
  bool changed_ = true;
};

bool is_json(const std::string& text) {
  thread_local simdjson::dom::parser parser;
  return parser.parse(text).error() == simdjson::SUCCESS;
}

void check_request(Subject& subject, std::string_view line) {
  const std::string_view operation =
      kOperations[(static_cast<unsigned char>(line.front()) + 256U - 'A') % 256U % std::size(kOperations)];
  const Result<std::string> answer = subject.answer(operation, line.substr(1));
  if (answer) {
    DOLMEN_CHECK(answer->empty() || is_json(*answer), "a response is JSON, or nothing");
    const bool reads = operation.starts_with("Get") || operation == "Query" || operation == "Scan" ||
                       operation.find("Get") != std::string_view::npos || operation.starts_with("List") ||
                       operation.starts_with("Describe");
    if (!reads) subject.note_change();
    return;
  }
  DOLMEN_CHECK(wire_error(answer.error().code()).status < 500, "no request is the server's fault");
  DOLMEN_CHECK(is_json(error_body(answer.error())), "an error is JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Subject subject;  // Destroyed before the libraries are: its threads use them.
  subject.prepare();
  std::string_view input = fuzz_input(data, size);
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    if (end > 0) check_request(subject, input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return 0;
}
