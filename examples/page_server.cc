// A tiny server of pages that regenerate, and a load generator for it. Two servers share a table and a directory of
// bodies, as two machines would; a page takes a while to generate, is fresh for a second, and is asked for by many
// clients at a time. In the end it prints how many requests were answered, how fast, and how often pages were
// generated.
//
// usage: page_server [STORE [CLIENTS [SECONDS]]], such as page_server ./data 64 10
#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dolmen/dolmen.h>
#include <dolmen/isr.h>
#include <dolmen/isr/etag.h>
#include <dolmen/isr/isr.h>
#include <dolmen/tables.h>
#include <filesystem>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "page_load.h"

namespace db = dolmen;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class PageServer {
 public:
  PageServer(db::Store& store, db::BodyStore& bodies) : cache_(store, "pages", bodies) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(listener_, 512) != 0)
      std::abort();
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::jthread([this] { accept_all(); });
  }
  ~PageServer() { shutdown(listener_, SHUT_RDWR); }
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] int generated() const { return generated_; }

 private:
  /// Ends when its clients have gone, because it waits for the threads that serve them.
  void accept_all() {
    std::vector<std::jthread> threads;
    for (int connection = 0; (connection = accept(listener_, nullptr, nullptr)) >= 0;)
      threads.emplace_back([this, connection] {
        std::string input;
        for (std::string head; !(head = read_head(connection, input)).empty();) {
          const std::string answer = respond(head);
          if (send(connection, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) break;
        }
        close(connection);
      });
    close(listener_);
  }

  std::string respond(const std::string& head) {
    const std::size_t begin = head.find(' ') + 1;
    const std::string path = head.substr(begin, head.find(' ', begin) - begin);
    const db::Result<db::ServedPage> page = cache_.serve_or_regenerate({path}, [&](const std::stop_token&) {
      ++generated_;
      std::this_thread::sleep_for(50ms);  // as long as it takes to ask a database and fill a template
      return db::Result<db::GeneratedPage>(db::GeneratedPage{.body = "<h1>" + path + "</h1>\n", .revalidate = 1s});
    });
    if (!page) return "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
    const std::string tag = page->metadata.etag.value_or("");
    const std::string common = "ETag: " + tag + "\r\nContent-Length: ";
    if (db::none_match_hits(header(head, "If-None-Match"), tag))
      return "HTTP/1.1 304 Not Modified\r\n" + common + "0\r\n\r\n";
    return "HTTP/1.1 200 OK\r\n" + common + std::to_string(page->body.size()) + "\r\n\r\n" + page->body;
  }

  db::PageCache cache_;
  std::atomic<int> generated_ = 0;
  int listener_ = -1;
  int port_ = 0;
  std::jthread acceptor_;
};

int report(const db::Error& error) {
  std::fprintf(stderr, "page_server: %s\n", error.message().c_str());
  return 1;
}

int main(int count, char** arguments) {
  const std::string address = count > 1 ? arguments[1] : "memory:";
  const int clients = count > 2 ? std::atoi(arguments[2]) : 16;
  const auto length = std::chrono::seconds(count > 3 ? std::atoi(arguments[3]) : 2);

  const auto store = db::open(address);
  if (!store) return report(store.error());
  const auto made =
      db::ensure_table(**store, {.name = "pages", .partition_key = {"pk"}, .sort_key = db::KeyAttribute{"sk"}});
  if (!made) return report(made.error());
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("page_server_" + std::to_string(getpid()));
  const auto bodies = db::open_body_directory(folder);
  if (!bodies) return report(bodies.error());

  std::vector<double> times;
  int failures = 0;
  int generated = 0;
  {
    PageServer first(**store, **bodies);
    PageServer second(**store, **bodies);
    std::vector<Load> loads(static_cast<std::size_t>(clients));
    {
      std::vector<std::jthread> threads;
      const Clock::time_point until = Clock::now() + length;
      for (int i = 0; i < clients; ++i)
        threads.emplace_back(
            [&, i] { loads[static_cast<std::size_t>(i)] = ask(i % 2 == 0 ? first.port() : second.port(), until, i); });
    }
    for (const Load& load : loads) {
      times.insert(times.end(), load.milliseconds.begin(), load.milliseconds.end());
      failures += load.failures;
    }
    generated = first.generated() + second.generated();
  }
  std::filesystem::remove_all(folder);
  std::ranges::sort(times);
  if (times.empty()) return 1;
  std::printf("%zu requests, %d failed, %.0f requests/s, p50 %.2f ms, p99 %.2f ms\n", times.size(), failures,
              static_cast<double>(times.size()) / static_cast<double>(length.count()), times[times.size() / 2],
              times[times.size() * 99 / 100]);
  std::printf("%d pages were generated %d times, at most once a second each\n", kPages, generated);
  return failures == 0 && generated <= kPages * (static_cast<int>(length.count()) + 2) ? 0 : 1;
}
