#include "relation/operations.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "relation/bound_types.h"
#include "relation/operation_list.h"
#include "relation/request.h"
#include "service/internal_tables.h"

namespace dolmen::relation {
namespace {

struct NamedOperation {
  std::string_view name;
  Answer (*run)(Operations& operations, std::string_view body);
};

constexpr NamedOperation kNamedOperations[] = {
    {"AddMember", add_member},
    {"AttachResource", attach_resource},
    {"BindRelations", bind_relations},
    {"CreateResource", create_resource},
    {"DeleteResource", delete_resource},
    {"DescribeRelations", describe_relations},
    {"DetachResource", detach_resource},
    {"FindValue", find_value},
    {"GetResource", get_resource},
    {"GetResources", get_resources},
    {"ListAncestors", list_ancestors},
    {"ListAuthorizationPath", list_authorization_path},
    {"ListAuthorizationReach", list_authorization_reach},
    {"ListChildren", list_children},
    {"ListCollections", list_collections},
    {"ListDeletes", list_deletes},
    {"ListDescendants", list_descendants},
    {"ListMembers", list_members},
    {"ListResources", list_resources},
    {"ListValues", list_values},
    {"ReassignAccount", reassign_account},
    {"ReleaseValue", release_value},
    {"RemoveMember", remove_member},
    {"RepairRelations", repair_relations},
    {"ReserveValue", reserve_value},
    {"ResumeDeletes", resume_deletes},
    {"RewriteResources", rewrite_resources},
    {"TransferValue", transfer_value},
    {"UpdateResource", update_resource},
    {"VerifyRelations", verify_relations},
};

const NamedOperation* find_named(std::string_view name) {
  const auto found = std::ranges::find(kNamedOperations, name, &NamedOperation::name);
  return found == std::end(kNamedOperations) ? nullptr : found;
}

}  // namespace

bool is_operation(std::string_view operation) { return find_named(operation) != nullptr; }

Result<std::string> Operations::execute(std::string_view operation, std::string_view body) {
  const NamedOperation* found = find_named(operation);
  if (found == nullptr) return fail(Code::kUnknownOperation, "{} is not an operation on relations", operation);
  return found->run(*this, body);
}

Result<std::shared_ptr<Relations>> Operations::relations_of(const std::string& table) {
  DOLMEN_TRY_VOID(check_for_users(table));
  DOLMEN_TRY(std::optional<std::string> text, bound_text(store_, table));
  const std::scoped_lock lock(known_mutex_);
  const auto known = known_.find(table);
  if (known != known_.end() && known->second.text == text) return known->second.relations;
  ResourceTypes types = ResourceTypes::undeclared();
  if (text) {
    DOLMEN_TRY(types, parse_bound(*text, table));
  }
  RelationsOptions options{.create_table = false, .resume_deletes = options_.resume_deletes};
  options.on_resumed = [this, table](const Result<DeleteProgress>& done) { report(table, done); };
  DOLMEN_TRY(Relations opened, Relations::open(store_, table, std::move(types), std::move(options)));
  auto relations = std::make_shared<Relations>(std::move(opened));
  if (interrupted_) relations->interrupt();
  known_.insert_or_assign(table, Known{std::move(text), relations});
  return relations;
}

void Operations::report(const std::string& table, const Result<DeleteProgress>& done) const {
  if (!options_.log || (!done && done.error().code() == Code::kCanceled)) return;
  options_.log(done
                   ? fmt::format("{}: completed the interrupted {} of {}", table, job_kind_name(done->kind), done->root)
                   : fmt::format("{}: an interrupted delete cannot be completed: {}", table, done.error().message()));
}

void Operations::resume() {
  ListTables request;
  do {
    const Result<TableNamePage> page = store_.list_tables(request);
    if (!page) return;
    for (const std::string& table : page->names) {
      const Result<TableDescription> described = store_.describe_table(table);
      if (described && differences(Relations::definition(table), described->definition).empty())
        static_cast<void>(relations_of(table));
    }
    request.after = page->last_name;
  } while (request.after);
}

void Operations::interrupt() {
  const std::scoped_lock lock(known_mutex_);
  interrupted_ = true;
  for (const auto& [table, known] : known_) known.relations->interrupt();
}

Result<std::shared_ptr<Relations>> relations_in(Operations& operations, const ObjectView& request) {
  DOLMEN_TRY(const std::string table, text_in(request, "table"));
  return operations.relations_of(table);
}

}  // namespace dolmen::relation
