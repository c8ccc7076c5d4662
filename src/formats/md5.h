#pragma once

#include <string>
#include <string_view>

namespace dolmen::formats {

/// The MD5 of bytes, by which S3 and the manifests of exports name content. Not for secrets.
struct Md5 {
  std::string base64;
  /// In lower case.
  std::string hex;
};

Md5 md5(std::string_view bytes);

}  // namespace dolmen::formats
