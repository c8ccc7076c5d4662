#pragma once

#include <string>

#include "upkeep/drift_report.h"

namespace dolmen::upkeep {

struct DriftPage {
  std::string table;
  /// Where the table is: a directory or an address.
  std::string store;
  /// The files of models.
  std::string models;
  /// When it was read, in words.
  std::string time;
};

/// One HTML page with charts, which needs nothing beside it and runs no script.
std::string drift_page(const DriftReport& report, const DriftPage& page);

}  // namespace dolmen::upkeep
