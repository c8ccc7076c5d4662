#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The names that RocksDB gives to files of a database.
namespace dolmen::storage {

/// The number of a log, such as "000012.log"; nothing for other files.
std::optional<std::uint64_t> log_number(std::string_view name);
std::string log_name(std::uint64_t number);

/// The number of a list of files, such as "MANIFEST-000005"; nothing for other files. It can outgrow the six digits
/// that it is padded to.
std::optional<std::uint64_t> manifest_number(std::string_view name);

/// The part of a path after its last slash.
std::string_view name_in(std::string_view path);

}  // namespace dolmen::storage
