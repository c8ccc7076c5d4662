#include "cli/doctor.h"

#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/fail.h"
#include "cli/check_files.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/progress_line.h"
#include "cli/response.h"
#include "cli/table_exam.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "server/top_keys.h"
#include "service/dolmen_calls.h"
#include "service/wait.h"
#include "transfer/plain_json.h"

namespace dolmen::cli {
namespace {

/// So many changes of a stream are counted, and so many keys.
constexpr std::uint64_t kChangesMax = 1'000'000;
constexpr std::size_t kKeysCounted = 100'000;

struct DoctorFlags {
  StoreFlags store;
  std::vector<std::string> tables;
  std::uint64_t limit = 0;
  bool json = false;
};

struct Diagnosis {
  std::string table;
  std::uint64_t items = 0;
  std::vector<Finding> findings = {};
};

void append_findings(std::vector<Finding>& all, std::vector<Finding> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Result<std::vector<std::string>> tables_to_see(Store& store, const DoctorFlags& flags) {
  if (!flags.tables.empty()) return flags.tables;
  std::vector<std::string> names;
  ListTables request;
  do {
    DOLMEN_TRY(const TableNamePage page, store.list_tables(request));
    names.insert(names.end(), page.names.begin(), page.names.end());
    request.after = page.last_name;
  } while (request.after);
  return names;
}

/// How often partitions were used, as a server counts it while Contributor Insights are enabled; nothing when it does
/// not.
std::optional<KeyUse> counted_use(Store& store, const std::string& table, const std::optional<std::string>& index) {
  auto* calls = store.companions().find<DolmenCalls>();
  if (calls == nullptr) return std::nullopt;
  const std::string body = object_text([&](ObjectWriter& object) {
    object.text("TableName", table);
    if (index) object.text("IndexName", *index);
  });
  const Result<std::string> answer =
      wait_for<std::string>([&](Done<std::string> done) { calls->call(kDescribeTopKeys, body, std::move(done)); });
  if (!answer) return std::nullopt;
  const Result<ObjectView> top = ObjectView::response(*answer);
  if (!top) return std::nullopt;
  const auto number = [](const std::string& text) {
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
  };
  KeyUse use{.total = number(top->shown("Total"))};
  for (const ObjectView& key : objects_in(*top, "PartitionKeys"))
    use.count_by_key[key.shown("Key")] = number(key.shown("Count"));
  return use;
}

/// How often partitions were changed in the last 24 hours; nothing when the table has no stream.
Result<std::optional<KeyUse>> changes_of(Store& store, const TableDefinition& table) {
  if (!table.stream) return std::optional<KeyUse>();
  KeyUse use;
  for (const Result<StreamRecord>& record :
       store.stream(table.name, {.start = StreamStart::kOldest, .wait = std::chrono::milliseconds(0)})) {
    if (!record) return std::unexpected(record.error());
    if (++use.total > kChangesMax) break;
    Item key;
    key.set(table.partition_key.name, record->key.at(table.partition_key.name));
    std::string text = transfer::plain_text(key);
    if (use.count_by_key.size() < kKeysCounted || use.count_by_key.contains(text)) ++use.count_by_key[std::move(text)];
  }
  return std::optional(std::move(use));
}

Result<void> examine_items(Store& store, const TableDescription& table, const DoctorFlags& flags, TableExam& exam) {
  ProgressLine line(table.definition.name, flags.json);
  ScanOptions scan;
  do {
    DOLMEN_TRY(const Page page, store.scan_page(table.definition.name, scan));
    for (const Item& item : page.items) {
      if (flags.limit > 0 && exam.items() >= flags.limit) return {};
      exam.look_at(item);
    }
    line.show({.items = exam.items(), .done = exam.items(), .whole = table.extent.item_count});
    scan.start_after = page.last_key;
  } while (scan.start_after);
  return {};
}

Result<Diagnosis> examine(Store& store, const TableDescription& table, const DoctorFlags& flags) {
  const TableDefinition& definition = table.definition;
  Diagnosis diagnosis{.table = definition.name, .findings = definition_findings(table)};
  DOLMEN_TRY(const TimeToLive ttl, store.describe_time_to_live(definition.name));
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(system_clock().now().time_since_epoch());
  TableExam exam(definition, {.ttl = ttl.attribute, .now_seconds = now.count()});
  DOLMEN_TRY_VOID(examine_items(store, table, flags, exam));
  append_findings(diagnosis.findings, exam.findings());
  diagnosis.items = exam.items();
  if (const std::optional<KeyUse> use = counted_use(store, definition.name, std::nullopt)) {
    append_findings(diagnosis.findings, use_findings(*use, "uses that the server has counted"));
  } else {
    DOLMEN_TRY(const std::optional<KeyUse> changes, changes_of(store, definition));
    if (changes) append_findings(diagnosis.findings, use_findings(*changes, "changes of the last 24 hours"));
  }
  for (const IndexDefinition& index : definition.global_indexes)
    if (const std::optional<KeyUse> use = counted_use(store, definition.name, index.name); use && use->total == 0)
      diagnosis.findings.push_back(
          {.kind = "unused-index",
           .message = fmt::format("index \"{}\" has not been used since the server counts it", index.name)});
  return diagnosis;
}

LogicalItem finding_object(const std::string& table, const Finding& finding) {
  LogicalItem object{{"table", table}, {"kind", finding.kind}, {"message", finding.message}};
  if (!finding.example.empty()) object["example"] = finding.example;
  return object;
}

int print_diagnoses(const std::vector<Diagnosis>& diagnoses, bool json) {
  std::size_t findings = 0;
  std::uint64_t items = 0;
  LogicalValue::List list;
  for (const Diagnosis& diagnosis : diagnoses) {
    items += diagnosis.items;
    findings += diagnosis.findings.size();
    for (const Finding& finding : diagnosis.findings) {
      if (json)
        list.emplace_back(finding_object(diagnosis.table, finding));
      else
        fmt::print("{}: {}: {}{}\n", diagnosis.table, finding.kind, finding.message,
                   finding.example.empty() ? "" : fmt::format(" (such as {})", finding.example));
    }
  }
  if (json)
    print_json(LogicalItem{{"tables", diagnoses.size()}, {"items", items}, {"findings", std::move(list)}});
  else
    fmt::print("{}, {} read: {}\n", counted(diagnoses.size(), "table", "tables"), counted(items, "item", "items"),
               findings == 0 ? "nothing to worry about" : counted(findings, "finding", "findings"));
  return findings == 0 ? kDone : kFailed;
}

Result<int> run_doctor(const DoctorFlags& flags) {
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_store(flags.store));
  DOLMEN_TRY(const std::vector<std::string> names, tables_to_see(*store, flags));
  std::vector<Diagnosis> diagnoses;
  for (const std::string& name : names) {
    DOLMEN_TRY(const TableDescription table, described_table(*store, flags.store, name));
    DOLMEN_TRY(Diagnosis diagnosis, examine(*store, table, flags));
    diagnoses.push_back(std::move(diagnosis));
  }
  return print_diagnoses(diagnoses, flags.json);
}

}  // namespace

void add_doctor(const Verb& program) {
  auto flags = std::make_shared<DoctorFlags>();
  const Verb verb = program.verb("doctor", "Read tables and say what will hurt; fails when there is something");
  verb.arguments("TABLE", flags->tables, "Tables to look at; all by default");
  verb.number("--limit", flags->limit, "Read at most so many items of each table; 0 means all", {0, 1'000'000'000'000});
  verb.flag("--json", flags->json, "Print JSON");
  add_store_flags(verb, flags->store);
  verb.runs([flags]() -> int {
    const Result<int> done = run_doctor(*flags);
    return done ? *done : report(done.error(), flags->json);
  });
}

}  // namespace dolmen::cli
