#include "server/server.h"

#include <utility>

namespace dolmen {

Server::Server(std::unique_ptr<wire::HttpServer> http, std::unique_ptr<Store> store, Documents documents)
    : store_(std::move(store)),
      documents_(std::move(documents), *store_),
      protocol_(store_->service(), {}, &documents_),
      http_(std::move(http)) {
  http_->serve(protocol_);
}

Server::~Server() { stop(); }

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options) {
  DOLMEN_TRY(std::unique_ptr<wire::HttpServer> http, wire::HttpServer::listen(options.http));
  DOLMEN_TRY(std::unique_ptr<Store> store, open_embedded_store(options.store, {.report = options.report}));
  DOLMEN_TRY(Documents documents, Documents::open(*store));
  return std::unique_ptr<Server>(new Server(std::move(http), std::move(store), std::move(documents)));
}

void Server::stop() {
  http_->stop();
  documents_.stop();
}

}  // namespace dolmen
