#pragma once

#include <filesystem>
#include <memory>

#include "base/file_writer.h"
#include "dolmen/isr/bodies.h"

namespace dolmen {

/// `open_body_directory` with a writer that a test can observe.
Result<std::unique_ptr<BodyStore>> open_body_directory(const std::filesystem::path& directory, const FileWriter& files);

}  // namespace dolmen
