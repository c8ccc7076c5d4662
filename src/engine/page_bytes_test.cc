#include "engine/page_bytes.h"

#include <gtest/gtest.h>
#include <vector>

#include "base/test_seed.h"
#include "value/test_items.h"

namespace dolmen::engine {
namespace {

EncodedItem item_of(AttributeValue value) { return encode_item(Item{{"a", std::move(value)}}); }

TEST(PageBytes, reach_a_limit_with_the_item_that_measuring_all_of_them_would_name) {
  RandomItems random(test_seed("the items"));
  for (const std::size_t limit : {std::size_t{1}, std::size_t{50}, std::size_t{2'000}, std::size_t{20'000}}) {
    PageBytes page;
    std::vector<EncodedItem> items;
    std::size_t measured = 0;
    while (measured < limit) {
      page.add_unmeasured(items.emplace_back(encode_item(random.item())));
      measured += item_size(items.back().bytes);
      ASSERT_EQ(page.reach(limit, items), measured >= limit) << "with " << items.size() << " items";
    }
    EXPECT_EQ(page.measured(), measured);
  }
}

TEST(PageBytes, know_how_much_larger_than_its_encoded_form_an_item_can_count) {
  const List elements(1'000, AttributeValue(true));
  for (const AttributeValue& value : {AttributeValue(List()), AttributeValue(Item()), AttributeValue(elements),
                                      AttributeValue(List(1'000, AttributeValue(List()))), AttributeValue(nullptr)}) {
    const EncodedItem item = item_of(value);
    EXPECT_LE(item_size(item.bytes), item.bytes.size() * PageBytes::kSizePerEncodedByte);
  }
}

TEST(PageBytes, add_up_what_is_measured_at_once) {
  PageBytes page;
  page.add(10);
  EXPECT_FALSE(page.reach(11, {}));
  page.add(1);
  EXPECT_TRUE(page.reach(11, {}));
  EXPECT_EQ(page.measured(), 11U);
  EXPECT_EQ(page.about(), 11U);
}

}  // namespace
}  // namespace dolmen::engine
