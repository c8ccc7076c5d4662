#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"

namespace dolmen::scenario {

using NameList = std::vector<std::string_view>;

/// Looks for what no step reads: a name that is not known, or that means nothing where it stands. What nobody reads
/// would be believed to be tested.
class StepNames {
 public:
  void check_step(const config::Node& step, const std::string& path);

  /// False when it is not a map, which is noted.
  bool is_map(const config::Node& node, const std::string& path);
  void check_names(const config::Node& map, const std::string& path, const NameList& known);
  /// A text of the map that must be there and not be empty.
  std::string text(const config::Node& map, const std::string& path, std::string_view name);
  void add(const config::Node& node, std::string path, std::string rule, std::string message);

  [[nodiscard]] std::vector<config::Problem> problems() && { return std::move(problems_); }

 private:
  void check_content(const config::Node& step, const std::string& path);
  void check_combinations(const config::Node& step, const std::string& path);
  void check_expectations(const config::Node& expect, const std::string& path, std::string_view op);
  void check_conditions(const config::Node& list, const std::string& path);
  void check_condition(const config::Node& condition, const std::string& path);
  void check_actions(const config::Node& actions, const std::string& path);

  // The forms that plain_form.h translates.
  void check_newer(const config::Node& step, const std::string& path, std::string_view op);
  void check_request(const config::Node& request, const std::string& path, std::string_view op);
  void check_read(const config::Node& request, const std::string& path, bool is_query);
  void check_comparison(const config::Node& comparison, const std::string& path);
  void check_newer_actions(const config::Node& actions, const std::string& path);
  void check_transition(const config::Node& step, const std::string& path);
  /// Applies `check` to each element of a list.
  template <class Check>
  void each(const config::Node& list, const std::string& path, Check check);

  std::vector<config::Problem> problems_;
};

}  // namespace dolmen::scenario
