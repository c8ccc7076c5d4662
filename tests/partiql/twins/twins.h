#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "dolmen/expression.h"
#include "dolmen/store.h"

namespace dolmen::twins {

/// A condition in both languages. The values of the statement's question marks are in order.
struct TwinCondition {
  std::string text;
  std::vector<AttributeValue> parameters;
  Condition condition;
};

/// An update in both languages.
struct TwinUpdate {
  std::string text;
  std::vector<AttributeValue> parameters;
  Update update;
};

/// Two tables of one store: one is used by statements, the other by expressions.
class Twins {
 public:
  explicit Twins(std::uint64_t seed);

  /// Carries out one statement and its twin. Empty when they agree; otherwise what differs.
  std::string step();

  /// How many statements both have refused.
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

 private:
  std::string insert();
  std::string update();
  std::string remove();
  std::string select_keyed();
  std::string select_all();
  std::string compare_tables();

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  Item random_key();
  AttributeValue random_value(int depth = 0);
  /// A value as a literal, or a question mark and a parameter.
  std::string written(const AttributeValue& value, std::vector<AttributeValue>& parameters);
  std::string random_attribute();
  TwinCondition random_test();
  TwinCondition random_condition(int depth = 0);
  TwinUpdate random_update();

  std::mt19937_64 random_;
  std::unique_ptr<Store> store_;
  std::uint64_t steps_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace dolmen::twins
