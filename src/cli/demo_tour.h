#pragma once

#include <span>
#include <string_view>

#include "cli/command_line.h"

/// What `dolmen demo` writes and runs.
namespace dolmen::cli {

struct DemoFile {
  std::string_view path;
  std::string_view text;
};

/// What a program or an operator does, for which there is no verb.
enum class DemoStep { kCommand, kPublishPages, kPutUsers, kKeepHistory };

struct DemoCommand {
  /// A line as `dolmen shell` takes it; empty for a step.
  std::string_view line = {};
  /// The exit code that it must have: some commands show what is refused.
  ExitCode expected = kDone;
  /// Only where the demo has a store of its own.
  bool own_store = false;
  DemoStep step = DemoStep::kCommand;
};

/// A part of the tour.
struct DemoChapter {
  std::string_view title;
  std::span<const DemoCommand> commands;
};

std::span<const DemoFile> demo_files();
std::span<const DemoChapter> demo_chapters();

}  // namespace dolmen::cli
