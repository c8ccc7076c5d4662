#include "steps.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dolmen::torture {
namespace {

constexpr std::array kTypes{kSystem, kAccount, kUser, kFolder, kFolder, kJob, kGroup};
constexpr std::array kValues{"Acme", "ACME", "Bolt", "bolt", "Straße", "STRASSE", "a#b", "Ost"};

std::string key_of(const std::string& type) {
  if (type == kAccount) return "name";
  return type == kUser ? "email" : "path";
}

Observed failed(const Error& error) { return {.code = error.code()}; }
Observed failed(Code code) { return {.code = code}; }

template <class R>
Observed said(const R& result, const std::function<std::string(const typename R::value_type&)>& print) {
  if (!result) return failed(result.error());
  return {.text = print(*result)};
}

template <class R>
Observed done(const R& result) {
  return result ? Observed{} : failed(result.error());
}

template <class R>
Observed yes_or_no(const R& result) {
  return said(result, [](bool yes) { return yes ? "yes" : "no"; });
}

std::string counted(const DeleteCount& count) {
  return fmt::format("{} resources, {} edges, {} memberships, {} values", count.resources, count.edges,
                     count.memberships, count.unique_values);
}

std::string joined(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, " ")); }

/// All pages of a list, one after the other.
template <class T, class Read, class Print>
Observed all_pages(ListOptions page, Read read, Print print) {
  std::vector<std::string> all;
  for (int pages = 0; pages < 10'000; ++pages) {
    const Result<ListPage<T>> part = read(page);
    if (!part) return failed(part.error());
    if (part->items.size() > page.limit) return {.text = "a page with more than its limit"};
    for (const T& item : part->items) all.push_back(print(item));
    if (part->token.empty()) return {.text = joined(all)};
    page.token = part->token;
  }
  return {.text = "a list without an end"};
}

std::string membership_text(const std::string& collection, const std::string& member, bool conveys) {
  return fmt::format("{}>{}{}", collection, member, conveys ? "!" : "");
}

template <class Container>
std::vector<std::string> reversed_if(bool reversed, const Container& list) {
  std::vector<std::string> made(list.begin(), list.end());
  if (reversed) made = {made.rbegin(), made.rend()};
  return made;
}

std::string resource_text(const std::string& urn, const std::optional<std::string>& parent,
                          const std::map<std::string, std::string>& attributes) {
  std::string text = urn + "<" + parent.value_or("");
  for (const auto& [name, value] : attributes) text += fmt::format(",{}={}", name, value);
  return text;
}

std::string real_text(const Resource& resource) {
  std::map<std::string, std::string> attributes;
  for (const auto& [name, value] : resource.attributes) attributes.emplace(name, value.string());
  return resource_text(resource.urn, resource.parent, attributes);
}

std::string model_text(const Model& model, const std::string& urn) {
  return resource_text(urn, model.resources.at(urn).parent, model.current_attributes(urn));
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

Step Steps::get() {
  const std::string wanted = urn();
  const bool strict = chance(30);
  return {"get " + wanted, StepKind::kRead,
          [=](Graphs graphs) { return said(graphs.current.get(wanted, {.strict = strict}), real_text); },
          [=](Model& model) {
            return model.has(wanted) ? Observed{.text = model_text(model, wanted)} : failed(Code::kResourceNotFound);
          }};
}

Step Steps::get_many() {
  std::vector<std::string> urns;
  for (std::uint64_t n = below(8); n > 0; --n) urns.push_back(urn());
  return {"get many", StepKind::kRead,
          [=](Graphs graphs) {
            return said(graphs.current.get_many(urns), [](const std::vector<std::optional<Resource>>& found) {
              std::vector<std::string> texts;
              for (const auto& each : found) texts.push_back(each ? real_text(*each) : "-");
              return joined(texts);
            });
          },
          [=](Model& model) {
            std::vector<std::string> texts;
            for (const std::string& each : urns) texts.push_back(model.has(each) ? model_text(model, each) : "-");
            return Observed{.text = joined(texts)};
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

Step Steps::dry_run() {
  const std::string root = urn();
  return {"dry run " + root, StepKind::kRead,
          [=](Graphs graphs) {
            return said(graphs.current.remove(root, {.dry_run = true}),
                        [](const RemoveResult& result) { return counted(result.count); });
          },
          [=](Model& model) { return said(Model(model).remove(root, DeleteMode::kCascade), counted); }};
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

Step Steps::children() {
  const std::string parent = urn();
  const ListOptions options = page();
  return {"children of " + parent, StepKind::kRead,
          [=](Graphs graphs) {
            return all_pages<ChildLink>(
                options, [&](const ListOptions& at) { return graphs.current.children(parent, at); },
                [](const ChildLink& child) { return child.urn; });
          },
          [=](Model& model) {
            if (!model.has(parent)) return failed(Code::kResourceNotFound);
            return Observed{.text = joined(reversed_if(options.descending, model.children(parent)))};
          }};
}

Step Steps::descendants() {
  const std::string root = urn();
  ListOptions options = page();
  options.descending = false;
  const unsigned depth = chance(30) ? static_cast<unsigned>(1 + below(3)) : 0;
  return {"descendants of " + root, StepKind::kRead,
          [=](Graphs graphs) {
            return all_pages<Descendant>(
                options, [&](const ListOptions& at) { return graphs.current.descendants(root, depth, at); },
                [](const Descendant& each) { return fmt::format("{}<{}@{}", each.urn, each.parent, each.depth); });
          },
          [=](Model& model) {
            if (!model.has(root)) return failed(Code::kResourceNotFound);
            std::vector<std::string> texts;
            const std::size_t level = model.ancestors(root).size();
            for (const std::string& each : model.descendants(root)) {
              const std::size_t at = model.ancestors(each).size() - level;
              if (depth == 0 || at <= depth)
                texts.push_back(fmt::format("{}<{}@{}", each, *model.resources.at(each).parent, at));
            }
            return Observed{.text = joined(texts)};
          }};
}

Step Steps::ancestors() {
  const std::string below_it = urn();
  return {"ancestors of " + below_it, StepKind::kRead,
          [=](Graphs graphs) { return said(graphs.current.ancestors(below_it), joined); },
          [=](Model& model) {
            return model.has(below_it) ? Observed{.text = joined(model.ancestors(below_it))}
                                       : failed(Code::kResourceNotFound);
          }};
}

Step Steps::members() {
  const std::string collection = urn();
  const ListOptions options = page();
  return {"members of " + collection, StepKind::kRead,
          [=](Graphs graphs) {
            return all_pages<Membership>(
                options, [&](const ListOptions& at) { return graphs.current.members(collection, at); },
                [](const Membership& each) {
                  return membership_text(each.collection, each.member, each.conveys_authorization);
                });
          },
          [=](Model& model) {
            if (!model.has(collection)) return failed(Code::kResourceNotFound);
            std::vector<std::string> texts;
            for (const auto& [pair, conveys] : model.memberships)
              if (pair.first == collection) texts.push_back(membership_text(pair.first, pair.second, conveys));
            return Observed{.text = joined(reversed_if(options.descending, texts))};
          }};
}

Step Steps::collections() {
  const std::string member = urn();
  const ListOptions options = page();
  return {"collections of " + member, StepKind::kRead,
          [=](Graphs graphs) {
            return all_pages<Membership>(
                options, [&](const ListOptions& at) { return graphs.current.collections(member, at); },
                [](const Membership& each) {
                  return membership_text(each.collection, each.member, each.conveys_authorization);
                });
          },
          [=](Model& model) {
            if (!model.has(member)) return failed(Code::kResourceNotFound);
            std::vector<std::string> texts;
            for (const auto& [pair, conveys] : model.memberships)
              if (pair.second == member) texts.push_back(membership_text(pair.first, pair.second, conveys));
            return Observed{.text = joined(reversed_if(options.descending, texts))};
          }};
}

Step Steps::by_account() {
  AccountQuery query{.account = urn_of(kAccount)};
  if (chance(40)) query.type = chance(50) ? kFolder : kJob;
  const ListOptions options = page();
  return {"by account " + query.account, StepKind::kRead,
          [=](Graphs graphs) {
            return all_pages<Resource>(
                options, [&](const ListOptions& at) { return graphs.current.by_account(query, at); }, real_text);
          },
          [=](Model& model) {
            std::vector<std::string> texts;
            for (const auto& [urn, resource] : model.resources)
              if (resource.account == query.account && (query.type.empty() || resource.type == query.type))
                texts.push_back(model_text(model, urn));
            return Observed{.text = joined(reversed_if(options.descending, texts))};
          }};
}

Step Steps::by_unique() {
  const UniqueValue value = unique_value();
  return {"by unique " + value.value, StepKind::kRead,
          [=](Graphs graphs) {
            return said(graphs.current.get_by_unique(value), [](const Resource& each) { return each.urn; });
          },
          [=](Model& model) {
            const auto all = model.unique_values();
            const auto owner = all.find(*model.unique_of(value));
            return owner == all.end() ? failed(Code::kResourceNotFound) : Observed{.text = owner->second};
          }};
}

Step Steps::unique_values() {
  const UniqueValue of = unique_value();
  const ListOptions options = page();
  return {"unique values of " + of.type, StepKind::kRead,
          [=](Graphs graphs) {
            return all_pages<UniqueHolder>(
                options, [&](const ListOptions& at) { return graphs.current.unique_values(of, at); },
                [](const UniqueHolder& each) { return each.value + "=" + each.owner.value_or(""); });
          },
          [=](Model& model) {
            std::map<std::string, std::string> found;
            const std::string key = model.unique_of(of)->key;
            for (const auto& [unique, owner] : model.unique_values())
              if (unique.type == of.type && unique.key == key) found.emplace(unique.value, owner);
            for (const ModelUnique& unique : model.reservations)
              if (unique.type == of.type && unique.key == key) found.emplace(unique.value, "");
            std::vector<std::string> texts;
            for (const auto& [value, owner] : found) texts.push_back(value + "=" + owner);
            return Observed{.text = joined(reversed_if(options.descending, texts))};
          }};
}

Step Steps::authorization_path() {
  const std::string of = urn();
  return {"authorization path of " + of, StepKind::kRead,
          [=](Graphs graphs) {
            return said(graphs.current.authorization_path(of), [&](const std::vector<std::string>& path) {
              const std::set<std::string> once(path.begin(), path.end());
              if (once.size() != path.size() || path.front() != of) return std::string("not a path");
              return joined({once.begin(), once.end()});
            });
          },
          [=](Model& model) {
            if (!model.has(of)) return failed(Code::kResourceNotFound);
            const std::set<std::string> path = model.authorization_path(of);
            return Observed{.text = joined({path.begin(), path.end()})};
          }};
}

Step Steps::authorization_reach() {
  const std::string of = urn();
  return {"authorization reach of " + of, StepKind::kRead,
          [=](Graphs graphs) {
            return said(graphs.current.authorization_reach(of), [](const std::vector<std::string>& reach) {
              const std::set<std::string> once(reach.begin(), reach.end());
              return joined({once.begin(), once.end()});
            });
          },
          [=](Model& model) {
            if (!model.has(of)) return failed(Code::kResourceNotFound);
            const std::set<std::string> reach = model.authorization_reach(of);
            return Observed{.text = joined({reach.begin(), reach.end()})};
          }};
}

Step Steps::verify() {
  const std::string root = urn();
  return {
      "verify below " + root, StepKind::kRead,
      [=](Graphs graphs) {
        return said(graphs.current.verify({.below = root}, {.limit = 1000}), [](const FindingPage& page) {
          // Accounts that were deleted, but not purged, leave resources that name them.
          for (const Finding& finding : page.findings)
            if (finding.kind != "missing-account") return finding.kind + " " + finding.subject;
          return std::string("nothing");
        });
      },
      [=](Model& model) { return model.has(root) ? Observed{.text = "nothing"} : failed(Code::kResourceNotFound); }};
}

Step Steps::next(const Model& model) {
  existing_.clear();
  for (const auto& [urn, resource] : model.resources) existing_.push_back(urn);
  const std::uint64_t n = below(100);
  if (n < 28 || existing_.size() < 10) return create();
  if (n < 35) return attach();
  if (n < 38) return detach();
  if (n < 46) return add_member();
  if (n < 49) return remove_member();
  if (n < 57) return update();
  if (n < 60) return transfer(model);
  if (n < 62) return reserve();
  if (n < 64) return release();
  if (n < 70) return remove(model);
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
