#pragma once

#include <string_view>

/// Files of `dolmen demo` that show what the console draws: several kinds in one table, vectors, versions of a schema.
namespace dolmen::cli {

/// Two models that share the table `shop`.
std::string_view demo_shop_models();
/// Items of the shop, one on each line. Three of them break their models.
std::string_view demo_shop_items();
/// Items with vectors in four heaps, one on each line; the same in every run.
std::string_view demo_stones();
/// The second version of the schema `articles`.
std::string_view demo_articles_v2();
/// Documents of its first version, one on each line.
std::string_view demo_articles();

}  // namespace dolmen::cli
