#pragma once
// What the module with the HTTP library in it offers the program, which loads it for `lithe live` only: the library brings
// encryption and compression along, and no other verb is to wait for them.

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace lithe::cli {

struct HttpRequest {
  std::string method, path, body;
  std::multimap<std::string, std::string> headers;  ///< names in small letters
  std::map<std::string, std::string> parameters;    ///< of the address

  /// The first header of that name; empty when there is none.
  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
  std::string parameter(const std::string& name) const {
    const auto found = parameters.find(name);
    return found == parameters.end() ? "" : found->second;
  }
};

struct HttpAnswer {
  int status = 200;
  std::shared_ptr<const std::string> text;
  const char* type = "application/json";
};

/// Who answers; called from many threads at once.
class HttpService {
 public:
  virtual ~HttpService() = default;
  /// Before the body of a request is read: false refuses it with that answer.
  virtual bool admit(const HttpRequest& request, HttpAnswer& refusal) = 0;
  /// May throw; the text of the exception is answered then.
  virtual HttpAnswer answer(const HttpRequest& request) = 0;
};

struct HttpSettings {
  int port = 0;                                     ///< of the loopback address; 0: any that is free
  std::multimap<std::string, std::string> headers;  ///< of every answer
  std::size_t most_body = 0;                        ///< bytes of a request
  std::size_t most_threads = 0;
};

/// Listens until it is destroyed.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  virtual int port() const = 0;
};

}  // namespace lithe::cli

/// The only symbol that is looked up. Nothing when the port is taken.
extern "C" lithe::cli::HttpServer* lithe_listen(lithe::cli::HttpService& service,
                                                const lithe::cli::HttpSettings& settings);
