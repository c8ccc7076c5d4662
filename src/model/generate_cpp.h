#pragma once

#include <string>
#include <vector>

#include "dolmen/model/model.h"

namespace dolmen {

struct CppHeaderOptions {
  /// The file that the models come from, which the header names.
  std::string file_name;
  /// Where everything stands, such as "acme::accounts", or "::" for the global namespace. Empty: the namespace of the
  /// file, in which "acme.payments" is acme::payments; the global one when it has none.
  std::string namespace_name = {};
};

/// What stands for a model in the header.
struct CppModel {
  std::string model;
  std::string struct_name;
  /// Gives the model; it is in the namespace `models`.
  std::string function_name;
};

struct CppHeader {
  std::string text;
  std::vector<CppModel> models;
};

/// A header with a struct for each of the models, ready for Table<T>, and a function that gives the model. The same
/// models always give the same text. The models must obey the rules (`check_model`). Fails with kInvalidArgument when
/// C++ cannot say it: a namespace that is none, more than 256 attributes, a NUL in a name.
Result<CppHeader> generate_cpp(const ModelSet& set, const CppHeaderOptions& options);

}  // namespace dolmen
