#include "cli/demo_samples.h"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace dolmen::cli {
namespace {

constexpr std::string_view kShopModels = R"file(dms_version: "0.1"
namespace: "acme.shop"
models:
  - name: "Customer"
    table: { name: "shop" }
    keys:
      partition: { attribute: "pk", type: "S" }
      sort: { attribute: "sk", type: "S" }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "sk", type: "S", required: true, roles: ["sk"] }
      - { attribute: "name", type: "S", required: true }
      - { attribute: "since", type: "S", format: "rfc3339nano", optional: true }
  - name: "Order"
    table: { name: "shop" }
    keys:
      partition: { attribute: "pk", type: "S" }
      sort: { attribute: "sk", type: "S" }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "sk", type: "S", required: true, roles: ["sk"] }
      - { attribute: "total", type: "N", required: true }
      - { attribute: "state", type: "S", optional: true, roles: ["index_pk:by-state"] }
    indexes:
      - name: "by-state"
        type: "GSI"
        partition: { attribute: "state", type: "S" }
        projection: { type: "ALL" }
)file";

constexpr std::string_view kArticlesV2 = R"file({
  "schema_id": "articles",
  "schema_version": "v2",
  "description": "Articles of a small magazine",
  "fields": {
    "_id": {"type": "string", "required": true},
    "title": {"type": "string", "required": true},
    "words": {"type": "int", "required": true},
    "author": {"type": "object", "required": false, "fields": {"name": {"type": "string", "required": true}}},
    "tags": {"type": "array", "required": false, "element_type": {"type": "string"}}
  }
}
)file";

constexpr std::string_view kArticles =
    R"file({"_id": "a3", "title": "Menhirs of Carnac", "words": 1450, "tags": ["stone", "brittany"]}
{"_id": "a4", "title": "How a table stands for six thousand years", "words": 2210}
{"_id": "a5", "title": "Cairns", "tags": []}
)file";

constexpr std::array<std::string_view, 6> kNames{"Ada", "Grace", "Bob", "Eve", "Linus", "Barbara"};
constexpr std::array<std::string_view, 3> kStates{"open", "sent", "paid"};

std::string shop_items() {
  std::string out;
  for (std::size_t customer = 0; customer < kNames.size(); ++customer) {
    out += fmt::format(R"({{"pk":"CUSTOMER#{}","sk":"PROFILE","name":"{}","since":"2026-0{}-01T00:00:00Z"}})",
                       customer + 1, kNames[customer], customer + 1);
    out += '\n';
    for (std::size_t order = 1; order <= customer; ++order)
      out += fmt::format(R"({{"pk":"CUSTOMER#{}","sk":"ORDER#{}","total":{},"state":"{}"}})", customer + 1, order,
                         order * 12 + customer, kStates[order % kStates.size()]) +
             "\n";
  }
  out += R"({"pk":"CUSTOMER#7","sk":"PROFILE","name":7})"
         "\n";
  out += R"({"pk":"CUSTOMER#7","sk":"ORDER#1","color":"red"})"
         "\n";
  out += R"({"pk":"CUSTOMER#7","sk":"PROFILE-OLD","name":"Seven","since":"yesterday"})"
         "\n";
  return out;
}

/// Numbers from -0.5 to 0.5 that are the same on every machine.
class Noise {
 public:
  double next() {
    state_ = (state_ * 1103515245 + 12345) % 2147483648;
    return static_cast<double>(state_) / 2147483648.0 - 0.5;
  }

 private:
  std::uint64_t state_ = 7;
};

struct Heap {
  std::string_view kind;
  std::array<double, 6> middle;
};

constexpr std::array kHeaps{Heap{"dolmen", {1, 0.2, 0, 0.4, 0, 0.1}}, Heap{"menhir", {0.1, 1, 0.1, 0, 0.5, 0}},
                            Heap{"cairn", {0, 0.1, 1, 0.3, 0, 0.6}}, Heap{"circle", {0.3, 0, 0.2, 0.1, 1, 0.9}}};
constexpr int kStonesOfAHeap = 30;

std::string stones() {
  std::string out;
  Noise noise;
  for (const Heap& heap : kHeaps)
    for (int stone = 0; stone < kStonesOfAHeap; ++stone) {
      out += fmt::format(R"({{"id":"{}-{:02}","kind":"{}","look":[)", heap.kind, stone, heap.kind);
      for (std::size_t at = 0; at < heap.middle.size(); ++at)
        out += fmt::format("{}{:.3f}", at == 0 ? "" : ",", heap.middle[at] + noise.next() * 0.7);
      out += "]}\n";
    }
  return out;
}

}  // namespace

std::string_view demo_shop_models() { return kShopModels; }

std::string_view demo_shop_items() {
  static const std::string text = shop_items();
  return text;
}

std::string_view demo_stones() {
  static const std::string text = stones();
  return text;
}

std::string_view demo_articles_v2() { return kArticlesV2; }
std::string_view demo_articles() { return kArticles; }

}  // namespace dolmen::cli
