#include "fuzz/reference/generator.h"

#include <utility>

namespace dolmen::reference {
namespace {

const char* const kAttributes[] = {"a", "b", "c", "l", "m"};
const char* const kTexts[] = {"a", "ab", "", "b", "é", "😀", "S", "N", "SS", "L"};
const char* const kNumbers[] = {"1",
                                "2",
                                "0",
                                "3",
                                "-1",
                                "1.5",
                                "-2.25",
                                "10",
                                "1e125",
                                "-9.9999999999999999999999999999999999999e125",
                                "1e-130",
                                "1.1e-130",
                                "99999999999999999999999999999999999999",
                                "1e-37",
                                "0.1",
                                "1e38"};

}  // namespace

std::string Generator::attribute() { return choices_.one_of(kAttributes); }

std::string Generator::text() { return choices_.one_of(kTexts); }

Number Generator::number() { return Number::parse(choices_.one_of(kNumbers)).value(); }

AttributeValue Generator::scalar() {
  switch (choices_.below(5)) {
    case 0: return number();
    case 1: return text();
    case 2: return Bytes(text());
    case 3: return choices_.once_in(2);
    default: return nullptr;
  }
}

AttributeValue Generator::set() {
  const std::size_t kind = choices_.below(3);
  StringSet texts;
  NumberSet numbers;
  BinarySet binaries;
  for (std::size_t n = 1 + choices_.below(3); n > 0; --n) {
    if (kind == 0) texts.insert(text());
    if (kind == 1) numbers.insert(number());
    if (kind == 2) binaries.insert(Bytes(text()));
  }
  if (kind == 0) return texts;
  if (kind == 1) return numbers;
  return binaries;
}

AttributeValue Generator::value(int depth) {
  switch (choices_.below(depth < 3 ? 6 : 3)) {
    case 0:
    case 1: return scalar();
    case 2: return set();
    case 3: {
      List list;
      for (std::size_t n = choices_.below(4); n > 0; --n) list.push_back(value(depth + 1));
      return list;
    }
    default: {
      Item map;
      for (std::size_t n = choices_.below(4); n > 0; --n) map.set(attribute(), value(depth + 1));
      return map;
    }
  }
}

Item Generator::item() {
  Item item;
  for (const char* name : kAttributes)
    if (!choices_.once_in(4)) item.set(name, value());
  return item;
}

Request Generator::finished(std::string text) {
  // Occasionally a byte is wrong, or a placeholder is unused.
  if (choices_.once_in(20) && !text.empty())
    text[choices_.below(text.size() < 256 ? text.size() : 256)] = " (.]<+,a"[choices_.below(8)];
  if (choices_.once_in(40)) request_.names.emplace("#unused", "a");
  request_.text = std::move(text);
  return std::exchange(request_, {});
}

std::string Generator::name_text(const std::string& name) {
  if (choices_.once_in(60)) return "#undefined";
  if (choices_.once_in(60)) return choices_.once_in(2) ? "abort" : "Set";
  if (!choices_.once_in(3)) return name;
  request_.names.emplace("#" + name, name);
  return "#" + name;
}

std::string Generator::value_text(AttributeValue value) {
  if (choices_.once_in(60)) return ":undefined";
  const std::string placeholder = ":" + std::to_string(request_.values.size());
  request_.values.set(placeholder, std::move(value));
  return placeholder;
}

std::string Generator::top_level_name() { return name_text(attribute()); }

std::string Generator::path_text() {
  std::string path = top_level_name();
  for (std::size_t n = choices_.below(4); n > 1; --n)
    path += choices_.once_in(2) ? "[" + std::to_string(choices_.below(4)) + "]" : "." + top_level_name();
  return path;
}

std::string Generator::operand_text(int depth) {
  switch (choices_.below(depth < 2 ? 10 : 8)) {
    case 0:
    case 1:
    case 2:
    case 3: return path_text();
    case 4:
    case 5:
    case 6:
    case 7: return given_text();
    case 8: return "size(" + operand_text(depth + 1) + ")";
    default: return "(" + operand_text(depth + 1) + ")";
  }
}

std::string Generator::comparison_text() {
  static const char* const kComparators[] = {" = ", " <> ", "<", " <= ", " > ", ">="};
  const std::string left = operand_text(0);
  const std::size_t kind = choices_.below(8);
  if (kind == 6) {
    // Literal bounds must be in order, so one of them is usually a path.
    const std::string lower = operand_text(0);
    return left + " BETWEEN " + lower + " AND " + (choices_.once_in(3) ? operand_text(0) : path_text());
  }
  if (kind == 7) {
    std::string list = operand_text(0);
    for (std::size_t n = choices_.below(4); n > 0; --n) list += ", " + operand_text(0);
    return left + " IN (" + list + ")";
  }
  return left + kComparators[kind] + operand_text(0);
}

std::string Generator::function_text() {
  switch (choices_.below(6)) {
    case 0: return "attribute_exists(" + path_text() + ")";
    case 1: return "attribute_not_exists (" + path_text() + ")";
    case 2: return "attribute_type(" + operand_text(1) + ", " + value_text(text()) + ")";
    case 3: return "begins_with(" + operand_text(1) + ", " + value_text(text()) + ")";
    case 4: return "contains(" + operand_text(1) + ", " + operand_text(1) + ")";
    default: return "begins_with(" + path_text() + "," + operand_text(1) + ")";
  }
}

std::string Generator::condition_text(int depth) {
  switch (choices_.below(depth < 4 ? 10 : 5)) {
    case 0:
    case 1:
    case 2: return comparison_text();
    case 3:
    case 4: return function_text();
    case 5: return "NOT " + condition_text(depth + 1);
    case 6: return "(" + condition_text(depth + 1) + ")";
    case 7:
    case 8: {
      const std::string left = condition_text(depth + 1);
      return left + " AND " + condition_text(depth + 1);
    }
    default: {
      const std::string left = condition_text(depth + 1);
      return left + " or " + condition_text(depth + 1);
    }
  }
}

Request Generator::condition() { return finished(condition_text(0)); }

std::string Generator::key_text() {
  static const char* const kComparators[] = {" = ", "=", "<", " <= ", " > ", ">=", " <> "};
  const std::string name = choices_.once_in(15) ? operand_text(0) : top_level_name();
  const AttributeValue given = choices_.once_in(8) ? value() : choices_.once_in(2) ? AttributeValue(text()) : number();
  switch (choices_.below(6)) {
    case 0: return "begins_with(" + name + ", " + value_text(given) + ")";
    case 1: {
      const std::string lower = value_text(given);
      return name + " between " + lower + " and " + value_text(choices_.once_in(2) ? given : AttributeValue(text()));
    }
    case 2: return value_text(given) + choices_.one_of(kComparators) + name;
    default: return name + choices_.one_of(kComparators) + value_text(given);
  }
}

Request Generator::key_condition() {
  if (choices_.once_in(10)) return finished(condition_text(0));
  std::string text = key_text();
  for (std::size_t n = choices_.below(3); n > 0; --n) {
    if (choices_.once_in(4)) text = "(" + text + ")";
    text += " AND " + key_text();
  }
  return finished(std::move(text));
}

Request Generator::projection() {
  std::string text = path_text();
  for (std::size_t n = choices_.below(5); n > 0; --n) text += ", " + path_text();
  return finished(std::move(text));
}

std::string Generator::update_operand_text(int depth) {
  switch (choices_.below(depth < 2 ? 6 : 4)) {
    case 0:
    case 1: return path_text();
    case 2: return value_text(number());
    case 3: return given_text();
    case 4: {
      const std::string path = path_text();
      return "if_not_exists(" + path + ", " + update_operand_text(depth + 1) + ")";
    }
    default: return "(" + update_operand_text(depth + 1) + ")";
  }
}

std::string Generator::assigned_text() {
  const std::string first = update_operand_text(0);
  switch (choices_.below(7)) {
    case 0:
    case 1: return first;
    case 2: return first + " + " + update_operand_text(1);
    case 3: return first + "-" + update_operand_text(1);
    case 4: return "(" + first + " + " + update_operand_text(1) + ")";
    case 5: return "list_append(" + first + ", " + update_operand_text(1) + ")";
    default: return "list_append(" + first + ", " + value_text(List{value(1)}) + ")";
  }
}

Request Generator::update() {
  static const char* const kSections[] = {"SET ", "REMOVE ", "add ", "DELETE "};
  std::string text;
  const std::size_t first = choices_.below(4);
  for (std::size_t section = first; section < 4; section += 1 + choices_.below(3)) {
    if (!text.empty()) text += ' ';
    text += kSections[section];
    for (std::size_t n = 1 + choices_.below(3); n > 0; --n) {
      text += path_text();
      if (section == 0) text += " = " + assigned_text();
      if (section == 2) text += ' ' + value_text(choices_.once_in(2) ? AttributeValue(number()) : set());
      if (section == 3) text += ' ' + value_text(choices_.once_in(20) ? value() : set());
      if (n > 1) text += ", ";
    }
  }
  return finished(std::move(text));
}

}  // namespace dolmen::reference
