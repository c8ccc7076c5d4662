// What is read of a damaged store.
#include "storage/salvage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

namespace fs = std::filesystem;
using test::batch_of;
using test::Content;
using test::kRows;
using test::must;
using test::open_store;
using test::options_for;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Salvage : public testing::Test {
 protected:
  /// A store as a killed process leaves it, with a row in a file and two in the log.
  Salvage() {
    {
      const auto storage = open_store(options_for(temp_ / "living", Durability::kSync));
      must(storage->commit(batch_of(kRows, "a", "in a file")));
      must(storage->close());
    }
    const auto storage = open_store(options_for(temp_ / "living", Durability::kSync));
    must(storage->commit(batch_of(kRows, "b", "first in the log")));
    must(storage->commit(batch_of(kRows, "c", "second in the log")));
    fs::copy(temp_ / "living", store_, fs::copy_options::recursive);
  }

  Result<Salvaged> salvage() { return open_salvaged(store_, temp_ / "copy", options_for(store_).keyspaces); }

  static Content readable(const Salvaged& salvaged) {
    Content found;
    must(visit_readable(
        *salvaged.storage, kRows, {},
        [&](std::string_view key, std::string_view value) {
          found.emplace(key, value);
          return Result<void>();
        },
        [](const Error& cause) { ADD_FAILURE() << cause.message(); }));
    return found;
  }

  TemporaryDirectory temp_;
  const fs::path store_ = temp_ / "store";
};

TEST_F(Salvage, of_a_whole_store_loses_nothing) {
  const auto before = test::picture_of(store_);
  const Salvaged salvaged = salvage().value();
  EXPECT_THAT(salvaged.losses, IsEmpty());
  EXPECT_EQ(readable(salvaged), (Content{{"a", "in a file"}, {"b", "first in the log"}, {"c", "second in the log"}}));
  EXPECT_EQ(test::picture_of(store_), before);
}

TEST_F(Salvage, leaves_out_and_reports_what_is_damaged_in_a_log) {
  for (const fs::path& log : test::database_files(store_, ".log")) {
    std::string bytes = test::file_content(log);
    const std::size_t at = bytes.find("second in the log");
    if (at == std::string::npos) continue;
    bytes[at] = 'S';
    test::write_content(log, bytes);
  }
  const Salvaged salvaged = salvage().value();
  EXPECT_THAT(salvaged.losses, ElementsAre(HasSubstr(".log: ")));
  EXPECT_THAT(salvaged.losses, ElementsAre(HasSubstr("are not whole records")));
  EXPECT_EQ(readable(salvaged), (Content{{"a", "in a file"}, {"b", "first in the log"}}));
}

TEST_F(Salvage, does_not_write_over_anything) {
  fs::create_directory(temp_ / "copy");
  test::write_content(temp_ / "copy" / "precious", "x");
  EXPECT_FALSE(salvage().has_value());
  EXPECT_EQ(test::file_content(temp_ / "copy" / "precious"), "x");
}

}  // namespace
}  // namespace dolmen::storage
