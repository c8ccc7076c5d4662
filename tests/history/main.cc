#include <fmt/format.h>
#include <fstream>

#include "linearisability.h"
#include "serialisability.h"

namespace {

using namespace dolmen;
using namespace dolmen::history;

/// The number of violations in a file.
std::size_t check_file(const std::string& file) {
  std::ifstream input(file);
  if (!input) {
    fmt::print("{}: cannot be read\n", file);
    return 1;
  }
  const Result<History> history = read_history(input);
  if (!history) {
    fmt::print("{}: {}\n", file, history.error().message());
    return 1;
  }
  std::vector<std::string> found = find_not_serialisable(*history);
  for (const Object& object : history->objects)
    if (auto complaint = find_not_linearisable(object)) found.push_back(*std::move(complaint));
  for (const std::string& complaint : found) fmt::print("{}: {}\n", file, complaint);
  fmt::print("{}: {} operations on {} objects, {} transactions on {} keys: {} violations\n", file, history->size(),
             history->objects.size(), history->transactions.size(), history->keys.size(), found.size());
  return found.size();
}

}  // namespace

/// Judges the files that it is given, in the form that history.h describes: objects for linearisability, transactions
/// for strict serialisability.
int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: history_check FILE...\n");
    return 2;
  }
  std::size_t violations = 0;
  for (int i = 1; i < argc; ++i) violations += check_file(argv[i]);
  return violations == 0 ? 0 : 1;
}
