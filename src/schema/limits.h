#pragma once

#include <cstddef>

/// The limits of schemas and documents, by name.
namespace dolmen::limits {

inline constexpr std::size_t kSchemaBytes = 128 * 1024;
inline constexpr std::size_t kSchemaIdBytes = 100;
inline constexpr std::size_t kSchemaVersionBytes = 64;
/// How deep objects and arrays may stand inside each other in a document.
inline constexpr unsigned kSchemaNesting = 32;
inline constexpr std::size_t kFieldsPerObject = 256;
inline constexpr std::size_t kFieldsPerSchema = 1024;
inline constexpr std::size_t kFieldNameBytes = 255;
inline constexpr std::size_t kSchemas = 10'000;

/// Of a document without insignificant space; it must fit into one item of a table.
inline constexpr std::size_t kDocumentBytes = 384 * 1024;
/// Of a document as it arrives.
inline constexpr std::size_t kDocumentTextBytes = 4 * 1024 * 1024;
/// How deep what is not declared may be nested before reading it is given up.
inline constexpr unsigned kDocumentNesting = 64;
inline constexpr std::size_t kDocumentIdBytes = 256;

}  // namespace dolmen::limits
