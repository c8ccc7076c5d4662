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

Step document_step(std::mt19937_64& random, const SchemaRef& ref, std::size_t versions) {
  Step step{.ref = ref, .name = fmt::format("id{}", below(random, kIds))};
  const int choice = below(random, 13);
  step.kind = choice < 5    ? Step::Kind::kInsert
              : choice < 7  ? Step::Kind::kUpdate
              : choice < 10 ? Step::Kind::kMove
              : choice < 12 ? Step::Kind::kRemove
                            : Step::Kind::kInvalid;
  if (step.kind == Step::Kind::kMove) step.to_version = version(1 + random() % versions);
  const int expect = below(random, 4);
  step.expect = expect < 2 ? Step::Expect::kAny : expect == 2 ? Step::Expect::kCurrent : Step::Expect::kOther;
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

Result<std::vector<Document>> all_of(const Documents& documents, const SchemaRef& ref, const std::string& filter) {
  std::vector<Document> found;
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
                         const std::vector<Document>& by_id) {
  if (index.state != IndexState::kReady)
    return fail(Code::kCorruption, "the index on {} of {} is {}: {}", index.field, ref.version,
                index_state_name(index.state), index.reason);
  const std::string everything = index.field == "age" ? R"({"age":{"$gte":-100}})" : R"({"name":{"$gte":""}})";
  DOLMEN_TRY(std::vector<Document> through_index, all_of(documents, ref, everything));
  std::vector<Document> expected;
  const std::string member = "\"" + index.field + "\":";
  std::ranges::copy_if(by_id, std::back_inserter(expected),
                       [&](const Document& document) { return document.text.find(member) != std::string::npos; });
  std::ranges::sort(expected, {}, &Document::text);
  std::ranges::sort(through_index, {}, &Document::text);
  if (through_index == expected) return {};
  return fail(Code::kCorruption, "the index on {} of {} shows {} documents, and {} have the field", index.field,
              ref.version, through_index.size(), expected.size());
}

std::string shown(const WorldDocument& document) {
  return fmt::format("{} {} revision {}", document.version, document.text, document.revision);
}

Told told(const Result<std::string>& written) {
  if (written) return {.answer = Answer::kDone, .revision = *written};
  switch (written.error().code()) {
    case Code::kUnknownSchema:
    case Code::kUnknownSchemaVersion:
    case Code::kSchemaValidationFailed:
    case Code::kSchemaImmutable:
    case Code::kDocumentNotFound:
    case Code::kConditionFailed:
    case Code::kQueryInvalid:
    case Code::kIndexExists: return {.answer = Answer::kRefused};
    default: return {.answer = Answer::kFailed};
  }
}

/// The revision that the writer of a step says it expects.
Result<std::optional<std::string>> expected_revision(const Step& step, const Documents& documents) {
  if (step.expect == Step::Expect::kAny) return std::nullopt;
  const Result<Document> stored = documents.get(step.ref, step.name);
  if (step.expect == Step::Expect::kCurrent && stored) return stored->revision;
  if (!stored && told(std::unexpected(stored.error())).answer == Answer::kFailed)
    return std::unexpected(stored.error());
  return "0123456789abcdef";
}

/// For what has no revision.
template <class T>
Told told_without_revision(const Result<T>& done) {
  return told(done ? Result<std::string>(std::string()) : std::unexpected(done.error()));
}

}  // namespace

std::string difference(const World& expected, const World& seen) {
  std::string out;
  for (const auto& [id, stored] : expected.documents)
    if (!seen.documents.contains(id))
      out += fmt::format("\n  {} is gone", id);
    else if (seen.documents.at(id) != stored)
      out += fmt::format("\n  {} is {}\n    instead of {}", id, shown(seen.documents.at(id)), shown(stored));
  for (const auto& [id, stored] : seen.documents)
    if (!expected.documents.contains(id)) out += fmt::format("\n  {} should not be there", id);
  if (expected.schemas != seen.schemas)
    out += fmt::format("\n  {} schemas instead of {}", seen.schemas.size(), expected.schemas.size());
  if (expected.indexes != seen.indexes)
    out += fmt::format("\n  {} indexes instead of {}", seen.indexes.size(), expected.indexes.size());
  if (expected.items != seen.items) out += "\n  other items";
  const auto contract_of = [](const World& world) {
    return world.bound ? world.bound->first + " " + world.bound->second : std::string("no contract");
  };
  if (expected.bound != seen.bound)
    out += fmt::format("\n  {} instead of {}", contract_of(seen), contract_of(expected));
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
    const int choice = versions == 0 ? 0 : below(random, 22);
    if (choice == 0) {
      // Now and then one that has been published.
      const std::size_t number = versions > 0 && below(random, 4) == 0 ? 1 : ++versions;
      steps.push_back(
          {.kind = Step::Kind::kPublish, .ref = {kSchemaId, version(number)}, .text = schema_of(version(number))});
      continue;
    }
    const SchemaRef ref{kSchemaId, version(1 + random() % versions)};
    constexpr Step::Kind kIndexSteps[] = {Step::Kind::kCreateIndex, Step::Kind::kRebuildIndex, Step::Kind::kDropIndex};
    if (choice <= 3)
      steps.push_back({.kind = kIndexSteps[choice - 1], .ref = ref, .name = below(random, 2) == 0 ? "age" : "name"});
    else
      steps.push_back(document_step(random, ref, versions));
  }
  return steps;
}

Answer apply(const Step& step, World& world, const std::string& revision) {
  if (is_contract_step(step.kind)) return apply_contract_step(step, world);
  const std::pair<std::string, std::string> schema{step.ref.id, step.ref.version};
  if (step.kind == Step::Kind::kPublish) return world.schemas.insert(schema).second ? Answer::kDone : Answer::kRefused;
  if (!world.schemas.contains(schema)) return Answer::kRefused;
  const auto found = world.documents.find(step.name);
  const bool here = found != world.documents.end() && found->second.version == step.ref.version;
  const bool as_expected = here && step.expect != Step::Expect::kOther;
  // No write leaves a document with the revision that it had.
  const bool is_new = revision.empty() || !here || found->second.revision != revision;
  switch (step.kind) {
    case Step::Kind::kInsert:
      if (found != world.documents.end()) return Answer::kRefused;
      world.documents.emplace(step.name, WorldDocument{step.ref.version, step.text, revision});
      return Answer::kDone;
    case Step::Kind::kUpdate:
      if (!as_expected) return Answer::kRefused;
      found->second = {step.ref.version, step.text, revision};
      return is_new ? Answer::kDone : Answer::kFailed;
    case Step::Kind::kMove:
      if (!as_expected || step.to_version == step.ref.version ||
          !world.schemas.contains({schema.first, step.to_version}))
        return Answer::kRefused;
      found->second = {step.to_version, step.text, revision};
      return is_new ? Answer::kDone : Answer::kFailed;
    case Step::Kind::kRemove:
      if (!as_expected) return Answer::kRefused;
      world.documents.erase(found);
      return Answer::kDone;
    case Step::Kind::kCreateIndex:
      return world.indexes.emplace(step.ref.version, step.name).second ? Answer::kDone : Answer::kRefused;
    case Step::Kind::kRebuildIndex:
      return world.indexes.contains({step.ref.version, step.name}) ? Answer::kDone : Answer::kRefused;
    case Step::Kind::kDropIndex:
      return world.indexes.erase({step.ref.version, step.name}) == 1 ? Answer::kDone : Answer::kRefused;
    default: return Answer::kRefused;
  }
}

Told carry_out(const Step& step, OpenStore store) {
  if (is_contract_step(step.kind)) return {.answer = carry_out_contract_step(step, store.store)};
  Documents& documents = store.documents;
  const Result<std::optional<std::string>> expected = expected_revision(step, documents);
  if (!expected) return {};
  switch (step.kind) {
    case Step::Kind::kPublish: return told_without_revision(documents.publish(step.text));
    case Step::Kind::kInsert:
    case Step::Kind::kInvalid: return told(documents.insert(step.ref, step.text));
    case Step::Kind::kUpdate: return told(documents.update(step.ref, step.text, {.expected_revision = *expected}));
    case Step::Kind::kMove:
      return told(
          documents.move(step.ref, step.to_version, step.text, {.id = step.name, .expected_revision = *expected}));
    case Step::Kind::kRemove: {
      const Result<std::optional<std::string>> removed =
          documents.remove(step.ref, step.name, {.expected_revision = *expected});
      if (removed) return {.answer = *removed ? Answer::kDone : Answer::kRefused};
      return told_without_revision(removed);
    }
    case Step::Kind::kCreateIndex: return told_without_revision(documents.create_index(step.ref, step.name));
    case Step::Kind::kRebuildIndex: return told_without_revision(documents.rebuild_index(step.ref, step.name));
    case Step::Kind::kDropIndex: {
      const Result<bool> dropped = documents.drop_index(step.ref, step.name);
      if (!dropped) return told_without_revision(dropped);
      // Only when it is gone can it be created again.
      if (!documents.wait_for_indexes()) return {};
      return {.answer = *dropped ? Answer::kDone : Answer::kRefused};
    }
    default: return {};
  }
}

Result<World> look(OpenStore store) {
  // A drop that was interrupted is completed in the background, and its index is listed until then.
  DOLMEN_TRY_VOID(store.documents.wait_for_indexes());
  const Documents& documents = store.documents;
  World world;
  DOLMEN_TRY_VOID(look_at_table(store.store, world));
  DOLMEN_TRY(const std::vector<PublishedInfo> schemas, documents.schemas());
  for (const PublishedInfo& info : schemas) {
    world.schemas.emplace(info.ref.id, info.ref.version);
    DOLMEN_TRY(const std::vector<Document> by_id, all_of(documents, info.ref, R"({"_id":{"$gte":"a"}})"));
    for (const Document& document : by_id) {
      DOLMEN_TRY_VOID(documents.validate(info.ref, document.text));
      const std::string id = id_of(document.text);
      DOLMEN_TRY(const Document got, documents.get(info.ref, id));
      if (got != document) return fail(Code::kCorruption, "{} is read in two ways", id);
      if (!world.documents.emplace(id, WorldDocument{info.ref.version, document.text, document.revision}).second)
        return fail(Code::kCorruption, "{} is there in two versions", id);
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
