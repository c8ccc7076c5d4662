// The floor of a request over HTTP: Dolmen's own HTTP server with a handler that does nothing. GetItem is answered with
// a fixed item of 1 KB, everything else with {}. Usage: null_server PORT; serves 127.0.0.1 until SIGTERM or SIGINT.
#include <csignal>
#include <cstdlib>
#include <fmt/core.h>
#include <string>

#include "wire/http_server.h"

namespace {

using namespace dolmen::wire;

class NullHandler final : public HttpHandler {
 public:
  void handle(const HttpRequest& request, Respond respond) override {
    const bool get = request.header("x-amz-target").value_or("").ends_with(".GetItem");
    respond({.headers = "Content-Type: application/x-amz-json-1.0\r\n", .body = get ? item_ : "{}"});
  }

 private:
  const std::string item_ =
      fmt::format(R"({{"Item":{{"pk":{{"S":"a"}},"notes":{{"S":"{}"}}}}}})", std::string(1024, 'x'));
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: null_server PORT\n");
    return 2;
  }
  // Blocked here, and so in all threads of the server; this one waits for them.
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stops, nullptr);
  const auto server = HttpServer::listen({.port = static_cast<std::uint16_t>(std::strtoul(argv[1], nullptr, 10))});
  if (!server) {
    fmt::print(stderr, "{}\n", server.error().message());
    return 1;
  }
  NullHandler handler;
  (*server)->serve(handler);
  int signal = 0;
  sigwait(&stops, &signal);
  (*server)->stop();
}
