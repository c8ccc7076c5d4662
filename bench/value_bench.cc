// Numbers, codecs and JSON, on the 1 KB item of the wire benchmark.
#include <benchmark/benchmark.h>

#include "value/encoded_item.h"
#include "value/json.h"
#include "value/key_codec.h"

namespace dolmen {
namespace {

Item sample_item() {
  return {{"pk", "user#0001"},
          {"sk", 42},
          {"name", std::string(200, 'n')},
          {"address", std::string(200, 'a')},
          {"notes", std::string(400, 't')},
          {"balance", Number::parse("-12345.678").value()},
          {"active", true},
          {"avatar", Bytes(std::string(60, '\x7F'))},
          {"tags", StringSet{"alpha", "beta", "gamma"}},
          {"history", List{1, 2, 3, Item{{"at", 1700000000}, {"by", "someone"}}}}};
}

void number_parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Number::parse("-12345.678"));
}
BENCHMARK(number_parse);

void number_parse_38_digits(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Number::parse("1234567890123456789.0123456789012345678"));
}
BENCHMARK(number_parse_38_digits);

void number_format(benchmark::State& state) {
  const Number number = Number::parse("-12345.678").value();
  std::string out;
  for (auto _ : state) {
    out.clear();
    number.append_to(out);
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(number_format);

void number_add(benchmark::State& state) {
  const Number a = Number::parse("-12345.678").value();
  const Number b = Number::parse("0.0001").value();
  for (auto _ : state) benchmark::DoNotOptimize(add(a, b));
}
BENCHMARK(number_add);

void key_encode_number(benchmark::State& state) {
  const Number number = Number::parse("1700000000123").value();
  std::string out;
  for (auto _ : state) {
    out.clear();
    append_ordered_number(out, number);
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(key_encode_number);

void item_encode(benchmark::State& state) {
  const Item item = sample_item();
  for (auto _ : state) benchmark::DoNotOptimize(encode_item(item));
}
BENCHMARK(item_encode);

void item_decode(benchmark::State& state) {
  const EncodedItem item = encode_item(sample_item());
  for (auto _ : state) benchmark::DoNotOptimize(decode_item(item.bytes));
}
BENCHMARK(item_decode);

void item_measure(benchmark::State& state) {
  const EncodedItem item = encode_item(sample_item());
  for (auto _ : state) benchmark::DoNotOptimize(item_size(item.bytes));
}
BENCHMARK(item_measure);

void json_to_item(benchmark::State& state) {
  const std::string text = json::to_text(sample_item());
  for (auto _ : state) benchmark::DoNotOptimize(json::parse_item(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(json_to_item);

void item_to_json(benchmark::State& state) {
  const EncodedItem item = encode_item(sample_item());
  std::string out;
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(json::append_item(out, item.bytes));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}
BENCHMARK(item_to_json);

}  // namespace
}  // namespace dolmen
