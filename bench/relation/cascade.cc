// relation_cascade: builds a large family, deletes it, and reports whether anything is left. bench/relation/run.py uses
// it to measure deletes and to kill them midway.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <string>
#include <sys/resource.h>

#include "dolmen/embedded.h"
#include "dolmen/relation/relations.h"

namespace {

using namespace dolmen;

constexpr const char* kTable = "cascade";
constexpr std::uint64_t kChildrenEach = 40;
constexpr std::uint64_t kUniqueEach = 10;
constexpr std::uint64_t kMemberEach = 20;

struct Arguments {
  std::string action;
  std::string data;
  std::uint64_t resources = 100'000;
  /// Resources outside the family.
  std::uint64_t beside = 0;
};

std::string node(std::uint64_t n) { return fmt::format("urn:pp:Node::{}", n); }
std::string stranger(std::uint64_t n) { return fmt::format("urn:pp:Stranger::{}", n); }
const std::string kGroup = "urn:pp:Group::all";

Result<void> build(Relations& graph, const Arguments& arguments) {
  DOLMEN_TRY_VOID(graph.create({.type = "Group", .id = "all"}));
  for (std::uint64_t i = 0; i < arguments.beside; ++i) {
    CreateResource request{.type = "Stranger", .id = std::to_string(i)};
    if (i > 0) request.parent = stranger((i - 1) / kChildrenEach);
    DOLMEN_TRY_VOID(graph.create(request));
  }
  for (std::uint64_t i = 0; i < arguments.resources; ++i) {
    CreateResource request{.type = "Node", .id = std::to_string(i), .attributes = {{"note", std::string(200, 'x')}}};
    if (i > 0) request.parent = node((i - 1) / kChildrenEach);
    if (i % kUniqueEach == 0) request.unique = {{"code", std::to_string(i)}};
    if (i % kMemberEach == 0) request.collections = {{.collection = kGroup}};
    DOLMEN_TRY_VOID(graph.create(request));
  }
  return {};
}

Result<void> erase(Relations& graph) {
  const auto start = std::chrono::steady_clock::now();
  DOLMEN_TRY(const std::vector<DeleteProgress> pending, graph.pending_deletes());
  const std::uint64_t before = pending.empty() ? 0 : pending.front().deleted.resources;
  DeleteCount count;
  if (pending.empty()) {
    DOLMEN_TRY(const RemoveResult done, graph.remove(node(0)));
    count = done.count;
  } else {
    DOLMEN_TRY(const std::vector<DeleteProgress> done, graph.resume_deletes());
    count = done.front().deleted;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      R"({{"resources":{},"edges":{},"memberships":{},"uniqueValues":{},"here":{},"seconds":{:.3f},"memoryMb":{}}})"
      "\n",
      count.resources, count.edges, count.memberships, count.unique_values, count.resources - before, seconds,
      usage.ru_maxrss / 1024);
  return {};
}

/// The number of records of each kind.
Result<void> count_records(Store& store) {
  std::map<std::string, std::uint64_t> kinds;
  std::uint64_t nodes = 0;
  for (const Result<Item>& item : store.scan(kTable, {.projection = "PK, SK"})) {
    if (!item) return std::unexpected(item.error());
    const std::string& partition = item->at("PK").string();
    ++kinds[partition.substr(0, partition.find('#'))];
    if (partition.find(":Node::") != std::string::npos) ++nodes;
  }
  fmt::print(R"({{"nodes":{})", nodes);
  for (const auto& [kind, count] : kinds) fmt::print(R"(,"{}":{})", kind, count);
  fmt::print("}}\n");
  return {};
}

Result<void> run(const Arguments& arguments) {
  // Building the family need not be durable; the delete syncs every transaction.
  const Durability durability = arguments.action == "build" ? Durability::kOs : Durability::kSync;
  DOLMEN_TRY(const std::unique_ptr<Store> store,
             open_embedded({.directory = arguments.data, .durability = durability}));
  ResourceTypes types = ResourceTypes::undeclared();
  DOLMEN_TRY(Relations graph, Relations::open(*store, kTable, std::move(types), {.resume_deletes = false}));
  if (arguments.action == "build") return build(graph, arguments);
  if (arguments.action == "delete") return erase(graph);
  return count_records(*store);
}

}  // namespace

int main(int count, char** values) {
  Arguments arguments;
  if (count > 1) arguments.action = values[1];
  for (int i = 2; i + 1 < count; i += 2) {
    const std::string name = values[i];
    if (name == "--data") arguments.data = values[i + 1];
    if (name == "--resources") arguments.resources = std::strtoull(values[i + 1], nullptr, 10);
    if (name == "--beside") arguments.beside = std::strtoull(values[i + 1], nullptr, 10);
  }
  const bool known = arguments.action == "build" || arguments.action == "delete" || arguments.action == "count";
  if (!known || arguments.data.empty()) {
    std::fputs("usage: relation_cascade build|delete|count --data DIR [--resources N] [--beside M]\n", stderr);
    return 2;
  }
  const Result<void> done = run(arguments);
  if (done) return 0;
  fmt::print(stderr, "{}\n", done.error().message());
  return 1;
}
