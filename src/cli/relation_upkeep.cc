// dolmen relation: deletes, schema versions, and keeping the table in order.
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "base/fail.h"
#include "cli/relation_flags.h"

namespace dolmen::cli {
namespace {

std::string counted(const DeleteCount& count) {
  return fmt::format("{} resources, {} edges, {} memberships, {} unique values", count.resources, count.edges,
                     count.memberships, count.unique_values);
}

LogicalItem describe_count(const DeleteCount& count) {
  return {{"resources", count.resources},
          {"edges", count.edges},
          {"memberships", count.memberships},
          {"uniqueValues", count.unique_values}};
}

/// Tells a person how a long delete goes on: one line that changes in a terminal, one every second elsewhere.
class ProgressLine {
 public:
  void show(const DeleteProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(1000));
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const auto since = static_cast<double>(progress.deleted.resources - first_.value_or(progress.deleted.resources));
    if (!first_) first_ = progress.deleted.resources;
    fmt::print(stderr, "{}deleting {}  {} resources  {:.0f}/s{}", terminal_ ? "\r" : "", progress.root,
               progress.deleted.resources, seconds > 0 ? since / seconds : 0, terminal_ ? "" : "\n");
    std::fflush(stderr);
    shown_ = true;
  }
  ~ProgressLine() {
    if (shown_ && terminal_) fmt::print(stderr, "\n");
  }
  ProgressLine() = default;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  std::optional<std::uint64_t> first_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = start_;
};

/// Who refers to the resource; empty when nobody does.
std::string referring(const References& references) {
  if (references == References{}) return "";
  return fmt::format("{} children and {} resources of the account", references.children, references.of_account);
}

RelationAnswer deleted(const RemoveResult& result, const RelationFlags& flags) {
  const std::string others = referring(result.references);
  std::string text = fmt::format("{} {}\n", flags.dry_run ? "would delete" : "deleted", counted(result.count));
  if (!others.empty() && !flags.reassign_to.empty())
    text += fmt::format("{} to {}: {}\n", flags.dry_run ? "would go" : "gone", flags.reassign_to, others);
  else if (!others.empty())
    text += fmt::format("referring to it: {}\n", others);
  LogicalItem json{{"dryRun", flags.dry_run}, {"job", result.job}, {"deleted", describe_count(result.count)}};
  if (flags.dry_run || !flags.reassign_to.empty())
    json["references"] =
        LogicalItem{{"children", result.references.children}, {"ofAccount", result.references.of_account}};
  return {.text = std::move(text), .json = std::move(json)};
}

/// Shows what would go and asks, when a person sits at a terminal and more is concerned than the resource itself.
std::function<bool(const RemoveResult&)> question(const RelationFlags& flags) {
  if (flags.yes || flags.json || isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) return {};
  return [](const RemoveResult& plan) {
    const std::string others = referring(plan.references);
    if (others.empty()) return true;
    fmt::print(stderr, "This deletes {}. Referring to it: {}. Go on? [y/N] ", counted(plan.count), others);
    std::fflush(stderr);
    const int answer = std::getchar();
    return answer == 'y' || answer == 'Y';
  };
}

RelationAnswer jobs(const std::vector<DeleteProgress>& list, const char* none) {
  RelationAnswer made;
  LogicalValue::List described;
  for (const DeleteProgress& job : list) {
    made.text += progress_text(job);
    described.emplace_back(describe_progress(job));
  }
  if (list.empty()) made.text = std::string(none) + "\n";
  made.json = LogicalItem{{"jobs", std::move(described)}};
  return made;
}

Scope scope_of(const RelationFlags& flags) {
  Scope scope{.type = flags.type, .whole_table = flags.all};
  if (!flags.below.empty()) scope.below = flags.below;
  if (!flags.account.empty()) scope.account = flags.account;
  return scope;
}

using Examine = Result<FindingPage> (Relations::*)(const Scope&, const ListOptions&);

Result<RelationAnswer> examine(Relations& graph, const RelationFlags& flags, Examine pages) {
  RelationAnswer made;
  LogicalValue::List list;
  ListOptions options{.limit = flags.limit};
  std::uint64_t examined = 0;
  std::uint64_t deleting = 0;
  std::uint64_t open = 0;
  do {
    DOLMEN_TRY(const FindingPage page, (graph.*pages)(scope_of(flags), options));
    examined += page.examined;
    deleting += page.deleting;
    for (const Finding& finding : page.findings) {
      open += finding.repaired.empty() ? 1 : 0;
      made.text += fmt::format("{}  {}: {}{}\n", finding.kind, finding.subject, finding.message,
                               finding.repaired.empty() ? "" : "; " + finding.repaired);
      list.emplace_back(LogicalItem{{"kind", finding.kind},
                                    {"subject", finding.subject},
                                    {"message", finding.message},
                                    {"repaired", finding.repaired}});
    }
    options.token = page.token;
  } while (!options.token.empty());
  made.text += fmt::format("{} examined, {} findings\n", examined, list.size());
  if (deleting > 0) made.text += fmt::format("{} belong to deletes that have not ended\n", deleting);
  made.json = LogicalItem{{"examined", examined}, {"deleting", deleting}, {"findings", std::move(list)}};
  made.good = open == 0;
  return made;
}

}  // namespace

std::string progress_text(const DeleteProgress& progress) {
  return fmt::format("{}\n  {} of {}, begun {}: {}\n", progress.job, job_kind_name(progress.kind), progress.root,
                     progress.started_at,
                     progress.kind == JobKind::kAccount ? fmt::format("{} reassigned", progress.reassigned)
                                                        : counted(progress.deleted) + " deleted");
}

LogicalItem describe_progress(const DeleteProgress& progress) {
  return {{"job", progress.job},
          {"kind", job_kind_name(progress.kind)},
          {"root", progress.root},
          {"startedAt", progress.started_at},
          {"deleted", describe_count(progress.deleted)},
          {"reassigned", progress.reassigned}};
}

Result<RelationAnswer> delete_resource(Relations& graph, const RelationFlags& flags) {
  ProgressLine line;
  if (flags.restricted && !flags.reassign_to.empty())
    return fail(Code::kInvalidArgument, "--restrict and --reassign-to exclude each other");
  RemoveOptions options{.dry_run = flags.dry_run, .confirm = question(flags)};
  if (flags.restricted) options.mode = DeleteMode::kRestrict;
  if (!flags.reassign_to.empty()) {
    options.mode = DeleteMode::kReassign;
    options.reassign_to = flags.reassign_to;
  }
  if (!flags.json) options.on_progress = [&](const DeleteProgress& progress) { line.show(progress); };
  DOLMEN_TRY(const RemoveResult result, graph.remove(flags.urn, options));
  return deleted(result, flags);
}

Result<RelationAnswer> purge_account(Relations& graph, const RelationFlags& flags) {
  ProgressLine line;
  RemoveOptions options{.dry_run = flags.dry_run, .confirm = question(flags)};
  if (!flags.json) options.on_progress = [&](const DeleteProgress& progress) { line.show(progress); };
  DOLMEN_TRY(const RemoveResult result, graph.purge_account(flags.urn, options));
  return deleted(result, flags);
}

Result<RelationAnswer> reassign_account(Relations& graph, const RelationFlags& flags) {
  ReassignAccount request{
      .urn = flags.urn, .account = flags.account, .allow_cross_account = flags.cross_account, .dry_run = flags.dry_run};
  if (!flags.parent.empty()) request.parent = flags.parent;
  DOLMEN_TRY(const ReassignResult done, graph.reassign_account(request));
  return RelationAnswer{
      .text =
          fmt::format("{} {} resources to {}\n", flags.dry_run ? "would give" : "gave", done.resources, flags.account),
      .json = LogicalItem{{"dryRun", flags.dry_run}, {"job", done.job}, {"resources", done.resources}}};
}

Result<RelationAnswer> pending_deletes(Relations& graph, const RelationFlags& /*flags*/) {
  DOLMEN_TRY(const std::vector<DeleteProgress> pending, graph.pending_deletes());
  return jobs(pending, "no delete is pending");
}

Result<RelationAnswer> resume_deletes(Relations& graph, const RelationFlags& flags) {
  if (flags.watch) return watch_deletes(graph, flags);
  ProgressLine line;
  OnProgress watch;
  if (!flags.json) watch = [&](const DeleteProgress& progress) { line.show(progress); };
  DOLMEN_TRY(const std::vector<DeleteProgress> done, graph.resume_deletes(watch));
  return jobs(done, "no delete was pending");
}

Result<RelationAnswer> rewrite_resources(Relations& graph, const RelationFlags& flags) {
  std::uint64_t rewritten = 0;
  std::uint64_t unchanged = 0;
  ListOptions options{.limit = flags.limit};
  do {
    DOLMEN_TRY(const RewritePage page, graph.rewrite(scope_of(flags), options));
    rewritten += page.rewritten;
    unchanged += page.unchanged;
    options.token = page.token;
  } while (!options.token.empty());
  return RelationAnswer{.text = fmt::format("{} rewritten, {} unchanged\n", rewritten, unchanged),
                        .json = LogicalItem{{"rewritten", rewritten}, {"unchanged", unchanged}}};
}

Result<RelationAnswer> verify_table(Relations& graph, const RelationFlags& flags) {
  return examine(graph, flags, &Relations::verify);
}

Result<RelationAnswer> repair_table(Relations& graph, const RelationFlags& flags) {
  return examine(graph, flags, &Relations::repair);
}

}  // namespace dolmen::cli
