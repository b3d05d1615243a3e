#pragma once
// The server of `lithe live`: on this machine only, for those who know its token.

#include <memory>
#include <string>

#include "live_session.hpp"

namespace lithe::cli {

class LiveServer {
 public:
  /// Listens on the loopback address; `port` 0: any that is free. Throws InputError when the port is taken. `session`
  /// must outlive this object.
  LiveServer(LiveSession& session, int port);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  int port() const;
  /// The address of the page, with the token.
  std::string address() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace lithe::cli
