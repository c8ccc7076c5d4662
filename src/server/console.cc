#include "server/console.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "base/check.h"
#include "protocol/compression.h"

namespace dolmen {
namespace {

using wire::HttpRequest;
using wire::HttpResponse;

constexpr std::string_view kConsoleRoot = "/console";
constexpr std::string_view kConsoleMagic = "dolmen-console 1\n";
/// No file of the console is nearly as large.
constexpr std::size_t kConsoleFileBytesMax = std::size_t{16} << 20;

/// Scripts, styles, pictures and requests come from this server alone, nothing is written into a page, and no other
/// page may show this one inside itself.
constexpr std::string_view kConsoleSecurity =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

/// Cuts the text before `end` off the front, and `end` with it.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  DOLMEN_CHECK(at != std::string_view::npos, "the pack of the console is whole");
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + 1);
  return taken;
}

HttpResponse console_text(int status, std::string text) {
  return {.status = status,
          .headers = "Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n",
          .body = std::move(text)};
}

/// Whether the client has this content already.
bool is_known(std::string_view if_none_match, std::string_view tag) {
  return if_none_match == "*" || if_none_match.contains(fmt::format("\"{}\"", tag));
}

/// Files are stored so; whoever names gzip at all gets them so.
bool takes_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t end = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view offer = accept_encoding.substr(0, end);
    accept_encoding.remove_prefix(std::min(end + 1, accept_encoding.size()));
    if (accepted_encoding(offer) == Encoding::kGzip) return true;
  }
  return false;
}

bool is_of_this_machine(std::string_view peer) {
  return peer.starts_with("127.") || peer == "::1" || peer.starts_with("::ffff:127.");
}

}  // namespace

Console::Console(std::string_view pack, bool asks_for_keys) : asks_for_keys_(asks_for_keys) {
  if (pack.empty()) return;
  DOLMEN_CHECK(pack.starts_with(kConsoleMagic), "the pack of the console has the form that this program reads");
  std::string_view index = pack.substr(kConsoleMagic.size());
  std::string_view data = index.substr(index.find("\n\n") + 2);
  while (!index.starts_with('\n')) {
    std::string_view line = take_until(index, '\n');
    const std::string_view name = take_until(line, ' ');
    const std::string_view type = take_until(line, ' ');
    const std::string_view tag = take_until(line, ' ');
    std::size_t bytes = 0;
    std::from_chars(line.data(), line.data() + line.size(), bytes);
    DOLMEN_CHECK(bytes <= data.size(), "the pack of the console has all of its files");
    files_.emplace(name, File{.type = type, .tag = tag, .data = data.substr(0, bytes)});
    data.remove_prefix(bytes);
  }
}

HttpResponse Console::answer(const HttpRequest& request) const {
  HttpResponse response = response_for(request);
  response.headers.append(kConsoleSecurity);
  if (request.method() == "HEAD") response.length = std::exchange(response.body, {}).size();
  return response;
}

HttpResponse Console::response_for(const HttpRequest& request) const {
  if (!asks_for_keys_ && !is_of_this_machine(request.peer()))
    return console_text(
        403,
        "The console is for browsers on the machine of the server. Start the server with --auth enforce "
        "to use it from elsewhere.\n");
  if (files_.empty())
    return console_text(404,
                        "This server was built without the console. Install nodejs and npm, and build it again with "
                        "./dev run, which says what is missing.\n");
  if (request.path() == kConsoleRoot) {
    HttpResponse response = console_text(308, "");
    response.headers.append("Location: /console/\r\n");
    return response;
  }
  std::string_view name = request.path().substr(kConsoleRoot.size() + 1);
  if (name.empty()) name = "index.html";
  const auto found = files_.find(name);
  if (found == files_.end()) return console_text(404, "The console has no such file. It begins at /console/.\n");

  const File& file = found->second;
  // The name of an asset changes with its content; that of the page does not.
  const std::string_view caching = name.starts_with("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  HttpResponse response{.headers = fmt::format("Content-Type: {}\r\nETag: \"{}\"\r\nCache-Control: {}\r\n"
                                               "Vary: Accept-Encoding\r\n",
                                               file.type, file.tag, caching)};
  if (is_known(request.header("if-none-match").value_or(""), file.tag)) {
    response.status = 304;
    return response;
  }
  if (takes_gzip(request.header("accept-encoding").value_or(""))) {
    response.headers.append("Content-Encoding: gzip\r\n");
    response.body = file.data;
    return response;
  }
  Result<std::string> plain = decompress(Encoding::kGzip, file.data, kConsoleFileBytesMax);
  DOLMEN_CHECK(plain.has_value(), "the files of the console were compressed when they were packed");
  response.body = *std::move(plain);
  return response;
}

}  // namespace dolmen
