// Prints the walk over the members of all requests as JSON, for tools/compatibility. Its argument is the file
// tools/compatibility.json. Ends with 1 when a member is ignored.
#include <fmt/format.h>
#include <iostream>

#include "base/file_writer.h"
#include "tests/wire/member_walk.h"

int main(int argc, char** argv) {
  using namespace dolmen;
  constexpr std::size_t kBytesMax = std::size_t{4} << 20;
  const Result<std::string> statements = FileWriter::read(argc > 1 ? argv[1] : "tools/compatibility.json", kBytesMax);
  if (!statements) {
    std::cerr << statements.error().message() << '\n';
    return 1;
  }
  const Result<wire::Walk> walk = wire::walk_members(*statements);
  if (!walk) {
    std::cerr << walk.error().message() << '\n';
    return 1;
  }
  std::cout << wire::walk_json(*walk) << '\n';
  bool is_well = walk->mistakes.empty();
  for (const std::string& mistake : walk->mistakes) std::cerr << mistake << '\n';
  for (const wire::WalkedOperation& operation : walk->operations)
    for (const wire::WalkedMember& member : operation.members) {
      if (member.state != wire::MemberState::kIgnored) continue;
      std::cerr << operation.name << ": " << member.path << " is ignored\n";
      is_well = false;
    }
  return is_well ? 0 : 1;
}
