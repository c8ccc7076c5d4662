#pragma once

#include <array>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "base/test_directory.h"

namespace dolmen {

/// For its lifetime the process runs in a locale with a decimal comma, as many users' programs do. No locale has to be
/// installed: it makes one in the form that the GNU C library reads.
class DecimalComma {
 public:
  DecimalComma() {
    std::filesystem::create_directories(folder_ / "comma");
    std::ofstream(folder_ / "comma" / "LC_NUMERIC", std::ios::binary) << numeric_category();
    ::setenv("LOCPATH", folder_.path().c_str(), 1);
    std::setlocale(LC_NUMERIC, "comma");
    ::unsetenv("LOCPATH");
  }
  ~DecimalComma() { std::setlocale(LC_NUMERIC, "C"); }
  DecimalComma(const DecimalComma&) = delete;
  DecimalComma& operator=(const DecimalComma&) = delete;

  /// False on a machine whose C library keeps its locales in another form.
  [[nodiscard]] static bool is_set() { return std::string_view(std::localeconv()->decimal_point) == ","; }

 private:
  /// A magic number, the number of fields, where each lies, and the fields: the decimal point, the thousands separator,
  /// the grouping, both signs as wide characters, and the name of the character set.
  static std::string numeric_category() {
    std::array<std::string, 6> fields = {std::string(",\0\0\0", 4), std::string(4, '\0'), std::string(4, '\0'),
                                         std::string(",\0\0\0", 4), std::string(4, '\0'), std::string("UTF-8\0", 6)};
    std::string file;
    append_word(file, 0x20031115 ^ LC_NUMERIC);
    append_word(file, fields.size());
    std::size_t offset = 8 + 4 * fields.size();
    for (const std::string& field : fields) {
      append_word(file, offset);
      offset += field.size();
    }
    for (const std::string& field : fields) file += field;
    return file;
  }

  static void append_word(std::string& file, std::size_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    file.append(reinterpret_cast<const char*>(&word), sizeof word);
  }

  TemporaryDirectory folder_;
};

}  // namespace dolmen
