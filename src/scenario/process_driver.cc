#include "scenario/process_driver.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/base64.h"
#include "base/fail.h"
#include "scenario/fields.h"

namespace dolmen::scenario {

namespace {

constexpr std::int64_t kProtocol = 1;

/// Only the runner needs these.
constexpr std::string_view kOfTheRunner[] = {"expect", "description", "save", "save_cursor", "cursor"};
/// What an answer may have.
constexpr std::string_view kOfAnswers[] = {"id",    "name",   "capabilities", "item",       "items",
                                           "count", "cursor", "error",        "unsupported"};

std::unexpected<Error> unexpected_answer(std::string_view why) {
  return fail(Code::kUnexpectedResponse, "the answer of the driver is not in the protocol: {}", why);
}

/// Numbers of attributes are sent as texts, so that no reader of JSON rounds them.
LogicalValue number_texts(const LogicalValue& value) {
  if (const LogicalNumber* number = value.get_if<LogicalNumber>()) return number->text;
  const LogicalValue::List* list = value.get_if<LogicalValue::List>();
  if (list == nullptr) return value;
  LogicalValue::List texts;
  for (const LogicalValue& member : *list) texts.push_back(number_texts(member));
  return texts;
}

LogicalValue sent_value(const Model& model, const std::string& attribute, const LogicalValue& value) {
  const ModelAttribute* declared = model.find(attribute);
  if (declared == nullptr || (declared->type != Type::kNumber && declared->type != Type::kNumberSet)) return value;
  return number_texts(value);
}

LogicalValue sent_item(const Model& model, const LogicalValue& value) {
  const LogicalItem* item = value.get_if<LogicalItem>();
  if (item == nullptr) return value;
  LogicalItem sent;
  for (const auto& [name, attribute] : *item) sent.emplace(name, sent_value(model, name, attribute));
  return sent;
}

/// A comparison, a group of them, or a list.
LogicalValue sent_condition(const Model& model, const LogicalValue& value) {
  if (const LogicalValue::List* list = value.get_if<LogicalValue::List>()) {
    LogicalValue::List sent;
    for (const LogicalValue& part : *list) sent.push_back(sent_condition(model, part));
    return sent;
  }
  const LogicalItem* map = value.get_if<LogicalItem>();
  if (map == nullptr) return value;
  LogicalItem sent = *map;
  const std::string field = text_of(*map, "field").value_or("");
  for (auto& [name, part] : sent) {
    if (name == "and" || name == "or" || name == "not") part = sent_condition(model, part);
    if (name == "value" || name == "values") part = sent_value(model, field, part);
  }
  return sent;
}

LogicalItem sent_step(const LogicalItem& step, World& world);

LogicalValue sent_list(const LogicalValue& value, const auto& form) {
  const LogicalValue::List* list = value.get_if<LogicalValue::List>();
  if (list == nullptr) return value;
  LogicalValue::List sent;
  for (const LogicalValue& element : *list) sent.push_back(form(element));
  return sent;
}

LogicalValue sent_part(const std::string& name, const LogicalValue& value, const Model& model, World& world) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  const auto item = [&](const LogicalValue& each) { return sent_item(model, each); };
  if (is_one_of({"item", "key", "set", "set_if_not_exists", "add", "delete", "append", "prepend"})) return item(value);
  if (is_one_of({"keys", "puts", "deletes"})) return sent_list(value, item);
  if (is_one_of({"condition", "filter", "sort_key"})) return sent_condition(model, value);
  if (is_one_of({"actions", "gets"}))
    return sent_list(value, [&](const LogicalValue& each) -> LogicalValue {
      const LogicalItem* map = each.get_if<LogicalItem>();
      return map == nullptr ? each : LogicalValue(sent_step(*map, world));
    });
  return value;
}

/// A step, or an action of a transaction, as the driver sees it.
LogicalItem sent_step(const LogicalItem& step, World& world) {
  const Result<ModelTable*> table = world.table_for(step);
  if (!table) return step;
  const Model& model = (*table)->model();
  LogicalItem sent;
  for (const auto& [name, value] : step)
    if (std::ranges::find(kOfTheRunner, name) == std::end(kOfTheRunner))
      sent.emplace(name, sent_part(name, value, model, world));
  sent.emplace("model", model.name);
  return sent;
}

/// The key of the item that a step is about.
Result<LogicalItem> key_of(const LogicalItem& step, const Model& model) {
  return item_of(step, find(step, "key") == nullptr ? "item" : "key", model);
}

Result<Failure> failure_in(const LogicalItem& answer) {
  DOLMEN_TRY(const LogicalItem error, map_of(answer, "error"));
  Failure failure;
  if (find(error, "names") != nullptr) {
    DOLMEN_TRY(failure.names, names_of(error, "names"));
  } else {
    DOLMEN_TRY(failure.names.emplace_back(), text_of(error, "name"));
  }
  if (failure.names.empty()) return unexpected_answer("an error has no name");
  if (find(error, "message") != nullptr) {
    DOLMEN_TRY(failure.message, text_of(error, "message"));
  }
  DOLMEN_TRY(const std::optional<std::int64_t> action, optional_integer_of(error, "failed_action"));
  if (action && *action >= 0) failure.failed_action = static_cast<std::size_t>(*action);
  return failure;
}

Result<Outcome> outcome_in(const LogicalItem& answer, const Model& model) {
  Outcome outcome{};
  if (find(answer, "unsupported") != nullptr) {
    DOLMEN_TRY(outcome.unsupported.emplace(), text_of(answer, "unsupported"));
    return outcome;
  }
  if (find(answer, "error") != nullptr) {
    DOLMEN_TRY(outcome.failure.emplace(), failure_in(answer));
    return outcome;
  }
  if (const LogicalValue* item = find(answer, "item"); item != nullptr && !item->is_null()) {
    DOLMEN_TRY(outcome.item.emplace(), item_of(answer, "item", model));
  }
  DOLMEN_TRY(outcome.items, items_of(answer, "items", model));
  DOLMEN_TRY(outcome.count, optional_integer_of(answer, "count"));
  if (const LogicalValue* cursor = find(answer, "cursor"); cursor != nullptr && !cursor->is_null()) {
    DOLMEN_TRY(outcome.cursor, text_of(answer, "cursor"));
  }
  return outcome;
}

/// An answer with a mistake is the driver's fault, not the scenario's.
template <class T>
Result<T> checked_answer(Result<T> read) {
  if (read || read.error().code() == Code::kUnexpectedResponse) return read;
  return unexpected_answer(read.error().message());
}

}  // namespace

Result<std::unique_ptr<ProcessDriver>> ProcessDriver::start(ProcessDriverOptions options) {
  DOLMEN_TRY(std::unique_ptr<ChildProcess> process, ChildProcess::start(options.command));
  std::unique_ptr<ProcessDriver> driver(new ProcessDriver(std::move(options), std::move(process)));
  DOLMEN_TRY_VOID(driver->greet());
  return driver;
}

Result<LogicalItem> ProcessDriver::ask(LogicalItem request) {
  request.insert_or_assign("id", ++last_id_);
  DOLMEN_TRY(std::string line, canonical_json(request));
  DOLMEN_TRY_VOID(process_->send_line(std::move(line)));
  DOLMEN_TRY(const std::string text, process_->receive_line(options_.timeout));
  const Result<LogicalValue> value = parse_json(text);
  const LogicalItem* answer = value ? value->get_if<LogicalItem>() : nullptr;
  if (answer == nullptr) return unexpected_answer(value ? "it is not an object" : value.error().message());
  for (const auto& [name, part] : *answer)
    if (std::ranges::find(kOfAnswers, name) == std::end(kOfAnswers))
      return unexpected_answer(fmt::format("\"{}\" is not known", name));
  if (integer_of(*answer, "id").value_or(-1) != last_id_)
    return unexpected_answer(fmt::format("its id is not {}", last_id_));
  return *answer;
}

Result<void> ProcessDriver::greet() {
  DOLMEN_TRY(const LogicalItem answer,
             ask({{"op", "hello"}, {"protocol", kProtocol}, {"endpoint", options_.endpoint}}));
  DOLMEN_TRY(name_, checked_answer(text_of(answer, "name")));
  DOLMEN_TRY(capabilities_, checked_answer(names_of(answer, "capabilities")));
  return {};
}

Result<void> ProcessDriver::begin(const Scenario& scenario, const World& world) {
  LogicalValue::List models;
  for (const LogicalItem& model : options_.models) models.emplace_back(model);
  LogicalItem request{
      {"op", "begin"}, {"scenario", scenario.name}, {"table", world.table_name()}, {"models", std::move(models)}};
  if (scenario.key_seed)
    request.emplace("encryption", LogicalItem{{"provider", "deterministic"}, {"seed", *scenario.key_seed}});
  DOLMEN_TRY(const LogicalItem answer, ask(std::move(request)));
  DOLMEN_TRY(const Outcome outcome, checked_answer(outcome_in(answer, Model())));
  if (outcome.unsupported) return fail(Code::kUnsupported, "{}", *outcome.unsupported);
  if (outcome.failure) return fail(Code::kInvalidArgument, "the driver cannot begin: {}", outcome.failure->message);
  return {};
}

Result<Outcome> ProcessDriver::carry_out(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  const Model& model = table->model();
  LogicalItem request = sent_step(step, world);
  if (find(step, "partition") != nullptr) {
    const Result<LogicalValue> partition = partition_of(step, model);
    if (!partition) return Outcome{.failure = Failure::of(partition.error())};
    const Bytes* bytes = partition->get_if<Bytes>();
    request.insert_or_assign("partition",
                             bytes == nullptr ? number_texts(*partition) : LogicalValue(encode_base64(bytes->view())));
  }
  DOLMEN_TRY(const std::optional<std::string> cursor, cursor_of(step, world.variables));
  if (cursor) request.insert_or_assign("cursor", *cursor);
  request.erase("cursor_text");
  DOLMEN_TRY(std::string now, format_timestamp(world.now()));
  request.insert_or_assign("now", std::move(now));
  DOLMEN_TRY(const LogicalItem answer, ask(std::move(request)));
  DOLMEN_TRY(Outcome outcome, checked_answer(outcome_in(answer, model)));
  DOLMEN_TRY(outcome.key, key_of(step, model));
  return outcome;
}

}  // namespace dolmen::scenario
