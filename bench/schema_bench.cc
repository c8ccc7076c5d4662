// Validation of a document with 20 fields, from its text to its stored form. The aim is at most 3 microseconds.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <string>

#include "dolmen/schema.h"

namespace {

using namespace dolmen;

struct Case {
  Schema schema;
  std::string document;
};

/// Twenty fields: strings, ints, floats and bools, five each with `_id`, about 700 bytes.
const Case& twenty_fields() {
  static const Case made = [] {
    std::string fields = R"("_id":{"type":"string","required":true})";
    std::string document = R"({"_id":"customer-00001234")";
    for (int i = 1; i < 20; ++i) {
      constexpr const char* kTypes[] = {"string", "int", "float", "bool"};
      const std::string values[] = {fmt::format("\"a value of some length, number {}\"", i),
                                    fmt::format("{}", i * 1'000'003), fmt::format("{}.25", i),
                                    i % 2 == 0 ? "true" : "false"};
      fields += fmt::format(R"(,"field_number_{}":{{"type":"{}","required":true}})", i, kTypes[i % 4]);
      document += fmt::format(R"(,"field_number_{}":{})", i, values[i % 4]);
    }
    return Case{parse_schema(R"({"schema_id":"customers","schema_version":"v1","fields":{)" + fields + "}}").value(),
                document + "}"};
  }();
  return made;
}

void validate_20_fields(benchmark::State& state) {
  const Case& made = twenty_fields();
  for (auto _ : state) benchmark::DoNotOptimize(validate_document(made.schema, made.document).value());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(made.document.size()));
}
BENCHMARK(validate_20_fields)->Unit(benchmark::kMicrosecond);

void refuse_20_fields(benchmark::State& state) {
  const Case& made = twenty_fields();
  std::string wrong = made.document;
  wrong.insert(wrong.size() - 1, R"(,"nick":1)");
  for (auto _ : state) benchmark::DoNotOptimize(validate_document(made.schema, wrong).error());
}
BENCHMARK(refuse_20_fields)->Unit(benchmark::kMicrosecond);

}  // namespace
