#include "tests/support/test_store.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <stdexcept>

#include "dolmen/store.h"
#include "dolmen/tables.h"
#include "service/service.h"
#include "service/wait.h"

namespace dolmen {
namespace {

const WaitOptions kSoon{.interval = std::chrono::milliseconds(5), .timeout = std::chrono::seconds(30)};

const char* endpoint() { return std::getenv("DOLMEN_TEST_STORE"); }

template <class T>
T good(Result<T> result, const char* what) {
  if (!result) throw std::runtime_error(std::string(what) + " at " + endpoint() + ": " + result.error().message());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Passes everything on, and answers a change of a table when it is complete.
class SettlingService final : public AlikeService<SettlingService> {
 public:
  explicit SettlingService(std::unique_ptr<Store> below) : below_(std::move(below)) {}

  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done) {
    if constexpr (std::is_same_v<Op, CreateTable>) {
      const std::string name = request.name;
      settle<Op>(name, std::move(request), std::move(done));
    } else if constexpr (std::is_same_v<Op, UpdateTable> || std::is_same_v<Op, DeleteTable>) {
      const std::string name = request.table;
      settle<Op>(name, std::move(request), std::move(done));
    } else {
      below_->service().start(Op{}, std::move(request), std::move(done));
    }
  }

  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override {
    return below_->service().cancelable(std::move(stop), companions);
  }

 private:
  template <class Op>
  void settle(const std::string& name, typename Op::Request request, Done<typename Op::Response> done) {
    auto answer = wait_for<typename Op::Response>(
        [&](auto answered) { below_->service().start(Op{}, std::move(request), std::move(answered)); });
    // An engine without time to live has made the table; what works without it is worth knowing.
    if (std::is_same_v<Op, CreateTable> && !answer && answer.error().code() == Code::kUnsupported)
      answer = below_->describe_table(name);
    if (answer && std::is_same_v<Op, DeleteTable>) {
      if (const Result<void> gone = wait_until_deleted(*below_, name, kSoon); !gone)
        answer = std::unexpected(gone.error());
    } else if (answer) {
      if (const Result<TableDescription> active = wait_until_active(*below_, name, kSoon); !active)
        answer = std::unexpected(active.error());
    }
    done(std::move(answer));
  }

  std::unique_ptr<Store> below_;
};

std::unique_ptr<Store> open_endpoint() {
  std::unique_ptr<Store> below = good(open(endpoint()), "cannot open the store");
  const detail::Companions companions = below->companions();
  return std::make_unique<Store>(std::make_unique<SettlingService>(std::move(below)), companions);
}

std::vector<std::string> tables_of(Store& store) { return good(store.list_tables(), "cannot list the tables").names; }

void empty(Store& store) {
  for (const std::string& table : tables_of(store)) good(store.delete_table(table), "cannot delete a table");
}

class EmptyAfterTest : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& /*test*/) override { empty(*open_endpoint()); }
};

/// Once, before the first test changes anything.
bool take_possession(Store& store) {
  const std::vector<std::string> tables = tables_of(store);
  if (!tables.empty())
    throw std::runtime_error("there is the table " + tables.front() + " at " + endpoint() +
                             "; tests need an endpoint without tables");
  testing::UnitTest::GetInstance()->listeners().Append(new EmptyAfterTest);  // NOLINT: GoogleTest owns it
  return true;
}

}  // namespace

std::unique_ptr<Store> test_store() {
  if (endpoint() == nullptr) return open("memory:").value();
  std::unique_ptr<Store> store = open_endpoint();
  static const bool ours = take_possession(*store);
  if (ours) empty(*store);
  testing::Test::RecordProperty("store", endpoint());
  return store;
}

}  // namespace dolmen
