#include "cli/response.h"

namespace dolmen::cli {

std::vector<ObjectView> objects_in(const ObjectView& response, std::string_view name) {
  std::vector<ObjectView> objects;
  for (const std::string_view json : response.list(name).value_or(std::vector<std::string_view>()))
    if (Result<ObjectView> object = ObjectView::response(json)) objects.push_back(*std::move(object));
  return objects;
}

std::vector<std::string> texts_in(const ObjectView& response, std::string_view name) {
  std::vector<std::string> texts;
  for (const std::string_view json : response.list(name).value_or(std::vector<std::string_view>()))
    if (std::optional<std::string> text = json_text(json)) texts.push_back(*std::move(text));
  return texts;
}

}  // namespace dolmen::cli
