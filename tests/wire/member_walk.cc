#include "tests/wire/member_walk.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "base/fail.h"
#include "protocol/object_writer.h"
#include "service/cancelable.h"
#include "service/service.h"
#include "value/json.h"
#include "value/json_reader.h"
#include "wire/operation.h"
#include "wire/operations.h"
#include "wire/parameters.h"
#include "wire/service_model.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

/// Carries nothing out: whatever reaches it has been read.
class NoService final : public AlikeService<NoService> {
 public:
  template <class Op>
  void perform(typename Op::Request /*request*/, Done<typename Op::Response> done) {
    done(fail(Code::kUnavailable, "there is no store"));
  }
  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& /*companions*/) override {
    return until_stopped(*this, std::move(stop));
  }
};

/// A step to a member of a structure, through the lists and maps on the way.
struct Step {
  const Member* member = nullptr;
  std::string suffix;  ///< "[]" and "{}" after its name
};
using Path = std::vector<Step>;

std::string text_of(const Path& path) {
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0) text.append(path[i - 1].suffix).push_back('.');
    text.append(path[i].member->name);
  }
  return text;
}

/// The structure in a shape, below lists and maps; null when there is none. Appends what is on the way to `suffix`.
const Shape* structure_in(const Shape& shape, std::string& suffix) {
  const Shape* at = &shape;
  while (at->kind == Kind::kList || at->kind == Kind::kMap) {
    suffix.append(at->kind == Kind::kList ? "[]" : "{}");
    at = at->element;
  }
  return at->kind == Kind::kStructure ? at : nullptr;
}

void collect_paths(const Shape& structure, Path& above, std::vector<Path>& paths) {
  for (const Member& member : structure.members) {
    above.push_back({.member = &member, .suffix = {}});
    paths.push_back(above);
    if (const Shape* inner = structure_in(*member.shape, above.back().suffix)) collect_paths(*inner, above, paths);
    above.pop_back();
  }
}

std::string in_quotes(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

std::string sample_text(const Shape& shape) {
  if (!shape.enumeration.empty()) return std::string(shape.enumeration.front());
  if (shape.pattern == "[0-9]{12}") return "000000000000";
  if (shape.pattern == "[,;:|\\t ]") return ",";
  if (shape.pattern == "([0-9a-f]{16})+")
    return std::string(static_cast<std::size_t>(std::max<std::int64_t>(shape.min.value_or(16), 16)), 'a');
  return std::string(static_cast<std::size_t>(std::max<std::int64_t>(shape.min.value_or(3), 3)), 'x');
}

/// A request that has the members of a path, and everything that is required beside them.
class RequestMaker {
 public:
  /// `base` is used instead of samples for members of the request itself.
  explicit RequestMaker(const std::map<std::string, std::string, std::less<>>& base) : base_(base) {}

  std::string request(const Shape& input, std::span<const Step> path) const { return structure(input, path, &base_); }

 private:
  using Base = std::map<std::string, std::string, std::less<>>;

  std::string structure(const Shape& shape, std::span<const Step> path, const Base* base) const {
    std::string out = "{";
    for (const Member& member : shape.members) {
      const bool on_path = !path.empty() && path.front().member == &member;
      const bool given = base != nullptr && base->contains(member.name);
      if (!on_path && !given && member.presence == Presence::kOptional) continue;
      if (out.size() > 1) out.push_back(',');
      out.append(in_quotes(member.name)).push_back(':');
      // What the base gives stays when the path ends here: it is right as it is.
      if (given && (!on_path || path.size() == 1)) {
        out.append(base->find(member.name)->second);
      } else {
        out.append(value(*member.shape, on_path ? path.subspan(1) : std::span<const Step>()));
      }
    }
    return out.append("}");
  }

  std::string value(const Shape& shape, std::span<const Step> path) const {
    switch (shape.kind) {
      case Kind::kString: return in_quotes(sample_text(shape));
      case Kind::kInteger:
      case Kind::kLong: return std::to_string(std::max<std::int64_t>(shape.min.value_or(1), 1));
      case Kind::kDouble: return "1";
      case Kind::kBoolean: return "true";
      case Kind::kBlob: return "\"AA==\"";
      case Kind::kAttributeValue: return R"({"S":"xxx"})";
      case Kind::kList: return "[" + value(*shape.element, path) + "]";
      case Kind::kMap: return "{" + in_quotes(sample_text(*shape.key)) + ":" + value(*shape.element, path) + "}";
      case Kind::kStructure: return structure(shape, path, nullptr);
    }
    return "null";
  }

  const Base& base_;
};

/// The place of an element in the text that was parsed, whoever parsed it: an element is a document and an index.
using Place = std::size_t;
Place place_of(json::Element element) {
  struct Parts {
    const void* document;
    std::size_t index;
  };
  static_assert(sizeof(Parts) == sizeof(json::Element));
  return std::bit_cast<Parts>(element).index;
}

/// Adds the paths of the members that were read.
void collect_read(const Shape& shape, json::Element value, const std::string& prefix, const std::set<Place>& read,
                  std::set<std::string>& paths) {
  if (shape.kind == Kind::kList && value.is_array()) {
    for (const json::Element element : json::array_of(value))
      collect_read(*shape.element, element, prefix + "[]", read, paths);
  } else if (shape.kind == Kind::kMap && value.is_object() && shape.element->kind != Kind::kAttributeValue) {
    for (const auto [key, element] : json::object_of(value))
      collect_read(*shape.element, element, prefix + "{}", read, paths);
  } else if (shape.kind == Kind::kStructure && value.is_object()) {
    for (const Member& member : shape.members) {
      const auto found = value.at_key(member.name);
      if (found.error() != simdjson::SUCCESS) continue;
      const std::string path = prefix.empty() ? std::string(member.name) : prefix + "." + std::string(member.name);
      if (read.contains(place_of(found.value_unsafe()))) paths.insert(path);
      collect_read(*member.shape, found.value_unsafe(), path, read, paths);
    }
  }
}

/// The paths that are read of a request.
std::set<std::string> read_paths(const ModelOperation& operation, const std::string& body) {
  static NoService service;
  const Account account;
  std::vector<json::Element> noted;
  noted_reads = &noted;
  const Backend backend{.service = service, .account = account, .reached_at = "localhost:8000"};
  execute(operation.of_streams ? Interface::kStreams : Interface::kTables, operation.name, body, backend,
          [](const Result<std::string>&) {});
  noted_reads = nullptr;
  std::set<Place> read;
  for (const json::Element element : noted) read.insert(place_of(element));
  std::set<std::string> paths;
  simdjson::dom::parser parser;
  json::Element input;
  if (parser.parse(body).get(input) == simdjson::SUCCESS) collect_read(*operation.input, input, "", read, paths);
  return paths;
}

/// What tools/compatibility.json says about an operation.
struct Statements {
  std::map<std::string, std::string, std::less<>> base;
  std::vector<std::string> samples;
  std::set<std::string> checked;
  std::set<std::string> refused;
  bool refuses_all = false;
};

std::set<std::string> names_in(json::Element object, std::string_view member) {
  std::set<std::string> names;
  json::Object found;
  if (object.at_key(member).get(found) != simdjson::SUCCESS) return names;
  for (const auto [name, why] : found) names.emplace(name);
  return names;
}

Statements read_statements(json::Element object) {
  Statements statements{.checked = names_in(object, "checked"), .refused = names_in(object, "refused")};
  json::Object base;
  if (object.at_key("base").get(base) == simdjson::SUCCESS)
    for (const auto [name, value] : base) statements.base.emplace(name, std::string(simdjson::minify(value)));
  json::Array samples;
  if (object.at_key("samples").get(samples) == simdjson::SUCCESS)
    for (const json::Element sample : samples) statements.samples.emplace_back(simdjson::minify(sample));
  bool all = false;
  statements.refuses_all = object.at_key("refuses_all").get(all) == simdjson::SUCCESS && all;
  return statements;
}

bool is_at_or_below(const std::string& path, const std::set<std::string>& tops) {
  return std::ranges::any_of(tops, [&](const std::string& top) {
    return path == top || (path.starts_with(top) && std::string_view("[{.").contains(path[top.size()]));
  });
}

WalkedOperation walk_operation(const ModelOperation& operation, const Statements& statements,
                               std::vector<std::string>& mistakes) {
  const Interface interface = operation.of_streams ? Interface::kStreams : Interface::kTables;
  WalkedOperation walked{.name = std::string(operation.name),
                         .served = check_operation(interface, operation.name).has_value(),
                         .members = {}};
  std::vector<Path> paths;
  Path above;
  collect_paths(*operation.input, above, paths);
  std::set<std::string> read;
  std::set<std::string> refused = statements.refused;
  if (walked.served) {
    const RequestMaker maker(statements.base);
    for (const Path& path : paths) read.merge(read_paths(operation, maker.request(*operation.input, path)));
    for (const std::string& sample : statements.samples) read.merge(read_paths(operation, sample));
    for (const std::string_view name : unsupported_parameters(operation.name)) refused.emplace(name);
  }
  std::set<std::string> known;
  for (const Path& path : paths) {
    WalkedMember member{.path = text_of(path),
                        .shape = std::string(path.back().member->shape->name),
                        .required = path.back().member->presence != Presence::kOptional};
    known.insert(member.path);
    const bool is_checked = is_at_or_below(member.path, statements.checked);
    if (!walked.served) {
      member.state = MemberState::kUnserved;
    } else if (statements.refuses_all || is_at_or_below(member.path, refused)) {
      member.state = MemberState::kRefused;
    } else if (is_checked) {
      member.state = MemberState::kChecked;
      if (read.contains(member.path))
        mistakes.push_back(fmt::format("{}: {} is read, not only checked", walked.name, member.path));
    } else if (read.contains(member.path)) {
      member.state = MemberState::kUsed;
    }
    walked.members.push_back(std::move(member));
  }
  for (const auto* named : {&statements.checked, &statements.refused})
    for (const std::string& path : *named)
      if (!known.contains(path)) mistakes.push_back(fmt::format("{} has no parameter {}", walked.name, path));
  return walked;
}

}  // namespace

std::string_view state_name(MemberState state) {
  switch (state) {
    case MemberState::kUsed: return "used";
    case MemberState::kChecked: return "checked";
    case MemberState::kRefused: return "refused";
    case MemberState::kUnserved: return "unserved";
    case MemberState::kIgnored: return "ignored";
  }
  return "";
}

std::map<MemberState, std::size_t> Walk::counts() const {
  std::map<MemberState, std::size_t> counts;
  for (const WalkedOperation& operation : operations)
    for (const WalkedMember& member : operation.members) ++counts[member.state];
  return counts;
}

Result<Walk> walk_members(std::string_view statements) {
  simdjson::dom::parser parser;
  json::Element document;
  json::Object all;
  if (parser.parse(statements.data(), statements.size()).get(document) != simdjson::SUCCESS ||
      document.at_key("operations").get(all) != simdjson::SUCCESS)
    return fail(Code::kInvalidArgument, "tools/compatibility.json is not JSON with \"operations\"");
  Walk walk;
  for (const ModelOperation& operation : model_operations()) {
    const auto found = all.at_key(operation.name);
    const bool stated = found.error() == simdjson::SUCCESS;
    if (!stated) walk.mistakes.push_back(fmt::format("tools/compatibility.json does not have {}", operation.name));
    walk.operations.push_back(
        walk_operation(operation, stated ? read_statements(found.value_unsafe()) : Statements{}, walk.mistakes));
  }
  for (const auto [name, statement] : all)
    if (find_model_operation(name) == nullptr)
      walk.mistakes.push_back(fmt::format("DynamoDB has no operation {}", name));
  return walk;
}

std::string walk_json(const Walk& walk) {
  return object_text([&](ObjectWriter& object) {
    object.objects("operations", walk.operations, [](ObjectWriter& written, const WalkedOperation& operation) {
      written.text("name", operation.name).flag("served", operation.served);
      written.objects("members", operation.members, [](ObjectWriter& member, const WalkedMember& walked) {
        member.text("path", walked.path)
            .text("shape", walked.shape)
            .flag("required", walked.required)
            .text("state", state_name(walked.state));
      });
    });
  });
}

}  // namespace dolmen::wire
