// Encrypted attributes: a model says which ones, and only a program with the keys can read them. The store, its backups
// and whoever looks at the table see ciphertext.
//
//     example_secrets [directory | memory: | http://127.0.0.1:8000 | aws:eu-west-1]

#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/model/encryption.h>
#include <dolmen/model/table.h>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace db = dolmen;

namespace {

constexpr const char* kModels = R"(
dms_version: "0.1"
models:
  - name: "Patient"
    table: { name: "patients" }
    keys: { partition: { attribute: "id", type: "S" } }
    attributes:
      - { attribute: "id", type: "S", required: true, roles: ["pk"] }
      - { attribute: "ward", type: "S" }
      - { attribute: "diagnosis", type: "S", encryption: {} }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
)";

struct Patient {
  std::string id;
  std::string ward;
  std::string diagnosis;
  std::int64_t version = 0;
};
DOLMEN_RECORD(Patient, id, ward, diagnosis, version);

int report(const db::Error& error) {
  std::fprintf(stderr, "%s: %s\n", std::string(db::code_name(error.code())).c_str(), error.message().c_str());
  return 1;
}

db::Error wrong(const std::string& what) { return {db::Code::kCorruption, what}; }

db::Result<void> run(db::Store& store, const std::filesystem::path& key_file) {
  DOLMEN_TRY(const db::ModelSet models, db::parse_models(kModels, "patients.yml"));
  const db::Model& model = *models.find("Patient");

  // In production the key file is made once, or keys come from a key management service (db::KeyProvider).
  DOLMEN_TRY_VOID(db::create_key_file(key_file, "2026"));
  DOLMEN_TRY(const auto keys, db::open_key_file(key_file));
  DOLMEN_TRY(db::Table<Patient> patients, db::Table<Patient>::open(store, model, {.keys = keys.get()}));
  DOLMEN_TRY_VOID(patients.items().ensure_table());

  Patient ada{.id = "ada", .ward = "north", .diagnosis = "a cold"};
  DOLMEN_TRY_VOID(patients.put(ada));
  DOLMEN_TRY(const Patient read, patients.get({"ada"}));
  std::printf("with the keys: %s\n", read.diagnosis.c_str());

  // What everybody else sees: a map with the nonce, the ciphertext and the wrapped key of this one value.
  DOLMEN_TRY(const db::GetResult raw, store.get_item("patients", {{"id", "ada"}}));
  const db::AttributeValue* stored = raw.item ? raw.item->find("diagnosis") : nullptr;
  if (stored == nullptr || stored->type() != db::Type::kMap) return std::unexpected(wrong("it is not encrypted"));
  std::printf("in the table: a map of %zu attributes\n", stored->map().size());

  // Without keys nothing is read or written, rather than something wrong.
  DOLMEN_TRY(db::Table<Patient> outsiders, db::Table<Patient>::open(store, model));
  const db::Result<Patient> refused = outsiders.get({"ada"});
  if (refused) return std::unexpected(wrong("it was read without keys"));
  std::printf("without the keys: %s\n", std::string(db::portable_error_name(refused.error().code())).c_str());
  return read.diagnosis == ada.diagnosis ? db::Result<void>() : std::unexpected(wrong("another text came back"));
}

}  // namespace

int main(int argc, char** argv) {
  const auto store = db::open(argc > 1 ? argv[1] : "memory:");
  if (!store) return report(store.error());
  const std::filesystem::path key_file =
      std::filesystem::temp_directory_path() / ("dolmen-example-keys-" + std::to_string(getpid()));
  const db::Result<void> done = run(**store, key_file);
  std::filesystem::remove(key_file);
  return done ? 0 : report(done.error());
}
