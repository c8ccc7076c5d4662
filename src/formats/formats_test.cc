#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "formats/csv_record.h"
#include "formats/ion.h"
#include "formats/item_line.h"
#include "formats/line_reader.h"
#include "formats/md5.h"
#include "value/test_items.h"

namespace dolmen::formats {
namespace {

/// Bytes in pieces of a given size.
class Pieces final : public ByteSource {
 public:
  Pieces(std::string bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}
  Result<bool> read(std::string& out) override {
    if (at_ == bytes_.size()) return false;
    out.append(bytes_, at_, size_);
    at_ = std::min(at_ + size_, bytes_.size());
    return true;
  }

 private:
  std::string bytes_;
  std::size_t size_;
  std::size_t at_ = 0;
};

Result<std::string> all_of(std::unique_ptr<ByteSource> source) {
  std::string out;
  while (true) {
    DOLMEN_TRY(const bool more, source->read(out));
    if (!more) return out;
  }
}

std::string gzipped(std::string_view text) {
  GzipWriter writer;
  writer.add(text.substr(0, text.size() / 2));
  writer.add(text.substr(text.size() / 2));
  return writer.finish();
}

std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

TEST(Compression, gives_back_what_was_compressed) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text.append(std::to_string(i % 1000)).push_back('\n');
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{1} << 20}) {
    EXPECT_EQ(all_of(decompressed(std::make_unique<Pieces>(gzipped(text), piece), Compression::kGzip)).value(), text);
    EXPECT_EQ(all_of(decompressed(std::make_unique<Pieces>(zstd(text), piece), Compression::kZstd)).value(), text);
  }
  EXPECT_EQ(all_of(decompressed(std::make_unique<Pieces>(gzipped(""), 7), Compression::kGzip)).value(), "");
  EXPECT_EQ(all_of(decompressed(std::make_unique<Pieces>(gzipped("a") + gzipped("b"), 7), Compression::kGzip)).value(),
            "ab");
  EXPECT_EQ(all_of(decompressed(std::make_unique<Pieces>(zstd("a") + zstd("b"), 7), Compression::kZstd)).value(), "ab");
}

TEST(Compression, refuses_what_is_damaged_or_ends_too_early) {
  for (const auto& [bytes, compression] : {std::pair(gzipped("some text, which is long enough"), Compression::kGzip),
                                           std::pair(zstd("some text, which is long enough"), Compression::kZstd)}) {
    const auto read = [&](std::string given) {
      return all_of(decompressed(std::make_unique<Pieces>(std::move(given), 5), compression));
    };
    EXPECT_THAT(read(bytes.substr(0, bytes.size() - 3)), fails_with(Code::kMalformedEncoding));
    EXPECT_THAT(read("{\"Item\":{}}\n"), fails_with(Code::kMalformedEncoding));
  }
}

TEST(LineReader, splits_lines_wherever_the_pieces_end) {
  for (const std::size_t piece : {1UL, 2UL, 3UL, 100UL}) {
    LineReader lines(std::make_unique<Pieces>("a\r\n\nbc\n\"x\ny\",1\nlast", piece));
    std::string line;
    std::vector<std::string> read;
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(lines.next(line).value());
      read.push_back(line);
    }
    while (lines.next_csv(line).value()) read.push_back(line);
    EXPECT_EQ(read, (std::vector<std::string>{"a", "", "bc", "\"x\ny\",1", "last"}));
  }
}

TEST(LineReader, refuses_a_line_without_end) {
  LineReader lines(std::make_unique<Pieces>(std::string(LineReader::kRecordBytesMax + 2, 'x'), 1 << 20));
  std::string line;
  EXPECT_THAT(lines.next(line), fails_with(Code::kRequestTooLarge));
}

TEST(CsvRecord, takes_other_delimiters) {
  EXPECT_EQ(*parse_record("a;\"b;c\";", ';'), (CsvRecord{"a", "b;c", std::nullopt}));
  EXPECT_EQ(*parse_record("a\tb", '\t'), (CsvRecord{"a", "b"}));
}

TEST(Ion, writes_what_exports_of_dynamodb_have) {
  std::string text;
  append_ion(text, {{"Authors", AttributeValue::StringSet{"Author1", "Author2"}},
                    {"Dimensions", "8.5 x 11.0"},
                    {"Id", 103},
                    {"InPublication", false},
                    {"PageCount", 600},
                    {"Price", *Number::parse("-8.25")},
                    {"Tiny", *Number::parse("5E-9")},
                    {"Zero", 0},
                    {"a b", nullptr},
                    {"bytes", Bytes("\x01\x02")},
                    {"quote\"", "a\"b\n"}});
  EXPECT_EQ(text, R"({Authors:$dynamodb_SS::["Author1","Author2"],Dimensions:"8.5 x 11.0",Id:103.,InPublication:false,)"
                  R"(PageCount:6d2,Price:-8.25,Tiny:5d-9,Zero:0.,'a b':null,bytes:{{AQI=}},'quote"':"a\"b\n"})");
}

TEST(Ion, reads_what_others_write) {
  EXPECT_EQ(
      *parse_ion("$ion_1_0 { Item : { 'a': 1, \"b\": 2.50, c: '''x''' '''y''', /* no */ d: [1, null.string], } }"),
      (Item{{"Item",
             Item{{"a", 1}, {"b", *Number::parse("2.5")}, {"c", "xy"}, {"d", AttributeValue::List{1, nullptr}}}}}));
  EXPECT_EQ(*parse_ion(R"({a:"\u00e9\x41\U0001F600",n:$dynamodb_NS::[1.,2d1],t:true,e:{},i:1_000})"),
            (Item{{"a", "\u00e9A\U0001F600"},
                  {"n", AttributeValue::NumberSet{1, 20}},
                  {"t", true},
                  {"e", Item{}},
                  {"i", 1000}}));
}

TEST(Ion, refuses_what_dynamodb_has_not) {
  for (const char* text : {"", "{", "{a:}", "{a:1", "{a:2020-01-01T}", "{a:sym}", "{a:(1 2)}", "{a:{{\"clob\"}}}",
                           "[1]", "{a:1,a:2}", "{a:1} x", "{a:$dynamodb_SS::[1]}", "{a:$dynamodb_NS::[1,1]}",
                           "{a:\"\\q\"}", "{a:{{!}}}", "{a:nan}", "{a:1 b:2}", "\xff"})
    EXPECT_THAT(parse_ion(text), fails_with(Code::kValidation)) << text;
  EXPECT_THAT(parse_ion(std::string(100, '{')), fails_with(Code::kValidation));
  std::string deep = "{a:";
  for (int i = 0; i < 10'000; ++i) deep += '[';
  EXPECT_THAT(parse_ion(deep), fails_with(Code::kValidation));
}

TEST(ItemLine, gives_back_every_item) {
  const std::uint64_t seed = test_seed("ItemLine");
  RandomItems random(seed);
  for (int i = 0; i < 300; ++i) {
    const EncodedItem item = encode_item(random.item());
    for (const LineForm form : {LineForm::kDynamoJson, LineForm::kIon}) {
      std::string line;
      ASSERT_THAT(append_item_line(line, item.bytes, form), succeeds());
      ASSERT_EQ(line.find('\n'), line.size() - 1) << line;
      line.pop_back();
      const Result<PutLine> read = parse_put_line(line, form);
      ASSERT_THAT(read, succeeds()) << "seed " << seed << "\n" << line;
      EXPECT_EQ(read->item, item) << "seed " << seed << "\n" << line;
    }
  }
}

TEST(ItemLine, has_the_form_of_aws) {
  const EncodedItem item = encode_item({{"id", 1}, {"s", "x"}});
  std::string lines;
  ASSERT_THAT(append_item_line(lines, item.bytes, LineForm::kDynamoJson), succeeds());
  ASSERT_THAT(append_item_line(lines, item.bytes, LineForm::kIon), succeeds());
  const ChangeLine change{.written_micros = 1'680'109'764'000'000,
                          .keys = encode_item({{"id", 1}}),
                          .new_image = item,
                          .old_image = std::nullopt};
  ASSERT_THAT(append_change_line(lines, change, LineForm::kDynamoJson), succeeds());
  ASSERT_THAT(append_change_line(lines, change, LineForm::kIon), succeeds());
  EXPECT_EQ(lines, R"({"Item":{"id":{"N":"1"},"s":{"S":"x"}}}
$ion_1_0 {Item:{id:1.,s:"x"}}
{"Metadata":{"WriteTimestampMicros":{"N":"1680109764000000"}},"Keys":{"id":{"N":"1"}},"NewImage":{"id":{"N":"1"},"s":{"S":"x"}}}
$ion_1_0 {Metadata:{WriteTimestampMicros:1680109764000000.},Keys:{id:1.},NewImage:{id:1.,s:"x"}}
)");
}

TEST(ItemLine, reads_conditions) {
  const PutLine put =
      parse_put_line(R"({"Item":{"id":{"N":"1"}},"ConditionExpression":"#a < :v",)"
                     R"("ExpressionAttributeNames":{"#a":"age"},"ExpressionAttributeValues":{":v":{"N":"3"}}})",
                     LineForm::kDynamoJson)
          .value();
  EXPECT_EQ(put.condition, "#a < :v");
  EXPECT_EQ(put.names.at("#a"), "age");
  EXPECT_EQ(put.values, (Item{{":v", 3}}));
}

TEST(ItemLine, refuses_what_is_not_an_item) {
  for (const char* line :
       {"", "x", "{}", "[]", R"({"Item":1})", R"({"Item":{"a":{"S":1}}})", R"({"Items":{}})",
        R"({"Item":{"a":{"S":"x"}})", R"({"Item":{"a":{"S":"x"}}} x)", R"({"Item":{"a":{"N":"x"}}})"})
    EXPECT_FALSE(parse_put_line(line, LineForm::kDynamoJson)) << line;
}

TEST(Md5, is_that_of_others) {
  EXPECT_EQ(md5("").hex, "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5("").base64, "1B2M2Y8AsgTpgAmY7PhCfg==");
}

}  // namespace
}  // namespace dolmen::formats
