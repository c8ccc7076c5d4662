#include "server/service_manager.h"

#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include "base/fail.h"
#include "base/file_writer.h"

namespace dolmen {
namespace {

/// Where handed-over sockets begin, as sd_listen_fds(3) has it.
constexpr int kFirstSocket = 3;
constexpr int kSocketsMax = 16;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

ServiceManager::Environment ServiceManager::environment() {
  return {.notify_socket = variable("NOTIFY_SOCKET"),
          .listen_pid = variable("LISTEN_PID"),
          .listen_fds = variable("LISTEN_FDS")};
}

Result<ServiceManager> ServiceManager::open(Environment environment) {
  ServiceManager manager;
  manager.notify_socket_ = std::move(environment.notify_socket);
  if (environment.listen_fds.empty() || environment.listen_pid != std::to_string(::getpid())) return manager;
  const std::string& text = environment.listen_fds;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0 || count > kSocketsMax)
    return fail(Code::kInvalidArgument, "LISTEN_FDS: \"{}\" is not a number of sockets from 0 to {}", text,
                kSocketsMax);
  for (int i = 0; i < count; ++i) manager.sockets_.push_back(kFirstSocket + i);
  return manager;
}

void ServiceManager::ready(std::string_view status) const { send(fmt::format("READY=1\nSTATUS={}", status)); }

void ServiceManager::reloading() const {
  using std::chrono::microseconds;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", std::chrono::duration_cast<microseconds>(now).count()));
}

void ServiceManager::stopping() const { send("STOPPING=1\nSTATUS=finishing the requests under way"); }

void ServiceManager::send(std::string_view state) const {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  if (notify_socket_.empty() || notify_socket_.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, notify_socket_.data(), notify_socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // an abstract socket
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + notify_socket_.size());
  static_cast<void>(::sendto(socket.get(), state.data(), state.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), size));
}

Result<SocketAddress> address_of_socket(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address);
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address);
    if (address.ss_family == AF_INET && ::inet_ntop(AF_INET, &v4->sin_addr, text.data(), text.size()) != nullptr)
      return SocketAddress{text.data(), ntohs(v4->sin_port)};
    if (address.ss_family == AF_INET6 && ::inet_ntop(AF_INET6, &v6->sin6_addr, text.data(), text.size()) != nullptr)
      return SocketAddress{text.data(), ntohs(v6->sin6_port)};
  }
  return fail(Code::kInvalidArgument, "descriptor {} is not a socket of IPv4 or IPv6", descriptor);
}

}  // namespace dolmen
