#include "plan.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "contract_steps.h"

namespace dolmen::torture {
namespace {

constexpr int kIds = 12;
constexpr int kAges = 5;
const std::string kSchemaId = "things";

std::string version(std::size_t number) { return fmt::format("v{}", number); }

std::string schema_of(const std::string& name) {
  return fmt::format(R"({{"schema_id":"{}","schema_version":"{}","fields":{{"_id":{{"type":"string","required":true}},)"
                     R"("age":{{"type":"int","required":true}},"name":{{"type":"string","required":false}}}}}})",
                     kSchemaId, name);
}

int below(std::mt19937_64& random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }

std::string document(std::mt19937_64& random, const std::string& id) {
  std::string text = fmt::format(R"({{"_id":"{}","age":{})", id, below(random, kAges) - 2);
  if (below(random, 3) != 0)
    text += fmt::format(R"(,"name":"{}")", std::string(random() % 200, static_cast<char>('a' + below(random, 3))));
  return text + "}";
}

Step document_step(std::mt19937_64& random, const SchemaRef& ref) {
  Step step{.ref = ref, .name = fmt::format("id{}", below(random, kIds))};
  const int choice = below(random, 10);
  step.kind = choice < 5   ? Step::Kind::kInsert
              : choice < 7 ? Step::Kind::kUpdate
              : choice < 9 ? Step::Kind::kRemove
                           : Step::Kind::kInvalid;
  step.text = step.kind == Step::Kind::kInvalid
                  ? fmt::format(R"({{"_id":"{}","age":1.5,"name":null,"nick":1}})", step.name)
                  : document(random, step.name);
  return step;
}

/// The `_id` of a document as `document` writes it.
std::string id_of(const std::string& text) {
  constexpr std::size_t kStart = 8;
  return text.substr(kStart, text.find('"', kStart) - kStart);
}

Result<std::vector<std::string>> all_of(const Documents& documents, const SchemaRef& ref, const std::string& filter) {
  std::vector<std::string> found;
  DocumentQuery query{.filter = filter, .limit = 7};
  do {
    DOLMEN_TRY(const DocumentPage page, documents.query(ref, query));
    found.insert(found.end(), page.documents.begin(), page.documents.end());
    query.cursor = page.cursor;
  } while (!query.cursor.empty());
  return found;
}

/// That an index shows exactly the documents that have its field.
Result<void> check_index(const Documents& documents, const SchemaRef& ref, const DocumentIndex& index,
                         const std::vector<std::string>& by_id) {
  if (index.state != IndexState::kReady)
    return fail(Code::kCorruption, "the index on {} of {} is {}: {}", index.field, ref.version,
                index_state_name(index.state), index.reason);
  const std::string everything = index.field == "age" ? R"({"age":{"$gte":-100}})" : R"({"name":{"$gte":""}})";
  DOLMEN_TRY(std::vector<std::string> through_index, all_of(documents, ref, everything));
  std::vector<std::string> expected;
  const std::string member = "\"" + index.field + "\":";
  std::ranges::copy_if(by_id, std::back_inserter(expected),
                       [&](const std::string& text) { return text.find(member) != std::string::npos; });
  std::ranges::sort(expected);
  std::ranges::sort(through_index);
  if (through_index == expected) return {};
  return fail(Code::kCorruption, "the index on {} of {} shows {} documents, and {} have the field", index.field,
              ref.version, through_index.size(), expected.size());
}

}  // namespace

std::string difference(const World& expected, const World& seen) {
  std::string out;
  for (const auto& [id, stored] : expected.documents)
    if (!seen.documents.contains(id))
      out += fmt::format("\n  {} is gone", id);
    else if (seen.documents.at(id) != stored)
      out += fmt::format("\n  {} is {} {}\n    instead of {} {}", id, seen.documents.at(id).first,
                         seen.documents.at(id).second, stored.first, stored.second);
  for (const auto& [id, stored] : seen.documents)
    if (!expected.documents.contains(id)) out += fmt::format("\n  {} should not be there", id);
  if (expected.schemas != seen.schemas)
    out += fmt::format("\n  {} schemas instead of {}", seen.schemas.size(), expected.schemas.size());
  if (expected.indexes != seen.indexes)
    out += fmt::format("\n  {} indexes instead of {}", seen.indexes.size(), expected.indexes.size());
  if (expected.items != seen.items) out += "\n  other items";
  const auto shown = [](const World& world) {
    return world.bound ? world.bound->first + " " + world.bound->second : std::string("no contract");
  };
  if (expected.bound != seen.bound) out += fmt::format("\n  {} instead of {}", shown(seen), shown(expected));
  if (expected.contracts != seen.contracts)
    out += fmt::format("\n  {} contracts instead of {}", seen.contracts.size(), expected.contracts.size());
  return out;
}

std::vector<Step> make_steps(std::mt19937_64& random, const World& world, std::size_t count) {
  std::vector<Step> steps;
  std::size_t versions = world.schemas.size();
  while (steps.size() < count) {
    if (below(random, 3) == 0) {
      steps.push_back(make_contract_step(random));
      continue;
    }
    const int choice = versions == 0 ? 0 : below(random, 20);
    if (choice == 0) {
      // Now and then one that has been published.
      const std::size_t number = versions > 0 && below(random, 4) == 0 ? 1 : ++versions;
      steps.push_back(
          {.kind = Step::Kind::kPublish, .ref = {kSchemaId, version(number)}, .text = schema_of(version(number))});
      continue;
    }
    const SchemaRef ref{kSchemaId, version(1 + random() % versions)};
    if (choice == 1)
      steps.push_back({.kind = Step::Kind::kCreateIndex, .ref = ref, .name = below(random, 2) == 0 ? "age" : "name"});
    else
      steps.push_back(document_step(random, ref));
  }
  return steps;
}

Answer apply(const Step& step, World& world) {
  if (is_contract_step(step.kind)) return apply_contract_step(step, world);
  const std::pair<std::string, std::string> schema{step.ref.id, step.ref.version};
  if (step.kind == Step::Kind::kPublish) return world.schemas.insert(schema).second ? Answer::kDone : Answer::kRefused;
  if (!world.schemas.contains(schema)) return Answer::kRefused;
  const auto found = world.documents.find(step.name);
  const bool here = found != world.documents.end() && found->second.first == step.ref.version;
  switch (step.kind) {
    case Step::Kind::kInsert:
      if (found != world.documents.end()) return Answer::kRefused;
      world.documents.emplace(step.name, std::pair(step.ref.version, step.text));
      return Answer::kDone;
    case Step::Kind::kUpdate:
      if (!here) return Answer::kRefused;
      found->second.second = step.text;
      return Answer::kDone;
    case Step::Kind::kRemove:
      if (!here) return Answer::kRefused;
      world.documents.erase(found);
      return Answer::kDone;
    case Step::Kind::kCreateIndex:
      return world.indexes.emplace(step.ref.version, step.name).second ? Answer::kDone : Answer::kRefused;
    default: return Answer::kRefused;
  }
}

Answer carry_out(const Step& step, OpenStore store) {
  if (is_contract_step(step.kind)) return carry_out_contract_step(step, store.store);
  Documents& documents = store.documents;
  const auto answer_of = [](const Result<void>& result) {
    if (result) return Answer::kDone;
    switch (result.error().code()) {
      case Code::kUnknownSchema:
      case Code::kUnknownSchemaVersion:
      case Code::kSchemaValidationFailed:
      case Code::kSchemaImmutable:
      case Code::kDocumentNotFound:
      case Code::kIndexExists: return Answer::kRefused;
      default: return Answer::kFailed;
    }
  };
  switch (step.kind) {
    case Step::Kind::kPublish: {
      const Result<SchemaRef> published = documents.publish(step.text);
      return answer_of(published ? Result<void>() : std::unexpected(published.error()));
    }
    case Step::Kind::kInsert:
    case Step::Kind::kInvalid: return answer_of(documents.insert(step.ref, step.text));
    case Step::Kind::kUpdate: return answer_of(documents.update(step.ref, step.text));
    case Step::Kind::kRemove: {
      const Result<bool> removed = documents.remove(step.ref, step.name);
      if (removed) return *removed ? Answer::kDone : Answer::kRefused;
      return answer_of(std::unexpected(removed.error()));
    }
    case Step::Kind::kCreateIndex: return answer_of(documents.create_index(step.ref, step.name));
    default: return Answer::kFailed;
  }
}

Result<World> look(OpenStore store) {
  const Documents& documents = store.documents;
  World world;
  DOLMEN_TRY_VOID(look_at_table(store.store, world));
  DOLMEN_TRY(const std::vector<PublishedInfo> schemas, documents.schemas());
  for (const PublishedInfo& info : schemas) {
    world.schemas.emplace(info.ref.id, info.ref.version);
    DOLMEN_TRY(const std::vector<std::string> by_id, all_of(documents, info.ref, R"({"_id":{"$gte":"a"}})"));
    for (const std::string& text : by_id) {
      DOLMEN_TRY_VOID(documents.validate(info.ref, text));
      DOLMEN_TRY(const std::string got, documents.get(info.ref, id_of(text)));
      if (got != text) return fail(Code::kCorruption, "{} is read in two ways", id_of(text));
      if (!world.documents.emplace(id_of(text), std::pair(info.ref.version, text)).second)
        return fail(Code::kCorruption, "{} is there in two versions", id_of(text));
    }
    DOLMEN_TRY(const std::vector<DocumentIndex> indexes, documents.indexes(info.ref));
    for (const DocumentIndex& index : indexes) {
      world.indexes.emplace(info.ref.version, index.field);
      DOLMEN_TRY_VOID(check_index(documents, info.ref, index, by_id));
    }
  }
  return world;
}

}  // namespace dolmen::torture
