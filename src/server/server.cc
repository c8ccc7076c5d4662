#include "server/server.h"

#include <utility>

namespace dolmen {

namespace {

/// Passes the warnings of gates to the log.
contract::Warn warn_through(LineLog& log) {
  return [&log](std::string line) { log.write(std::move(line)); };
}

}  // namespace

Server::Server(Parts parts)
    : log_(std::move(parts.log)),
      store_(std::move(parts.store)),
      documents_(std::move(parts.documents), *store_, warn_through(*log_)),
      protocol_(store_->service(), {}, &documents_),
      http_(std::move(parts.http)) {
  http_->serve(protocol_);
}

Server::~Server() { stop(); }

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options) {
  DOLMEN_TRY(std::unique_ptr<wire::HttpServer> http, wire::HttpServer::listen(options.http));
  auto log = std::make_unique<LineLog>(options.log);
  DOLMEN_TRY(std::unique_ptr<Store> store,
             open_embedded_store(options.store, {.warn = warn_through(*log), .report = options.report}));
  DOLMEN_TRY(Documents documents, Documents::open(*store));
  return std::unique_ptr<Server>(new Server(
      {.log = std::move(log), .http = std::move(http), .store = std::move(store), .documents = std::move(documents)}));
}

void Server::stop() {
  http_->stop();
  documents_.stop();
}

}  // namespace dolmen
