#include "cli/verify.h"

#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/sleep.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/progress_line.h"
#include "cli/store_flags.h"
#include "dolmen/remote.h"
#include "embedded/check.h"
#include "embedded/repair.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "service/dolmen_calls.h"
#include "service/wait.h"

namespace dolmen::cli {
namespace {

/// How often a server is asked how far it is.
constexpr std::chrono::milliseconds kBetweenQuestions{200};

struct VerifyFlags {
  StoreFlags store;
  bool json = false;
};

struct RepairFlags {
  std::string from;
  std::string to;
  bool json = false;
};

StoreCheck::Progress shown_on(ProgressLine& line) {
  return [&line](std::string_view /*doing*/, std::uint64_t rows) {
    line.show({.items = rows});
    return true;
  };
}

std::uint64_t check_number(const ObjectView& object, std::string_view name) {
  const std::string text = object.shown(name);
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Result<std::string> ask_server(DolmenCalls& server, std::string_view operation, const std::string& body) {
  Result<std::string> answer =
      wait_for<std::string>([&](Done<std::string> done) { server.call(operation, body, std::move(done)); });
  if (!answer && answer.error().code() == Code::kUnknownOperation)
    return fail(Code::kUnsupported, "the server at the endpoint does not check its store; use a Dolmen server");
  return answer;
}

Result<StoreCheckReport> report_of(const ObjectView& answer) {
  StoreCheckReport report{.files = check_number(answer, "Files"),
                          .tables = check_number(answer, "Tables"),
                          .items = check_number(answer, "Items"),
                          .index_rows = check_number(answer, "IndexRows"),
                          .vectors = check_number(answer, "Vectors"),
                          .expiry_rows = check_number(answer, "ExpiryRows"),
                          .stream_records = check_number(answer, "StreamRecords"),
                          .history_rows = check_number(answer, "HistoryRows"),
                          .problem_count = check_number(answer, "ProblemCount")};
  DOLMEN_TRY(const std::vector<std::string_view> problems, answer.list("Problems"));
  for (const std::string_view problem : problems) {
    // An object of one member reads the characters of a text.
    const std::string wrapped = fmt::format("{{\"Text\":{}}}", problem);
    DOLMEN_TRY(const ObjectView one, ObjectView::response(wrapped));
    report.problems.push_back(one.shown("Text"));
  }
  return report;
}

Result<StoreCheckReport> check_at_server(const std::string& endpoint, ProgressLine& line) {
  if (!endpoint.starts_with("http://") && !endpoint.starts_with("https://"))
    return fail(Code::kInvalidArgument, "--endpoint: \"{}\" is not the address of a Dolmen server", endpoint);
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_remote({.endpoint = endpoint}));
  auto* server = store->companions().find<DolmenCalls>();
  DOLMEN_TRY(const std::string begun, ask_server(*server, "StartStoreCheck", "{}"));
  DOLMEN_TRY(const ObjectView check, ObjectView::response(begun));
  const std::string body = object_text([&](ObjectWriter& object) { object.text("CheckId", check.shown("CheckId")); });
  for (;;) {
    DOLMEN_TRY(const std::string text, ask_server(*server, "DescribeStoreCheck", body));
    DOLMEN_TRY(const ObjectView answer, ObjectView::response(text));
    const std::string status = answer.shown("Status");
    if (status == "DONE") return report_of(answer);
    if (status != "RUNNING") return fail(Code::kCanceled, "the check has ended: {}", answer.shown("Message"));
    line.show({.items = check_number(answer, "Rows")});
    sleep_for(kBetweenQuestions);
  }
}

LogicalItem check_item(const StoreCheckReport& report) {
  LogicalValue::List problems;
  for (const std::string& problem : report.problems) problems.emplace_back(problem);
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  return {{"whole", report.problem_count == 0},
          {"files", number(report.files)},
          {"tables", number(report.tables)},
          {"items", number(report.items)},
          {"index_rows", number(report.index_rows)},
          {"vectors", number(report.vectors)},
          {"expiry_rows", number(report.expiry_rows)},
          {"stream_records", number(report.stream_records)},
          {"history_rows", number(report.history_rows)},
          {"problem_count", number(report.problem_count)},
          {"problems", problems}};
}

void print_report(const StoreCheckReport& report, const std::string& name) {
  for (const std::string& problem : report.problems) fmt::print("{}\n", problem);
  if (report.problem_count > report.problems.size())
    fmt::print("... and {} more problems\n", report.problem_count - report.problems.size());
  fmt::print(
      "{} {}: {} tables, {} items, {} rows of indexes, {} vectors, {} times to live, {} records of streams, {} "
      "rows of history, {} files\n",
      name, report.problem_count == 0 ? "is whole" : "is damaged", grouped_digits(report.tables),
      grouped_digits(report.items), grouped_digits(report.index_rows), grouped_digits(report.vectors),
      grouped_digits(report.expiry_rows), grouped_digits(report.stream_records), grouped_digits(report.history_rows),
      grouped_digits(report.files));
}

Result<StoreCheckReport> check_existing(const std::string& directory, ProgressLine& line) {
  DOLMEN_TRY_VOID(check_that_store_exists(directory));
  return check_directory(directory, shown_on(line), table_keys_file());
}

int verify(const VerifyFlags& given) {
  const StoreFlags flags = with_environment(given.store);
  const bool remote = !flags.endpoint.empty();
  Result<StoreCheckReport> found = [&] {
    ProgressLine line(store_name(flags), given.json);
    return remote ? check_at_server(flags.endpoint, line) : check_existing(flags.data, line);
  }();
  if (!found) {
    report(found.error(), given.json);
    return kFailed;
  }
  if (given.json) {
    if (!print_json(check_item(*found))) return kFailed;
  } else {
    print_report(*found, store_name(flags));
  }
  return found->problem_count == 0 ? kDone : kFailed;
}

int repair(const RepairFlags& flags) {
  Result<RepairReport> made = [&] {
    ProgressLine line(flags.to, flags.json);
    return repair_directory(flags.from, flags.to, shown_on(line), table_keys_file());
  }();
  if (!made) return report(made.error(), flags.json);
  const bool whole = made->check.problem_count == 0;
  if (flags.json) {
    LogicalValue::List losses;
    for (const std::string& loss : made->losses) losses.emplace_back(loss);
    const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    const bool printed = print_json(LogicalItem{{"from", flags.from},
                                                {"to", flags.to},
                                                {"tables", number(made->tables)},
                                                {"items", number(made->items)},
                                                {"stream_records", number(made->stream_records)},
                                                {"losses", losses},
                                                {"check", check_item(made->check)}});
    return printed && whole ? kDone : kFailed;
  }
  for (const std::string& loss : made->losses) fmt::print("{}\n", loss);
  fmt::print("saved {} tables, {} items and {} records of streams to {}; {}\n", grouped_digits(made->tables),
             grouped_digits(made->items), grouped_digits(made->stream_records), flags.to,
             made->losses.empty() ? "nothing is known to be lost" : "what is lost stands above");
  print_report(made->check, flags.to);
  return whole ? kDone : kFailed;
}

}  // namespace

void add_verify_and_repair(const Verb& program) {
  auto checking = std::make_shared<VerifyFlags>();
  const Verb verb = program.verb(
      "verify",
      "Check a whole store: files, indexes, vectors, streams, times to live and counts; fails when it is damaged or "
      "cannot be checked");
  const Option data =
      verb.text("--data", checking->store.data, "Directory of a store that no server has open; it is not changed")
          .shown_as("DIR")
          .not_empty();
  const Option endpoint =
      verb.text("--endpoint", checking->store.endpoint, "Running server, which is checked while it serves")
          .shown_as("URL")
          .not_empty();
  data.not_with(endpoint);
  checking->store.data_option = data;
  checking->store.endpoint_option = endpoint;
  verb.flag("--json", checking->json, "Print JSON, also for errors");
  verb.runs([checking] { return verify(*checking); });

  auto repairing = std::make_shared<RepairFlags>();
  const Verb mending =
      program.verb("repair", "Make a new store of everything that can be read of a damaged one, and say what is lost");
  mending.text("DIR", repairing->from, "Data directory of the damaged store, which is only read")
      .required()
      .not_empty();
  mending.text("NEW", repairing->to, "Directory of the new store, missing or empty").required().not_empty();
  mending.flag("--json", repairing->json, "Print JSON, also for errors");
  mending.runs([repairing] { return repair(*repairing); });
}

}  // namespace dolmen::cli
