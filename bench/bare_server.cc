// What the kernel alone costs for a request over HTTP, in the two ways in which a server can talk to it. It takes
// whatever arrives at once for a request, looks for "GetItem" in it, and answers with a fixed item of 1 KB or with {}:
// it is no HTTP server. Usage: bare_server epoll|io-uring PORT; serves 127.0.0.1 with two threads until SIGTERM or
// SIGINT.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>
#ifdef DOLMEN_HAS_URING
#include <liburing.h>
#endif

namespace {

constexpr std::size_t kRequestBytesMax = 8192;
constexpr int kEventsMax = 128;

std::string answer_with(const std::string& body) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: {}\r\n\r\n{}",
                     body.size(), body);
}

std::string_view answer_to(std::string_view request) {
  static const std::string item =
      answer_with(fmt::format(R"({{"Item":{{"pk":{{"S":"a"}},"notes":{{"S":"{}"}}}}}})", std::string(1024, 'x')));
  static const std::string nothing = answer_with("{}");
  return request.find(".GetItem") == std::string_view::npos ? nothing : item;
}

/// Serves the sockets whose numbers come through a pipe.
void serve_by_epoll(int arrivals) {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  const auto watch = [&](int descriptor, std::uint32_t events) {
    epoll_event event{.events = events, .data = {.fd = descriptor}};
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
  };
  watch(arrivals, EPOLLIN);
  std::array<epoll_event, kEventsMax> events{};
  std::array<char, kRequestBytesMax> request{};
  for (;;) {
    const int count = ::epoll_wait(epoll, events.data(), kEventsMax, -1);
    for (int i = 0; i < count; ++i) {
      const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
      if (descriptor == arrivals) {
        int arrived = -1;
        if (::read(arrivals, &arrived, sizeof arrived) == sizeof arrived) watch(arrived, EPOLLIN | EPOLLET);
        continue;
      }
      const ssize_t got = ::recv(descriptor, request.data(), request.size(), 0);
      if (got < 0 && errno == EAGAIN) continue;
      if (got <= 0) {
        ::close(descriptor);
        continue;
      }
      const std::string_view answer = answer_to({request.data(), static_cast<std::size_t>(got)});
      ::send(descriptor, answer.data(), answer.size(), MSG_NOSIGNAL);
    }
  }
}

#ifdef DOLMEN_HAS_URING

/// The same with one submission for all answers of a round, receives that stay armed, and buffers that the kernel
/// chooses.
class UringLoop {
 public:
  explicit UringLoop(int arrivals) : arrivals_(arrivals), requests_(kBuffers * kRequestBytesMax) {
    io_uring_params params{};
    params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_DEFER_TASKRUN;
    require(io_uring_queue_init_params(kEntries, &ring_, &params), "io_uring_setup");
    void* shared = nullptr;
    if (::posix_memalign(&shared, kPage, kBuffers * sizeof(io_uring_buf)) != 0) std::abort();
    std::memset(shared, 0, kBuffers * sizeof(io_uring_buf));
    io_uring_buf_reg registration{};
    registration.ring_addr = reinterpret_cast<std::uintptr_t>(shared);
    registration.ring_entries = kBuffers;
    require(io_uring_register_buf_ring(&ring_, &registration, 0), "registering buffers");
    buffers_ = static_cast<io_uring_buf_ring*>(shared);
    io_uring_buf_ring_init(buffers_);
    for (unsigned i = 0; i < kBuffers; ++i) give_back(i);
  }

  void run() {
    await_arrival();
    for (;;) {
      io_uring_submit_and_wait(&ring_, 1);
      unsigned head = 0;
      unsigned count = 0;
      io_uring_cqe* event = nullptr;
      io_uring_for_each_cqe(&ring_, head, event) {
        ++count;
        handle(*event);
      }
      io_uring_cq_advance(&ring_, count);
    }
  }

 private:
  static constexpr unsigned kEntries = 1024;
  static constexpr unsigned kBuffers = 256;
  static constexpr std::size_t kPage = 4096;
  static constexpr std::uint64_t kArrival = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kAnswer = std::uint64_t{1} << 33;

  static void require(int result, const char* what) {
    if (result >= 0) return;
    fmt::print(stderr, "{}: {}\n", what, std::strerror(-result));
    std::exit(1);
  }

  void handle(const io_uring_cqe& event) {
    if (event.user_data == kArrival) {
      receive(arrived_);
      return await_arrival();
    }
    if (event.user_data == kAnswer) return;
    const int descriptor = static_cast<int>(event.user_data);
    if (event.res <= 0 && event.res != -ENOBUFS) {
      ::close(descriptor);
      return;
    }
    if (event.res > 0) {
      const unsigned buffer = event.flags >> IORING_CQE_BUFFER_SHIFT;
      answer(descriptor, {&requests_[buffer * kRequestBytesMax], static_cast<std::size_t>(event.res)});
      give_back(buffer);
    }
    if ((event.flags & IORING_CQE_F_MORE) == 0) receive(descriptor);
  }

  void await_arrival() {
    io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
    io_uring_prep_read(entry, arrivals_, &arrived_, sizeof arrived_, 0);
    entry->user_data = kArrival;
  }

  void receive(int descriptor) {
    io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
    io_uring_prep_recv_multishot(entry, descriptor, nullptr, 0, 0);
    entry->flags |= IOSQE_BUFFER_SELECT;
    entry->user_data = static_cast<std::uint64_t>(descriptor);
  }

  void answer(int descriptor, std::string_view request) {
    const std::string_view text = answer_to(request);
    io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
    io_uring_prep_send(entry, descriptor, text.data(), text.size(), MSG_NOSIGNAL);
    entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
    entry->user_data = kAnswer;
  }

  void give_back(unsigned buffer) {
    io_uring_buf_ring_add(buffers_, &requests_[buffer * kRequestBytesMax], kRequestBytesMax,
                          static_cast<unsigned short>(buffer), io_uring_buf_ring_mask(kBuffers), 0);
    io_uring_buf_ring_advance(buffers_, 1);
  }

  const int arrivals_;
  int arrived_ = -1;
  std::vector<char> requests_;
  io_uring ring_{};
  io_uring_buf_ring* buffers_ = nullptr;
};

void serve_by_uring(int arrivals) { UringLoop(arrivals).run(); }

#else

void serve_by_uring(int) {
  fmt::print(stderr, "built without liburing\n");
  std::exit(1);
}

#endif

int listen_at(std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(listener, SOMAXCONN) == 0)
    return listener;
  fmt::print(stderr, "port {}: {}\n", port, std::strerror(errno));
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view way = argc == 3 ? argv[1] : "";
  if (way != "epoll" && way != "io-uring") {
    fmt::print(stderr, "usage: bare_server epoll|io-uring PORT\n");
    return 2;
  }
  const int listener = listen_at(static_cast<std::uint16_t>(std::strtoul(argv[2], nullptr, 10)));
  std::array<std::array<int, 2>, 2> pipes{};
  for (auto& ends : pipes) {
    if (::pipe(ends.data()) != 0) return 1;
    std::thread(way == "epoll" ? serve_by_epoll : serve_by_uring, ends[0]).detach();
  }
  const int on = 1;
  for (std::size_t next = 0;; ++next) {
    const int arrived = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | (way == "epoll" ? SOCK_NONBLOCK : 0));
    if (arrived < 0) continue;
    ::setsockopt(arrived, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::write(pipes[next % pipes.size()][1], &arrived, sizeof arrived) != sizeof arrived) return 1;
  }
}
