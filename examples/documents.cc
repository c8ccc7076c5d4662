// Strict documents: what does not fit its schema does not exist.
#include <cstdio>
#include <dolmen/documents.h>
#include <dolmen/dolmen.h>

namespace db = dolmen;

struct User {
  std::string id;
  std::string email;
  std::optional<std::int64_t> age;
};
DOLMEN_RECORD(User, (id, "_id"), email, age);

int main() {
  auto store = db::open("memory:").value();  // or "./data", "http://127.0.0.1:8000", "aws:eu-west-1"
  auto docs = db::Documents::open(*store).value();

  docs.publish(R"({"schema_id": "users", "schema_version": "v1", "fields": {
                     "_id":   {"type": "string", "required": true},
                     "email": {"type": "string", "required": true},
                     "age":   {"type": "int",    "required": false}}})")
      .value();
  const db::SchemaRef users{"users", "v1"};
  docs.create_index(users, "age").value();

  docs.insert(users, R"({"_id": "u1", "email": "ada@example.org", "age": 36})").value();
  docs.insert(users, R"({"_id": "u2", "email": "alan@example.org", "age": 41})").value();

  const auto bad = docs.insert(users, R"({"_id": "u3", "email": 42, "nick": "x"})");
  for (const db::ErrorDetail& detail : bad.error().details())
    std::printf("refused: %s: %s\n", detail.path.c_str(), detail.message.c_str());

  docs.wait_for_indexes().value();
  const auto page = docs.query(users, {.filter = db::where("age") >= 40, .limit = 10}).value();
  for (const db::Document& document : page.documents) std::printf("found: %s\n", document.text.c_str());

  // The same documents as structs. What was read is replaced only if nobody else was faster.
  auto typed = db::TypedDocuments<User>::open(docs, users).value();
  db::Revised<User> mine = typed.get("u1").value();
  db::Revised<User> yours = typed.get("u1").value();
  mine.value.age = 37;
  typed.update(mine).value();
  yours.value.age = 38;
  const auto late = typed.update(yours);
  std::printf("too late: %s\n", late.error().message().c_str());
  return page.documents.size() == 1 && bad.error().details().size() == 2 && !late ? 0 : 1;
}
