#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/schema.h"

namespace dolmen::schema {

/// Where a value stands in a document: a chain from it to the root, built while going down and turned into text only
/// when there is something to say about it. Refers to names that its maker owns.
struct PlaceView {
  const PlaceView* above = nullptr;
  std::string_view name;
  std::size_t index = 0;
  bool is_element = false;
};

/// "a.b[3].c", or "$root" for the whole document.
std::string path_of(const PlaceView* place);

/// What is wrong with a document, gathered in any order.
class Violations {
 public:
  void add(const PlaceView* place, std::string_view rule, std::string message);

  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  /// Sorted by path and rule, none twice.
  std::vector<ErrorDetail> take();

 private:
  std::vector<ErrorDetail> all_;
};

/// The error for a document that does not fit. Its message names the first violations.
Error validation_error(const SchemaRef& ref, std::vector<ErrorDetail> details);

/// Why `id` cannot be the `_id` of a document; empty when it can.
std::string document_id_problem(std::string_view id);

}  // namespace dolmen::schema
