#include "server/server.h"

#include <utility>

namespace dolmen {

Server::Server(std::unique_ptr<wire::HttpServer> http, std::unique_ptr<Service> service, Documents documents)
    : service_(std::move(service)),
      documents_(std::move(documents), *service_),
      protocol_(*service_, {}, &documents_),
      http_(std::move(http)) {
  http_->serve(protocol_);
}

Server::~Server() { stop(); }

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options) {
  DOLMEN_TRY(std::unique_ptr<wire::HttpServer> http, wire::HttpServer::listen(options.http));
  DOLMEN_TRY(std::unique_ptr<Service> service, open_embedded_service(options.store, {.report = options.report}));
  DOLMEN_TRY(Documents documents, Documents::open(*service));
  return std::unique_ptr<Server>(new Server(std::move(http), std::move(service), std::move(documents)));
}

void Server::stop() {
  http_->stop();
  documents_.stop();
}

}  // namespace dolmen
