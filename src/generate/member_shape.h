#pragma once

#include <cstdint>

#include "dolmen/model/model.h"

namespace dolmen::generate {

/// What a member of generated code holds, whatever the language.
enum class MemberKind : std::uint8_t {
  kText,
  kTime,     ///< a text in RFC 3339 form
  kNumber,   ///< exact, with up to 38 digits
  kInteger,  ///< format int
  kVersion,
  kSeconds,  ///< since 1970
  kBytes,
  kBool,
  kNull,
  kList,
  kVector,  ///< a list of so many floats
  kMap,
  kTextSet,
  kNumberSet,
  kByteSet,
  kJson,
};

struct MemberShape {
  MemberKind kind = MemberKind::kText;
  /// May be missing, and has a value of its own for that. Sets, JSON and NULL need none: they can be empty themselves.
  bool nullable = false;
  /// A program must say it: a key, or required, and not set by the library.
  bool given = false;
};

/// Every language has the same shape for an attribute: what is optional is nullable, and so are moments, ttl, vectors
/// and keys of indexes that are not required, since nothing that is empty could be stored for them.
MemberShape member_shape(const Model& model, const ModelAttribute& attribute);

}  // namespace dolmen::generate
