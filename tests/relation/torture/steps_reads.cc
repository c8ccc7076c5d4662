// Steps that only read.
#include "observed.h"
#include "steps.h"

namespace dolmen::torture {

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

Step Steps::dry_run() {
  const std::string root = urn();
  RemoveOptions options{.dry_run = true};
  if (chance(50)) options.mode = chance(50) ? DeleteMode::kRestrict : DeleteMode::kReassign;
  if (options.mode == DeleteMode::kReassign) options.reassign_to = chance(50) ? urn_of(kAccount) : urn();
  return {"dry run " + root, StepKind::kRead,
          [=](Graphs graphs) {
            return said(graphs.current.remove(root, options),
                        [](const RemoveResult& result) { return counted(result.count); });
          },
          [=](Model& model) {
            Model copy(model);
            return said(options.reassign_to ? copy.remove_reassigning(root, *options.reassign_to)
                                            : copy.remove(root, options.mode),
                        counted);
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
  return {"authorization path of " + of, StepKind::kAuthorization,
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
  ListOptions options = page();
  options.descending = false;
  return {"authorization reach of " + of, StepKind::kAuthorization,
          [=](Graphs graphs) {
            std::vector<std::string> reached;
            ListOptions at = options;
            do {
              const auto part = graphs.current.authorization_reach(of, at);
              if (!part) return failed(part.error());
              reached.insert(reached.end(), part->items.begin(), part->items.end());
              at.token = part->token;
            } while (!at.token.empty());
            // Each once, itself first.
            const std::set<std::string> once(reached.begin(), reached.end());
            if (once.size() != reached.size() || reached.front() != of) return Observed{.text = "not a reach"};
            return Observed{.text = joined({once.begin(), once.end()})};
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
          for (const Finding& finding : page.findings) return finding.kind + " " + finding.subject;
          return std::string("nothing");
        });
      },
      [=](Model& model) { return model.has(root) ? Observed{.text = "nothing"} : failed(Code::kResourceNotFound); }};
}

}  // namespace dolmen::torture
