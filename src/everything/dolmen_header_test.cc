#include "dolmen/dolmen.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace dolmen {
namespace {

/// Headers that others are made of; nobody includes them by name.
const std::set<std::string> kParts{"record_containers.h", "record_context.h", "record_macros.h",
                                   "record_options.h",    "record_types.h",   "record_table.h"};

TEST(DolmenHeader, gathers_every_public_header) {
  std::stringstream gathered;
  gathered << std::ifstream("include/dolmen/dolmen.h").rdbuf();
  int headers = 0;
  for (const auto& entry : std::filesystem::directory_iterator("include/dolmen")) {
    const std::string name = entry.path().filename().string();
    if (name == "dolmen.h" || kParts.contains(name)) continue;
    EXPECT_NE(gathered.str().find("#include \"dolmen/" + name + "\""), std::string::npos) << name;
    ++headers;
  }
  EXPECT_GT(headers, 20);
}

}  // namespace
}  // namespace dolmen
