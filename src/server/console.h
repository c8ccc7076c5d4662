#pragma once

#include <map>
#include <string>
#include <string_view>

#include "wire/http.h"

namespace dolmen {

/// The files of the web console as console/scripts/pack.mjs has put them together. Empty when this program was built
/// without them.
std::string_view console_pack();

/// Answers GET and HEAD of /console and what is below it, for browsers on this machine and, where every request is
/// signed with a key, for all. The files are public: they have no data, and the browser asks for that like any other
/// client. Thread-safe; holds no copy of the files.
class Console {
 public:
  /// `pack` must outlive this object. `asks_for_keys`: the server answers only signed requests.
  Console(std::string_view pack, bool asks_for_keys);

  [[nodiscard]] wire::HttpResponse answer(const wire::HttpRequest& request) const;

 private:
  struct File {
    std::string_view type;
    std::string_view tag;   ///< Changes with the content.
    std::string_view data;  ///< Compressed with gzip.
  };

  [[nodiscard]] wire::HttpResponse response_for(const wire::HttpRequest& request) const;

  std::map<std::string_view, File> files_;
  const bool asks_for_keys_;
};

}  // namespace dolmen
