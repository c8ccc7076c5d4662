#include "cli/kind_flags.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "base/fail.h"
#include "cli/config_files.h"
#include "cli/document_flags.h"
#include "dolmen/model/model.h"

namespace dolmen::cli {
namespace {

constexpr std::size_t kModelBytesMax = std::size_t{1} << 20;

/// ID:VERSION.
Result<SchemaRef> ref_of(const std::string& name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos)
    return fail(Code::kInvalidArgument, "--schema: \"{}\" is not of the form ID:VERSION", name);
  return SchemaRef{.id = name.substr(0, colon), .version = name.substr(colon + 1)};
}

/// The kinds of a contract, by the names that the flags give them: a model's name, or ID:VERSION of a schema.
class Kinds {
 public:
  void add_model(const std::string& name) {
    if (find(name) != nullptr) return;
    names_.push_back(name);
    kinds_.emplace_back().model = name;
  }
  Result<void> add_schema(const std::string& name) {
    if (find(name) != nullptr) return {};
    DOLMEN_TRY(SchemaRef ref, ref_of(name));
    names_.push_back(name);
    kinds_.emplace_back().schema = std::move(ref);
    return {};
  }

  /// Calls `set(kind, text)` for each KIND=TEXT; it returns false when the kind has another one already.
  template <class Set>
  Result<void> read(const std::vector<std::string>& pairs, Set set) {
    for (const std::string& pair : pairs) {
      const std::size_t equals = pair.find('=');
      if (equals == std::string::npos || equals == 0)
        return fail(Code::kInvalidArgument, "\"{}\" is not of the form MODEL=TEXT", pair);
      contract::Kind* kind = find(pair.substr(0, equals));
      if (kind == nullptr)
        return fail(Code::kInvalidArgument, "\"{}\": the contract has no model or schema {}; it has {}", pair,
                    pair.substr(0, equals), fmt::join(names_, ", "));
      if (!set(*kind, pair.substr(equals + 1)))
        return fail(Code::kInvalidArgument, "\"{}\": {} has been given a value before; give one for each model", pair,
                    pair.substr(0, equals));
    }
    return {};
  }

  std::vector<contract::Kind> take() { return std::move(kinds_); }

 private:
  contract::Kind* find(const std::string& name) {
    const auto found = std::ranges::find(names_, name);
    return found == names_.end() ? nullptr : &kinds_[static_cast<std::size_t>(found - names_.begin())];
  }

  std::vector<std::string> names_;
  std::vector<contract::Kind> kinds_;
};

bool set_once(std::string& place, std::string text) {
  if (!place.empty()) return false;
  place = std::move(text);
  return true;
}

bool set_value(contract::Kind& kind, std::string text) {
  if (kind.value) return false;
  kind.value = std::move(text);
  return true;
}

/// The models that --model names, else those of the files, and the schemas.
Result<std::vector<contract::Kind>> kinds_of(const KindFlags& flags, const std::vector<std::string>& models) {
  Kinds kinds;
  for (const std::string& model : flags.models.empty() ? models : flags.models) kinds.add_model(model);
  for (const std::string& schema : flags.schemas) DOLMEN_TRY_VOID(kinds.add_schema(schema));
  DOLMEN_TRY_VOID(kinds.read(flags.prefixes, [](contract::Kind& kind, std::string text) {
    return set_once(kind.partition_prefix, std::move(text));
  }));
  DOLMEN_TRY_VOID(kinds.read(flags.sort_prefixes, [](contract::Kind& kind, std::string text) {
    return set_once(kind.sort_prefix, std::move(text));
  }));
  DOLMEN_TRY_VOID(kinds.read(flags.values, set_value));
  return kinds.take();
}

}  // namespace

void add_kind_flags(const Verb& verb, KindFlags& flags) {
  verb.text("--discriminator", flags.discriminator,
            "Attribute that holds the model of an item: the name of the model, or what --value says")
      .shown_as("NAME");
  verb.texts("--value", flags.values, "Value of the discriminator").shown_as("MODEL=TEXT");
  verb.texts("--prefix", flags.prefixes, "Prefix of the partition keys of the items of a model").shown_as("MODEL=TEXT");
  verb.texts("--sort-prefix", flags.sort_prefixes, "Prefix of the sort keys of the items of a model")
      .shown_as("MODEL=TEXT");
}

void add_model_flags(const Verb& verb, KindFlags& flags) {
  verb.texts("--model", flags.model_files, "DMS file, or a folder of them").shown_as("FILE").required();
  verb.texts("--only", flags.models,
             "Model of the table's items; without this option, the models of the files that name the table, or all")
      .shown_as("NAME");
  add_kind_flags(verb, flags);
}

Result<contract::Definition> definition_of(const KindFlags& flags, const std::string& table) {
  contract::Definition definition;
  std::vector<std::string> models;
  std::vector<std::string> of_table;
  for (const std::string& folder : flags.model_files) {
    DOLMEN_TRY(const std::vector<std::filesystem::path> files, config_files_in(folder));
    for (const std::filesystem::path& file : files) {
      DOLMEN_TRY(std::string text, read_input(file, kModelBytesMax));
      // An error found here names the file's path on this machine.
      DOLMEN_TRY(const ModelSet set, parse_models(text, file.string()));
      for (const Model& model : set.models) {
        models.push_back(model.name);
        if (!table.empty() && model.table == table) of_table.push_back(model.name);
      }
      definition.models.push_back({.name = file.filename(), .text = std::move(text)});
    }
  }
  definition.discriminator = flags.discriminator;
  DOLMEN_TRY(definition.kinds, kinds_of(flags, of_table.empty() ? models : of_table));
  return definition;
}

Result<std::vector<SchemaRef>> schemas_of(const KindFlags& flags) {
  std::vector<SchemaRef> refs;
  for (const std::string& name : flags.schemas) {
    DOLMEN_TRY(refs.emplace_back(), ref_of(name));
  }
  return refs;
}

}  // namespace dolmen::cli
