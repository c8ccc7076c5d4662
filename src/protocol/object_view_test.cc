#include "protocol/object_view.h"

#include <gtest/gtest.h>

#include "protocol/object_writer.h"

namespace dolmen {
namespace {

/// What is said of a part of a request, which the detail names.
Error wrong(std::string name, std::string message) {
  return {Code::kQueryInvalid, message, std::vector<ErrorDetail>{{std::move(name), "query", message}}};
}

Error error_of(std::string_view text, ObjectView::Names allowed) { return ObjectView::request(text, allowed).error(); }

TEST(ObjectView, gives_each_member_as_it_was_written) {
  const auto view = ObjectView::request(R"( {"a" : {"x": [1.50, "é"]}, "b":"q\"\u00e9", "c":true} )", {"a", "b", "c"});
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->json("a"), std::string_view(R"({"x": [1.50, "é"]})"));
  EXPECT_EQ(view->text("b"), "q\"é");
  EXPECT_EQ(view->flag("c"), true);
  EXPECT_EQ(view->find("d"), std::nullopt);
  EXPECT_EQ(view->optional_text("d").value(), std::nullopt);
  EXPECT_EQ(view->flag("d"), false);
}

TEST(ObjectView, gives_the_elements_of_a_list_as_they_were_written) {
  const auto view = ObjectView::request(R"({"a":[ 1.0 , {"b":[]},"c" ],"none":[],"one":1})", {"a", "none", "one"});
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->list("a").value(), (std::vector<std::string_view>{"1.0", R"({"b":[]})", R"("c")"}));
  EXPECT_TRUE(view->list("none").value().empty());
  EXPECT_TRUE(view->list("missing").value().empty());
  EXPECT_EQ(view->list("one").error(), wrong("one", "one must be a list"));
}

TEST(ObjectView, refuses_a_request_that_is_not_a_json_object) {
  for (const std::string_view text : {"", "[]", "1", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}{", "{a:1}",
                                      "{\"a\":1,\"a\":2}", "{\"a\":\"\xFF\"}"})
    EXPECT_EQ(error_of(text, {"a"}).code(), Code::kSerialization) << text;
  const std::string deep =
      "{\"a\":" + std::string(kObjectNesting + 1, '[') + std::string(kObjectNesting + 1, ']') + "}";
  EXPECT_EQ(error_of(deep, {"a"}).code(), Code::kSerialization);
}

TEST(ObjectView, refuses_members_that_a_request_does_not_have) {
  EXPECT_EQ(error_of(R"({"a":1,"b":2})", {"a"}), wrong("b", "the operation has no parameter b"));
  EXPECT_EQ(ObjectView::part("[]", {"a"}).error(), Error(Code::kQueryInvalid, "a JSON object with a is expected"));
  EXPECT_TRUE(ObjectView::response(R"({"a":1,"from the future":2})").has_value());
}

TEST(ObjectView, says_what_a_member_must_be) {
  const auto view = ObjectView::request(R"({"a":1})", {"a", "b"});
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->text("a").error(), wrong("a", "a must be a string"));
  EXPECT_EQ(view->text("b").error(), wrong("b", "b is missing"));
  EXPECT_EQ(view->flag("a").error(), wrong("a", "a must be true or false"));
}

TEST(ObjectView, blames_the_server_for_a_response_that_it_cannot_read) {
  EXPECT_EQ(ObjectView::response("<html>").error().code(), Code::kUnexpectedResponse);
  EXPECT_EQ(ObjectView::response("{}").value().text("a").error().code(), Code::kUnexpectedResponse);
}

TEST(ObjectWriter, writes_what_a_view_reads) {
  const std::string text = object_text([](ObjectWriter& object) {
    object.text("text", "\"\n").json("json", "[1]").flag("flag", true).number("number", 7);
    object.texts("texts", std::vector<std::string>{"a", "b"});
  });
  EXPECT_EQ(text, R"({"text":"\"\n","json":[1],"flag":true,"number":7,"texts":["a","b"]})");
  const auto view = ObjectView::response(text);
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->text("text"), "\"\n");
  EXPECT_EQ(view->flag("flag"), true);
  EXPECT_EQ(view->shown("number"), "7");
  EXPECT_EQ(view->shown("text"), "\"\n");
  EXPECT_EQ(view->list("texts").value().size(), 2U);
}

}  // namespace
}  // namespace dolmen
