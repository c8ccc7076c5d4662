#include "schema/catalogue.h"

#include <charconv>
#include <fmt/format.h>
#include <vector>

#include "base/fail.h"
#include "schema/digest.h"

namespace dolmen::schema {
namespace {

constexpr std::string_view kFirstLine = "dolmen schema catalogue, format 1\n";

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> all;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    all.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return all;
}

void read_line(std::string_view line, Catalogue& catalogue) {
  const std::vector<std::string_view> parts = words(line);
  if (parts.size() != 5 || (parts[0] != "published" && parts[0] != "publishing")) return;
  CatalogueEntry entry{.publishing = parts[0] == "publishing", .sha256 = std::string(parts[4])};
  std::from_chars(parts[3].data(), parts[3].data() + parts[3].size(), entry.length);
  catalogue.emplace(SchemaRef{.id = std::string(parts[1]), .version = std::string(parts[2])}, std::move(entry));
}

}  // namespace

std::string catalogue_text(const Catalogue& catalogue) {
  std::string text(kFirstLine);
  for (const auto& [ref, entry] : catalogue)
    text += fmt::format("{} {} {} {} {}\n", entry.publishing ? "publishing" : "published", ref.id, ref.version,
                        entry.length, entry.sha256);
  return text += fmt::format("end {}\n", sha256(text));
}

Result<Catalogue> read_catalogue(std::string_view text) {
  Catalogue catalogue;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    read_line(rest.substr(0, end), catalogue);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  // Whatever was read wrongly is written differently.
  if (catalogue_text(catalogue) != text) return fail(Code::kCorruption, "it is damaged");
  return catalogue;
}

}  // namespace dolmen::schema
