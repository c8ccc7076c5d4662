#include "generate/names.h"

#include <array>
#include <gtest/gtest.h>

#include "generate/models.h"
#include "generate/source_text.h"

namespace dolmen::generate {
namespace {

TEST(Names, follow_the_conventions_of_languages) {
  EXPECT_EQ(snake_case("emailHash", "attribute"), "email_hash");
  EXPECT_EQ(upper_case("gsi-email", "index"), "GSI_EMAIL");
  EXPECT_EQ(camel_case("user_profile", "model"), "userProfile");
  EXPECT_EQ(pascal_case("user_profile", "model"), "UserProfile");
  EXPECT_EQ(pascal_case("ACLEntry", "model"), "ACLEntry");
  EXPECT_EQ(go_name("userId", "attribute"), "UserID");
  EXPECT_EQ(go_name("PK", "attribute"), "PK");
  EXPECT_EQ(go_name("ttl", "attribute"), "TTL");
}

TEST(Names, that_no_language_takes_get_a_word_in_front) {
  EXPECT_EQ(snake_case("2fa", "attribute"), "attribute_2fa");
  EXPECT_EQ(go_name("名前", "attribute"), "Attribute");
  EXPECT_EQ(pascal_case("", "model"), "Model");
}

TEST(Scope, gives_every_name_once) {
  constexpr auto kReserved = std::to_array<std::string_view>({"class"});
  Scope scope(kReserved);
  EXPECT_EQ(scope.take("class"), "class_");
  EXPECT_EQ(scope.take("class_"), "class_2");
  EXPECT_EQ(scope.take("a"), "a");
  EXPECT_EQ(scope.take("a"), "a_2");
}

TEST(Literals, keep_their_value_and_prefer_the_quotes_of_the_formatter) {
  EXPECT_EQ(python_literal("plain"), R"("plain")");
  EXPECT_EQ(python_literal(R"(say "x")"), R"('say "x"')");
  EXPECT_EQ(python_literal(R"("it's")"), R"('"it\'s"')");
  EXPECT_EQ(go_literal("a\"b\\c\n\t\x01"), R"("a\"b\\c\n\t\x01")");
  EXPECT_EQ(typescript_literal("\u2028名"), R"("\u2028名")");
}

TEST(Comments, cannot_be_ended_by_what_stands_in_them) {
  EXPECT_EQ(comment_text("a*/ b\n\"\"\" \\ `c`"), "a?/ b???? ? ?c?");
}

TEST(Columns, are_those_of_an_editor) {
  EXPECT_EQ(columns("abc"), 3U);
  EXPECT_EQ(columns("é"), 1U);
  EXPECT_EQ(columns("名前"), 4U);
}

TEST(Files, have_names_that_their_language_takes) {
  EXPECT_EQ(code_file_name(Language::kPython, "users-v1"), "users_v1.py");
  EXPECT_EQ(code_file_name(Language::kPython, "class"), "class_.py");
  EXPECT_EQ(code_file_name(Language::kGo, "users_test"), "users_test_model.go");
  EXPECT_EQ(code_file_name(Language::kTypeScript, "users-v1"), "users-v1.ts");
  EXPECT_EQ(go_package("my-models"), "mymodels");
  EXPECT_EQ(go_package("func"), "func_");
  EXPECT_EQ(go_package("2"), "models2");
}

TEST(Support, is_in_the_package_of_the_folder) {
  for (const CodeFile& file : support_files(Language::kGo, "accounts"))
    EXPECT_NE(file.text.find("\npackage accounts\n"), std::string::npos) << file.name;
  EXPECT_EQ(support_files(Language::kPython, "").size(), 2U);
  EXPECT_TRUE(support_files(Language::kCpp, "").empty());
}

}  // namespace
}  // namespace dolmen::generate
