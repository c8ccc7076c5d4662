#pragma once

#include <optional>
#include <string>
#include <vector>

#include "condition.h"
#include "service/requests.h"
#include "update.h"

/// The operations of a run in a form that both sides understand: the model reads them as they are, and `request_of`
/// writes them down for the engine.
namespace dolmen::torture {

struct Write {
  WriteKind kind = WriteKind::kPut;
  std::string table;
  Item item;  ///< to put, or else the key
  std::optional<Update> update = std::nullopt;
  std::optional<Condition> condition = std::nullopt;
  ReturnValues return_values = ReturnValues::kNone;
  bool return_on_failure = false;
};

struct Get {
  std::string table;
  Item key;
  std::optional<std::vector<Path>> projection = std::nullopt;
};

/// A condition on one key attribute of a query; `upper` only for kBetween.
struct KeyTerm {
  std::string attribute;
  Condition::Kind kind = Condition::Kind::kEqual;
  AttributeValue value = {};
  AttributeValue upper = {};
};

/// A query when there are key terms, else a scan.
struct Read {
  std::string table;
  std::optional<std::string> index = std::nullopt;
  std::vector<KeyTerm> keys = {};
  std::optional<Condition> filter = std::nullopt;
  std::optional<std::vector<Path>> projection = std::nullopt;
  std::optional<Select> select = std::nullopt;
  std::optional<std::uint32_t> limit = std::nullopt;
  std::optional<ScanSegment> segment = std::nullopt;
  std::optional<Item> start_key = std::nullopt;
  bool forward = true;
};

WriteRequest request_of(const Write& write);
GetItemRequest request_of(const Get& get);
ReadManyRequest request_of(const Read& read);

/// The condition that a key term stands for.
Condition condition_of(const KeyTerm& term);

/// The attributes that a condition names.
void collect_roots(const Condition& condition, std::vector<std::string>& roots);

/// One line for whoever must understand a violation.
std::string text_of(const Write& write);
std::string text_of(const Read& read);

}  // namespace dolmen::torture
