#pragma once

#include <string>
#include <string_view>

#include "protocol/object_view.h"
#include "relation/operations.h"

/// The operations one by one. Each takes the body of a request and returns that of its answer.
namespace dolmen::relation {

using Answer = Result<std::string>;

// operations_resources.cc
Answer bind_relations(Operations& operations, std::string_view body);
Answer describe_relations(Operations& operations, std::string_view body);
Answer create_resource(Operations& operations, std::string_view body);
Answer get_resource(Operations& operations, std::string_view body);
Answer get_resources(Operations& operations, std::string_view body);
Answer update_resource(Operations& operations, std::string_view body);
Answer list_resources(Operations& operations, std::string_view body);
Answer reserve_value(Operations& operations, std::string_view body);
Answer release_value(Operations& operations, std::string_view body);
Answer transfer_value(Operations& operations, std::string_view body);
Answer find_value(Operations& operations, std::string_view body);
Answer list_values(Operations& operations, std::string_view body);

// operations_links.cc
Answer attach_resource(Operations& operations, std::string_view body);
Answer detach_resource(Operations& operations, std::string_view body);
Answer list_children(Operations& operations, std::string_view body);
Answer list_ancestors(Operations& operations, std::string_view body);
Answer list_descendants(Operations& operations, std::string_view body);
Answer add_member(Operations& operations, std::string_view body);
Answer remove_member(Operations& operations, std::string_view body);
Answer list_members(Operations& operations, std::string_view body);
Answer list_collections(Operations& operations, std::string_view body);
Answer list_authorization_path(Operations& operations, std::string_view body);
Answer list_authorization_reach(Operations& operations, std::string_view body);

// operations_upkeep.cc
Answer delete_resource(Operations& operations, std::string_view body);
Answer reassign_account(Operations& operations, std::string_view body);
Answer list_deletes(Operations& operations, std::string_view body);
Answer resume_deletes(Operations& operations, std::string_view body);
Answer rewrite_resources(Operations& operations, std::string_view body);
Answer verify_relations(Operations& operations, std::string_view body);
Answer repair_relations(Operations& operations, std::string_view body);

/// The relations of the table that a request names.
Result<std::shared_ptr<Relations>> relations_in(Operations& operations, const ObjectView& request);

}  // namespace dolmen::relation
