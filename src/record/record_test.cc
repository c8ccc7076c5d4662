#include "dolmen/record.h"

#include <gtest/gtest.h>
#include <map>

#include "record/test_box.h"

namespace shop {

struct Note {
  std::string topic;
  std::int64_t written = 0;
  std::optional<std::string> text;
  std::vector<std::string> tags;

  friend bool operator==(const Note&, const Note&) = default;
};
DOLMEN_RECORD(Note, topic, written, text, tags);

struct Renamed {
  std::string name;
  int stars = 3;
  std::string plain = "kept";

  friend bool operator==(const Renamed&, const Renamed&) = default;
};
DOLMEN_RECORD(Renamed, (name, "n"), (stars, defaulted, "s"), (plain, defaulted));

struct Node {
  int value = 0;
  std::vector<Node> children;
  std::unique_ptr<Node> next;
};
DOLMEN_RECORD(Node, value, children, next);

/// A type that Dolmen does not know.
struct Money {
  std::int64_t cents = 0;
  friend bool operator==(const Money&, const Money&) = default;
};

/// Text back to front, for one member.
struct Reversed {
  static dolmen::AttributeValue to(const std::string& text) { return std::string(text.rbegin(), text.rend()); }
  static dolmen::Result<std::string> from(const dolmen::AttributeValue& value) {
    if (value.type() != dolmen::Type::kString)
      return std::unexpected(dolmen::Error(dolmen::Code::kInvalidArgument, "this is no text"));
    return std::string(value.string().rbegin(), value.string().rend());
  }
};

struct Base {
  int inherited = 0;
};
struct Derived : Base {
  int own = 0;
};
DOLMEN_RECORD(Base, inherited);

}  // namespace shop

template <>
struct dolmen::Converter<shop::Money> {
  static constexpr TypeSet kTypes{Type::kNumber};
  static Result<AttributeValue> to(const shop::Money& money) {
    if (money.cents < 0) return std::unexpected(Error(Code::kInvalidArgument, "a debt cannot be stored"));
    return money.cents;
  }
  static Result<shop::Money> from(const AttributeValue& value) {
    const Number* cents = value.get_if<Number>();
    if (cents == nullptr || !cents->to_int64())
      return std::unexpected(Error(Code::kInvalidArgument, "expected an amount in cents"));
    return shop::Money{*cents->to_int64()};
  }
};

namespace dolmen {
namespace {

using shop::Money;
using shop::Node;
using shop::Note;

TEST(Record, maps_members_to_attributes_of_the_same_name) {
  const Note note{.topic = "dolmen", .written = 1, .text = "stone table", .tags = {"a", "b"}};
  const Item item{{"topic", "dolmen"}, {"written", 1}, {"text", "stone table"}, {"tags", List{"a", "b"}}};
  EXPECT_EQ(to_item(note).value(), item);
  EXPECT_EQ(from_item<Note>(item).value(), note);
}

TEST(Record, leaves_out_an_empty_optional_and_reads_it_back_from_nothing_and_from_null) {
  const Note note{.topic = "dolmen"};
  Item item = to_item(note).value();
  EXPECT_EQ(item, (Item{{"topic", "dolmen"}, {"written", 0}, {"tags", List{}}}));
  EXPECT_EQ(from_item<Note>(item).value(), note);
  item.set("text", nullptr);
  EXPECT_EQ(from_item<Note>(item).value(), note);
}

TEST(Record, ignores_attributes_that_belong_to_no_member) {
  const Item item{{"topic", "t"}, {"written", 1}, {"tags", List{}}, {"other", 5}};
  EXPECT_EQ(from_item<Note>(item).value(), (Note{.topic = "t", .written = 1}));
}

TEST(Record, takes_other_attribute_names_and_defaults) {
  const shop::Renamed record{.name = "x", .stars = 5, .plain = "p"};
  const Item item{{"n", "x"}, {"s", 5}, {"plain", "p"}};
  EXPECT_EQ(to_item(record).value(), item);
  EXPECT_EQ(from_item<shop::Renamed>(item).value(), record);
  EXPECT_EQ(from_item<shop::Renamed>({{"n", "x"}}).value(), (shop::Renamed{.name = "x"}));
  EXPECT_EQ(from_item<shop::Renamed>({{"name", "x"}}).error().message(),
            "Renamed.name: the attribute \"n\" is missing");
}

TEST(Record, is_not_what_derives_from_one) {
  static_assert(Record<shop::Base>);
  static_assert(!Record<shop::Derived>);
  static_assert(!Record<int>);
}

TEST(Record, names_every_member_that_is_wrong_by_its_path_and_the_rule) {
  const Item item{{"written", "1"}, {"text", "x"}, {"tags", List{"a", "b", 3}}};
  const Error error = from_item<Note>(item).error();
  EXPECT_EQ(error.code(), Code::kValidation);
  EXPECT_EQ(error.message(),
            "Note.topic: the attribute \"topic\" is missing; Note.written: expected N, found S; "
            "Note.tags[2]: expected S, found N");
  EXPECT_EQ(error.details(), (std::vector<ErrorDetail>{
                                 {"topic", "required", "the attribute \"topic\" is missing"},
                                 {"written", "type", "expected N, found S"},
                                 {"tags[2]", "type", "expected S, found N"},
                             }));
}

TEST(Record, names_the_path_through_records_lists_and_maps) {
  using Deep = std::map<std::string, std::vector<Note>>;
  const AttributeValue value = Item{{"a b", List{Item{{"topic", "t"}, {"written", 1}, {"tags", List{true}}}}}};
  EXPECT_EQ(read_problem<Deep>(value), "Box.value[\"a b\"][0].tags[0]: expected S, found BOOL");
}

TEST(Record, maps_records_that_hold_themselves) {
  Node root{.value = 1};
  root.children.push_back({.value = 2});
  root.next = std::make_unique<Node>(Node{.value = 3});
  const Item item{{"value", 1},
                  {"children", List{Item{{"value", 2}, {"children", List{}}}}},
                  {"next", Item{{"value", 3}, {"children", List{}}}}};
  EXPECT_EQ(to_item(root).value(), item);
  const Node read = from_item<Node>(item).value();
  EXPECT_EQ(read.children.at(0).value, 2);
  EXPECT_EQ(read.next->value, 3);
  EXPECT_EQ(read.next->next, nullptr);
}

}  // namespace
}  // namespace dolmen

namespace shop {

struct Priced {
  Money price;
  std::optional<Money> discount;
  std::variant<Money, std::string> total;
  std::string secret;
  std::optional<std::string> maybe_secret;
};
DOLMEN_RECORD(Priced, price, discount, total, (secret, as<Reversed>), (maybe_secret, as<Reversed>));

#define MEMBERS_8(p) p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7
#define MEMBERS_64(p)                                                                                   \
  MEMBERS_8(p##0), MEMBERS_8(p##1), MEMBERS_8(p##2), MEMBERS_8(p##3), MEMBERS_8(p##4), MEMBERS_8(p##5), \
      MEMBERS_8(p##6), MEMBERS_8(p##7)
struct Wide {
  int MEMBERS_64(a);
  std::string MEMBERS_64(b);
};
DOLMEN_RECORD(Wide, MEMBERS_64(a), MEMBERS_64(b));

}  // namespace shop

namespace dolmen {
namespace {

// ---- Converters ----

TEST(RecordConverter, maps_a_type_everywhere_and_a_member_on_its_own) {
  const shop::Priced priced{.price = {5}, .discount = Money{1}, .total = Money{4}, .secret = "abc"};
  const Item item{{"price", 5}, {"discount", 1}, {"total", 4}, {"secret", "cba"}};
  EXPECT_EQ(to_item(priced).value(), item);
  const shop::Priced read = from_item<shop::Priced>(item).value();
  EXPECT_EQ(read.price, priced.price);
  EXPECT_EQ(read.discount, priced.discount);
  EXPECT_EQ(read.total, priced.total);
  EXPECT_EQ(read.secret, priced.secret);
  EXPECT_EQ(read.maybe_secret, std::nullopt);
  EXPECT_EQ(read_problem<std::vector<Money>>(List{1, "x"}), "Box.value[1]: expected an amount in cents");
}

TEST(RecordConverter, says_where_it_refused_something) {
  const Error unwritable = to_item(shop::Priced{.price = {-1}}).error();
  EXPECT_EQ(unwritable.code(), Code::kValidation);
  EXPECT_EQ(unwritable.details(), (std::vector<ErrorDetail>{{"price", "converter", "a debt cannot be stored"}}));
  const Item item{{"price", 5}, {"total", "x"}, {"secret", 1}, {"maybe_secret", 2}};
  EXPECT_EQ(from_item<shop::Priced>(item).error().message(),
            "Priced.secret: this is no text; Priced.maybe_secret: this is no text");
}

TEST(Record, has_room_for_many_members) {
  shop::Wide wide{};
  wide.a00 = 1;
  wide.a77 = 2;
  wide.b77 = "last";
  const Item item = to_item(wide).value();
  EXPECT_EQ(item.size(), 128U);
  const shop::Wide read = from_item<shop::Wide>(item).value();
  EXPECT_EQ(read.a77, 2);
  EXPECT_EQ(read.b77, "last");
}

}  // namespace
}  // namespace dolmen
