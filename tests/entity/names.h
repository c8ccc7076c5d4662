// Made by 'dolmen entity generate' from tests/entity/names.yml. Do not change it here.
#pragma once

#include <dolmen/entity/tokens.h>

namespace acme::names {

namespace entity {
inline constexpr dolmen::EntityName user{"user"};
inline constexpr dolmen::EntityName class_{"class"};
inline constexpr dolmen::EntityName n2nd_user{"2nd-user"};
inline constexpr dolmen::EntityName n2nd_user_2{"2nd_user"};
}  // namespace entity

namespace index {
inline constexpr dolmen::IndexName created{"created"};
inline constexpr dolmen::IndexName by_name_{"by \"name\"?"};
}  // namespace index

namespace property {
inline constexpr dolmen::PropertyName created{"created"};
inline constexpr dolmen::PropertyName lastName{"lastName"};
inline constexpr dolmen::PropertyName userId{"userId"};
}  // namespace property

namespace key {
inline constexpr dolmen::KeyName pk{"pk"};
inline constexpr dolmen::KeyName sk{"sk"};
inline constexpr dolmen::KeyName userPK{"userPK"};
inline constexpr dolmen::KeyName last_name{"last name"};
}  // namespace key

}  // namespace acme::names
