#include "history.h"

#include <charconv>
#include <sstream>
#include <unordered_map>

#include "base/fail.h"

namespace dolmen::history {
namespace {

class Reader {
 public:
  Result<History> read(std::istream& input) {
    std::string text;
    while (std::getline(input, text)) {
      ++line_;
      text.resize(std::min(text.size(), text.find('#')));
      words_ = std::istringstream(text);
      std::string first;
      if (!(words_ >> first)) continue;
      DOLMEN_TRY_VOID(first == "transaction" ? read_transaction() : read_operation(first));
    }
    return std::move(history_);
  }

 private:
  std::unexpected<Error> wrong(std::string_view what) const {
    return fail(Code::kValidation, "line {}: {}", line_, what);
  }

  Result<std::string> word(std::string_view what) {
    std::string found;
    if (!(words_ >> found)) return wrong(std::string(what) + " is missing");
    return found;
  }

  Result<std::int64_t> number(std::string_view what, std::int64_t none) {
    DOLMEN_TRY(const std::string text, word(what));
    if (text == "-") return none;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      return wrong(std::string(what) + " \"" + text + "\" is not a whole number");
    return value;
  }

  template <class Timed>
  Result<void> read_times(Timed& into) {
    into.line = line_;
    DOLMEN_TRY(into.began, number("the beginning", kNever));
    DOLMEN_TRY(into.ended, number("the end", kNever));
    DOLMEN_TRY(const std::string outcome, word("the outcome"));
    if (outcome == "done")
      into.outcome = Outcome::kDone;
    else if (outcome == "refused")
      into.outcome = Outcome::kRefused;
    else if (outcome == "unknown")
      into.outcome = Outcome::kUnknown;
    else
      return wrong("the outcome \"" + outcome + "\" is not done, refused or unknown");
    if ((into.outcome == Outcome::kUnknown) != (into.ended == kNever))
      return wrong("only an unknown outcome has no end");
    if (into.ended < into.began) return wrong("it ends before it begins");
    return {};
  }

  Result<void> read_operation(const std::string& object) {
    Operation operation;
    DOLMEN_TRY_VOID(read_times(operation));
    DOLMEN_TRY(const std::string kind, word("the kind"));
    if (kind == "read") {
      operation.kind = Kind::kRead;
    } else if (kind == "write") {
      operation.kind = Kind::kWrite;
    } else if (kind == "swap") {
      operation.kind = Kind::kSwap;
      DOLMEN_TRY(operation.expected, number("the value expected", kNothing));
    } else if (kind == "add") {
      operation.kind = Kind::kAdd;
    } else {
      return wrong("the kind \"" + kind + "\" is not read, write, swap or add");
    }
    DOLMEN_TRY(operation.value, number("the value", kNothing));
    if (operation.kind == Kind::kAdd) {
      DOLMEN_TRY(operation.result, number("the result", kNothing));
    }
    const auto [place, added] = objects_.try_emplace(object, history_.objects.size());
    if (added) history_.objects.push_back({.name = object, .operations = {}});
    history_.objects[place->second].operations.push_back(operation);
    return {};
  }

  Result<void> read_transaction() {
    Transaction transaction;
    DOLMEN_TRY_VOID(read_times(transaction));
    std::string kind;
    while (words_ >> kind) {
      if (kind != "r" && kind != "w") return wrong("an access is r or w, not \"" + kind + "\"");
      DOLMEN_TRY(const std::string key, word("the key"));
      DOLMEN_TRY(const State value, number("the value", kNothing));
      const auto [place, added] = keys_.try_emplace(key, history_.keys.size());
      if (added) history_.keys.push_back(key);
      (kind == "r" ? transaction.reads : transaction.writes).push_back({.key = place->second, .value = value});
    }
    history_.transactions.push_back(std::move(transaction));
    return {};
  }

  History history_;
  std::unordered_map<std::string, std::size_t> objects_;
  std::unordered_map<std::string, std::size_t> keys_;
  std::istringstream words_;
  std::size_t line_ = 0;
};

}  // namespace

std::size_t History::size() const {
  std::size_t count = transactions.size();
  for (const Object& object : objects) count += object.operations.size();
  return count;
}

Result<History> read_history(std::istream& input) { return Reader().read(input); }

}  // namespace dolmen::history
