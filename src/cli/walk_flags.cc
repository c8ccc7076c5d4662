#include "cli/walk_flags.h"

#include <csignal>

#include "protocol/digest.h"

namespace dolmen::cli {

void add_walk_flags(const Verb& verb, WalkFlags& flags) {
  verb.text("--resume", flags.resume,
            "Keep the position in this file, and go on from it when it exists; it is removed at the end")
      .shown_as("FILE")
      .not_empty();
  verb.number("--segments", flags.segments, "Parts of the table that are read at a time", {1, 64});
  verb.number("--rate", flags.rate, "Read units that may be used in a second; 0 means as many as there are",
              {0, 1'000'000});
}

std::atomic<bool>& walk_interrupted() {
  static std::atomic<bool> interrupted = false;
  return interrupted;
}

void stop_on_signals() {
  // Made before a signal can come: the making of a static variable must not happen in a handler.
  walk_interrupted() = false;
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, [](int) { walk_interrupted() = true; });
}

Error with_resume_advice(const Error& error, const WalkFlags& flags) {
  // kIo is about the file itself.
  if (flags.resume.empty() || error.code() == Code::kInvalidArgument || error.code() == Code::kIo) return error;
  return Error(error.code(), error.message() + "; the same command goes on where it stopped");
}

transfer::WalkOptions walk_options(const WalkFlags& flags, const std::string& purpose, ProgressLine& line) {
  return {.segments = flags.segments,
          .units_per_second = flags.rate,
          .resume = flags.resume,
          .purpose = hex_sha256(purpose),
          .progress = [&line](const transfer::Progress& progress) { line.show(progress); },
          .stopped = [] { return walk_interrupted().load(); }};
}

}  // namespace dolmen::cli
