// Keys of pages that depend on headers and cookies.
#include <gtest/gtest.h>
#include <set>

#include "base/test_result.h"
#include "dolmen/isr/vary.h"

namespace dolmen {
namespace {

const PageVary kShared{.tenant_required = false};
const PageVary kByLanguageAndTheme{.headers = {"Accept-Language"}, .cookies = {"theme"}, .tenant_required = false};

std::string varied(const PageVisit& visit, const PageVary& vary) {
  return page_partition(page_key(visit, vary).value());
}

TEST(PageVary, is_closed_when_the_tenant_is_missing) {
  EXPECT_THAT(page_key({.path = "/"}, {}),
              fails_with(Code::kInvalidArgument, "the visit of / has no tenant, and pages belong to tenants"));
  EXPECT_EQ(page_key({.path = "/", .tenant = "acme"}, {})->tenant, "acme");
  EXPECT_EQ(page_key({.path = "/"}, kShared)->name, "/");
}

TEST(PageVary, leaves_out_what_is_not_chosen) {
  const PageVisit visit{.path = "/", .headers = {{"Accept-Language", "de"}, {"Cookie", "session=secret"}}};
  EXPECT_EQ(page_key(visit, kShared)->name, "/");
  EXPECT_EQ(page_partition(page_key(visit, kShared).value()), page_partition({"/"}));
}

TEST(PageVary, tells_visits_apart_by_chosen_headers_and_cookies) {
  const PageVisit plain{.path = "/"};
  PageVisit german{.path = "/", .headers = {{"accept-language", " de "}}};
  const PageVisit empty{.path = "/", .headers = {{"accept-language", ""}}};
  PageVisit dark = german;
  dark.headers.emplace_back("COOKIE", "session=1; theme=dark; theme=light");
  const std::set<std::string> keys{varied(plain, kByLanguageAndTheme), varied(german, kByLanguageAndTheme),
                                   varied(empty, kByLanguageAndTheme), varied(dark, kByLanguageAndTheme)};
  EXPECT_EQ(keys.size(), 4U);
  // Other cookies make no difference.
  PageVisit other = german;
  other.headers.emplace_back("Cookie", "session=2; theme=dark");
  EXPECT_EQ(varied(other, kByLanguageAndTheme), varied(dark, kByLanguageAndTheme));
}

TEST(PageVary, does_not_depend_on_the_order_or_case_of_the_choice) {
  const PageVisit visit{.path = "/", .headers = {{"A", "1"}, {"B", "2"}, {"a", "3"}}};
  EXPECT_EQ(varied(visit, {.headers = {"a", "b"}, .tenant_required = false}),
            varied(visit, {.headers = {"B", "A", "a"}, .tenant_required = false}));
  EXPECT_EQ(page_key(visit, {.headers = {"b", "a"}, .tenant_required = false})->name,
            "/\nheader a=1%2C%203\nheader b=2");
}

TEST(PageVary, cannot_be_deceived_by_what_visitors_send) {
  const PageVary by_two{.headers = {"a", "b"}, .tenant_required = false};
  const PageVisit deceiving{.path = "/", .headers = {{"a", "1\nheader b=2"}}};
  const PageVisit honest{.path = "/", .headers = {{"a", "1"}, {"b", "2"}}};
  EXPECT_NE(varied(deceiving, by_two), varied(honest, by_two));
  EXPECT_THAT(page_key({.path = "/\nheader a=1"}, kShared), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(page_key({.path = ""}, kShared), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(
      page_key({.path = "/"}, {.headers = {"a b"}, .tenant_required = false}),
      fails_with(Code::kInvalidArgument, "pages cannot vary by \"a b\", which is not the name of a header or cookie"));
}

TEST(Cookies, are_found_by_their_name) {
  EXPECT_EQ(cookie_value("a=1; b = 2;c=3=4;d", "b"), "2");
  EXPECT_EQ(cookie_value("a=1; b=2;c=3=4;d", "c"), "3=4");
  EXPECT_EQ(cookie_value("a=1;ab=2", "b"), std::nullopt);
  EXPECT_EQ(cookie_value("a=", "a"), "");
  EXPECT_EQ(cookie_value("A=1", "a"), std::nullopt);
  EXPECT_EQ(cookie_value("d", "d"), std::nullopt);
}

}  // namespace
}  // namespace dolmen
