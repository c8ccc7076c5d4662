#include "steps.h"

#include <array>

#include "observed.h"

namespace dolmen::torture {
namespace {

constexpr std::array kTypes{kSystem, kAccount, kUser, kFolder, kFolder, kJob, kGroup};
constexpr std::array kValues{"Acme", "ACME", "Bolt", "bolt", "Straße", "STRASSE", "a#b", "Ost"};

std::string key_of(const std::string& type) {
  if (type == kAccount) return "name";
  return type == kUser ? "email" : "path";
}

}  // namespace

std::string printed(const Observed& observed) {
  return observed.code ? std::string(code_name(*observed.code)) : "\"" + observed.text + "\"";
}

std::string Steps::type() { return kTypes[below(kTypes.size())]; }

std::string Steps::urn_of(const std::string& type) {
  const std::uint64_t ids = type == kFolder ? 10 : (type == kSystem ? 1 : (type == kAccount ? 3 : 6));
  return fmt::format("urn:pp:{}::{}", type, below(ids));
}

std::string Steps::urn() {
  if (!existing_.empty() && chance(70)) return existing_[below(existing_.size())];
  return urn_of(type());
}

std::string Steps::value_of(const std::string& type) {
  if (chance(2)) return "";
  if (chance(2)) return std::string(1100, 'x');
  (void)type;
  return kValues[below(kValues.size())];
}

UniqueValue Steps::unique_value() {
  constexpr std::array kWithUnique{kAccount, kUser, kFolder};
  UniqueValue value{.type = kWithUnique[below(kWithUnique.size())]};
  value.key = key_of(value.type);
  value.value = kValues[below(kValues.size())];
  if (value.type == kFolder) value.account = urn_of(kAccount);
  return value;
}

ListOptions Steps::page() {
  return {.limit = static_cast<std::uint32_t>(chance(30) ? 1000 : 1 + below(4)), .descending = chance(30)};
}

Step Steps::create() {
  CreateResource request{.type = type()};
  request.id = std::string(1, urn_of(request.type).back());
  if (request.type != kSystem && chance(70)) request.parent = urn();
  if (chance(20)) request.account = urn_of(chance(80) ? kAccount : kUser);
  if (request.type != kSystem && request.type != kJob && request.type != kGroup && chance(60))
    request.unique = {{key_of(request.type), value_of(request.type)}};
  if (chance(40)) request.attributes.set(request.type == kJob ? "title" : "note", kValues[below(kValues.size())]);
  for (std::uint64_t n = chance(25) ? 1 + below(2) : 0; n > 0; --n)
    request.collections.push_back(
        {.collection = urn(), .conveys_authorization = chance(50), .allow_cross_account = chance(20)});
  const bool old = chance(50);
  return {"create " + request.type + "::" + request.id, StepKind::kWrite,
          [=](Graphs graphs) {
            return said((old ? graphs.old : graphs.current).create(request),
                        [](const Resource& resource) { return resource.urn; });
          },
          [=](Model& model) {
            return said(model.create(request, old ? 1 : 2), [](const std::string& urn) { return urn; });
          }};
}

Step Steps::update() {
  UpdateResource request{.urn = urn()};
  const std::string type = Urn::parse(request.urn)->type;
  if (chance(60)) request.set.set(chance(70) ? key_of(type) : "note", value_of(type));
  if (chance(30)) request.remove.push_back(chance(50) ? key_of(type) : "note");
  const bool stale = chance(10);
  if (stale) request.if_updated_at = "1999-01-01T00:00:00.000Z";
  return {"update " + request.urn, StepKind::kWrite,
          [=](Graphs graphs) { return done(graphs.current.update(request)); },
          [=](Model& model) { return done(model.update(request, stale)); }};
}

Step Steps::reserve() {
  const UniqueValue value = unique_value();
  return {"reserve " + value.value, StepKind::kWrite,
          [=](Graphs graphs) { return done(graphs.current.reserve_unique(value)); },
          [=](Model& model) { return done(model.reserve(value)); }};
}

Step Steps::release() {
  const UniqueValue value = unique_value();
  return {"release " + value.value, StepKind::kWrite,
          [=](Graphs graphs) { return yes_or_no(graphs.current.release_unique(value)); },
          [=](Model& model) { return yes_or_no(model.release(value)); }};
}

Step Steps::transfer(const Model& model) {
  TransferUnique request{.value = unique_value(), .to = {}};
  request.to = urn_of(request.value.type);
  const auto owners = model.unique_values();
  const auto unique = model.unique_of(request.value);
  const auto owner = unique ? owners.find(*unique) : owners.end();
  if (owner != owners.end() && chance(80))
    request.from = owner->second;
  else if (chance(30))
    request.from = urn_of(request.value.type);
  return {"transfer " + request.value.value + " to " + request.to, StepKind::kWrite,
          [=](Graphs graphs) { return done(graphs.current.transfer_unique(request)); },
          [=](Model& model_now) { return done(model_now.transfer(request)); }};
}

Step Steps::attach() {
  const std::string child = urn();
  const std::string parent = urn();
  return {"attach " + child + " to " + parent, StepKind::kWrite,
          [=](Graphs graphs) { return yes_or_no(graphs.current.attach(child, parent)); },
          [=](Model& model) { return yes_or_no(model.attach(child, parent)); }};
}

Step Steps::detach() {
  const std::string child = urn();
  return {"detach " + child, StepKind::kWrite, [=](Graphs graphs) { return yes_or_no(graphs.current.detach(child)); },
          [=](Model& model) { return yes_or_no(model.detach(child)); }};
}

Step Steps::add_member() {
  const std::string member = urn();
  const JoinCollection into{
      .collection = urn(), .conveys_authorization = chance(50), .allow_cross_account = chance(30)};
  return {"add " + member + " to " + into.collection, StepKind::kWrite,
          [=](Graphs graphs) { return yes_or_no(graphs.current.add_member(member, into)); },
          [=](Model& model) { return yes_or_no(model.add_member(member, into)); }};
}

Step Steps::remove_member() {
  const std::string member = urn();
  const std::string collection = urn();
  return {"remove " + member + " from " + collection, StepKind::kWrite,
          [=](Graphs graphs) { return yes_or_no(graphs.current.remove_member(member, collection)); },
          [=](Model& model) { return yes_or_no(model.remove_member(member, collection)); }};
}

Step Steps::remove(const Model& model) {
  std::string root = urn();
  // Often the whole family, so that it is more than a transaction.
  if (model.has(root) && chance(60))
    if (const std::vector<std::string> above = model.ancestors(root); !above.empty()) root = above.front();
  const DeleteMode mode = chance(25) ? DeleteMode::kRestrict : DeleteMode::kCascade;
  return {(mode == DeleteMode::kCascade ? "cascade " : "restrict ") + root, StepKind::kCascade,
          [=](Graphs graphs) {
            return said(graphs.current.remove(root, {.mode = mode}),
                        [](const RemoveResult& result) { return counted(result.count); });
          },
          [=](Model& model_now) { return said(model_now.remove(root, mode), counted); }};
}

Step Steps::remove_reassigning() {
  const std::string root = chance(50) ? urn_of(kAccount) : urn();
  const std::string to = root.starts_with("urn:pp:System.Account::") && chance(80) ? urn_of(kAccount) : urn();
  return {"reassign from " + root + " to " + to + " and delete", StepKind::kReassign,
          [=](Graphs graphs) {
            return said(graphs.current.remove(root, {.mode = DeleteMode::kReassign, .reassign_to = to}),
                        [](const RemoveResult& result) { return counted(result.count); });
          },
          [=](Model& model) { return said(model.remove_reassigning(root, to), counted); }};
}

Step Steps::reassign_account() {
  ReassignAccount request{.urn = urn(), .account = urn_of(chance(90) ? kAccount : kUser)};
  if (chance(50)) request.parent = chance(60) ? request.account : urn();
  request.allow_cross_account = chance(50);
  return {"reassign " + request.urn + " to " + request.account, StepKind::kReassign,
          [=](Graphs graphs) {
            return said(graphs.current.reassign_account(request),
                        [](const ReassignResult& result) { return std::to_string(result.resources); });
          },
          [=](Model& model) {
            return said(model.reassign_account(request), [](std::uint64_t count) { return std::to_string(count); });
          }};
}

Step Steps::purge() {
  const std::string account = urn_of(chance(90) ? kAccount : kUser);
  return {"purge " + account, StepKind::kPurge,
          [=](Graphs graphs) {
            return said(graphs.current.purge_account(account),
                        [](const RemoveResult& result) { return counted(result.count); });
          },
          [=](Model& model) { return said(model.purge(account), counted); }};
}

Step Steps::rewrite() {
  const std::string root = urn();
  const ListOptions first{.limit = static_cast<std::uint32_t>(1 + below(5))};
  return {"rewrite below " + root, StepKind::kRewrite,
          [=](Graphs graphs) {
            ListOptions page = first;
            do {
              const Result<RewritePage> part = graphs.current.rewrite({.below = root}, page);
              if (!part) return failed(part.error());
              page.token = part->token;
            } while (!page.token.empty());
            return Observed{};
          },
          [=](Model& model) {
            if (!model.has(root)) return failed(Code::kResourceNotFound);
            model.rewrite(root);
            for (const std::string& each : model.descendants(root)) model.rewrite(each);
            return Observed{};
          }};
}

Step Steps::next(const Model& model) {
  existing_.clear();
  for (const auto& [urn, resource] : model.resources) existing_.push_back(urn);
  const std::uint64_t n = below(100);
  if (n < 25 || existing_.size() < 10) return create();
  if (n < 28) return reassign_account();
  if (n < 35) return attach();
  if (n < 38) return detach();
  if (n < 46) return add_member();
  if (n < 49) return remove_member();
  if (n < 57) return update();
  if (n < 60) return transfer(model);
  if (n < 62) return reserve();
  if (n < 64) return release();
  if (n < 69) return remove(model);
  if (n < 70) return remove_reassigning();
  if (n < 72) return purge();
  if (n < 74) return rewrite();
  Step (Steps::* const reads[])() = {&Steps::get,
                                     &Steps::get_many,
                                     &Steps::dry_run,
                                     &Steps::children,
                                     &Steps::descendants,
                                     &Steps::ancestors,
                                     &Steps::members,
                                     &Steps::collections,
                                     &Steps::by_account,
                                     &Steps::by_unique,
                                     &Steps::unique_values,
                                     &Steps::verify,
                                     &Steps::authorization_path,
                                     &Steps::authorization_reach};
  return (this->*reads[below(std::size(reads))])();
}

}  // namespace dolmen::torture
