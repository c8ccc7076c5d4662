#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "steps.h"

/// What steps need to tell what they observed.
namespace dolmen::torture {

inline Observed failed(const Error& error) { return {.code = error.code()}; }
inline Observed failed(Code code) { return {.code = code}; }

template <class R>
Observed said(const R& result, const std::function<std::string(const typename R::value_type&)>& print) {
  if (!result) return failed(result.error());
  return {.text = print(*result)};
}

template <class R>
Observed done(const R& result) {
  return result ? Observed{} : failed(result.error());
}

template <class R>
Observed yes_or_no(const R& result) {
  return said(result, [](bool yes) { return yes ? "yes" : "no"; });
}

inline std::string counted(const DeleteCount& count) {
  return fmt::format("{} resources, {} edges, {} memberships, {} values", count.resources, count.edges,
                     count.memberships, count.unique_values);
}

inline std::string joined(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, " ")); }

/// All pages of a list, one after the other.
template <class T, class Read, class Print>
Observed all_pages(ListOptions page, Read read, Print print) {
  std::vector<std::string> all;
  for (int pages = 0; pages < 10'000; ++pages) {
    const Result<ListPage<T>> part = read(page);
    if (!part) return failed(part.error());
    if (part->items.size() > page.limit) return {.text = "a page with more than its limit"};
    for (const T& item : part->items) all.push_back(print(item));
    if (part->token.empty()) return {.text = joined(all)};
    page.token = part->token;
  }
  return {.text = "a list without an end"};
}

inline std::string membership_text(const std::string& collection, const std::string& member, bool conveys) {
  return fmt::format("{}>{}{}", collection, member, conveys ? "!" : "");
}

template <class Container>
std::vector<std::string> reversed_if(bool reversed, const Container& list) {
  std::vector<std::string> made(list.begin(), list.end());
  if (reversed) made = {made.rbegin(), made.rend()};
  return made;
}

inline std::string resource_text(const std::string& urn, const std::optional<std::string>& parent,
                                 const std::map<std::string, std::string>& attributes) {
  std::string text = urn + "<" + parent.value_or("");
  for (const auto& [name, value] : attributes) text += fmt::format(",{}={}", name, value);
  return text;
}

inline std::string real_text(const Resource& resource) {
  std::map<std::string, std::string> attributes;
  for (const auto& [name, value] : resource.attributes) attributes.emplace(name, value.string());
  return resource_text(resource.urn, resource.parent, attributes);
}

inline std::string model_text(const Model& model, const std::string& urn) {
  return resource_text(urn, model.resources.at(urn).parent, model.current_attributes(urn));
}

}  // namespace dolmen::torture
