#include "server/service_manager.h"

#include <cstring>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file_writer.h"
#include "base/test_directory.h"
#include "base/test_result.h"

namespace dolmen {
namespace {

/// What a service manager hears on one of its sockets.
class Ear {
 public:
  explicit Ear(const std::string& path) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    std::memcpy(address.sun_path, path.data(), path.size());
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  [[nodiscard]] std::string next() const {
    std::string text(1000, '\0');
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(::recv(socket_.get(), text.data(), text.size(), 0), 0)));
    return text;
  }

 private:
  FileDescriptor socket_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

TEST(ServiceManager, hears_how_far_the_service_is) {
  const TemporaryDirectory folder;
  const std::string path = (folder / "notify").string();
  const Ear ear(path);
  const ServiceManager manager = ServiceManager::open({.notify_socket = path}).value();
  manager.ready("listening");
  EXPECT_EQ(ear.next(), "READY=1\nSTATUS=listening");
  manager.reloading();
  EXPECT_TRUE(ear.next().starts_with("RELOADING=1\nMONOTONIC_USEC="));
  manager.stopping();
  EXPECT_TRUE(ear.next().starts_with("STOPPING=1\n"));
}

TEST(ServiceManager, that_is_not_there_or_has_gone_does_no_harm) {
  ServiceManager::open({}).value().ready("listening");
  ServiceManager::open({.notify_socket = "/nowhere/notify"}).value().stopping();
  ServiceManager::open({.notify_socket = std::string(1000, 'x')}).value().stopping();
}

TEST(ServiceManager, hands_over_sockets_to_the_process_that_it_names) {
  const std::string own = std::to_string(::getpid());
  EXPECT_EQ(ServiceManager::open({.listen_pid = own, .listen_fds = "2"}).value().sockets(), (std::vector{3, 4}));
  EXPECT_TRUE(ServiceManager::open({.listen_pid = "1", .listen_fds = "2"}).value().sockets().empty());
  EXPECT_TRUE(ServiceManager::open({.listen_pid = own}).value().sockets().empty());
  for (const char* count : {"x", "-1", "2 ", "17"})
    EXPECT_THAT(ServiceManager::open({.listen_pid = own, .listen_fds = count}), fails_with(Code::kInvalidArgument));
}

TEST(ServiceManager, knows_the_address_of_a_socket) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const SocketAddress bound = address_of_socket(socket.get()).value();
  EXPECT_EQ(bound.host, "127.0.0.1");
  EXPECT_NE(bound.port, 0);
  EXPECT_THAT(address_of_socket(-1), fails_with(Code::kInvalidArgument));
}

}  // namespace
}  // namespace dolmen
