#pragma once

#include <atomic>
#include <string>

#include "cli/command_line.h"
#include "cli/progress_line.h"
#include "dolmen/error.h"
#include "transfer/table_walk.h"

namespace dolmen::cli {

/// How a verb reads all items of a table.
struct WalkFlags {
  std::string resume;
  unsigned segments = 4;
  double rate = 0;
};

/// Adds --resume, --segments and --rate.
void add_walk_flags(const Verb& verb, WalkFlags& flags);

/// Set by Ctrl-C and a signal to terminate, once `stop_on_signals` was called: the walk ends after its pages, so that
/// it can be resumed.
std::atomic<bool>& walk_interrupted();
void stop_on_signals();

/// The error of a walk that ended early, with the advice to go on when the flags have --resume.
Error with_resume_advice(const Error& error, const WalkFlags& flags);

/// `purpose` is what a file of --resume must belong to.
transfer::WalkOptions walk_options(const WalkFlags& flags, const std::string& purpose, ProgressLine& line);

}  // namespace dolmen::cli
