#include "http_module.hpp"

#include <httplib.h>

#include <cctype>
#include <thread>

namespace lithe::cli {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr int patience = 5;  ///< s, for a slow reader, writer or an idle connection

HttpRequest plain(const httplib::Request& request) {
  HttpRequest copy{request.method, request.path, request.body, {}, {}};
  for (const auto& [name, value] : request.headers) {
    std::string small = name;
    for (char& letter : small) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    copy.headers.emplace(small, value);
  }
  for (const auto& [name, value] : request.params) copy.parameters.emplace(name, value);
  return copy;
}

/// As it is: the library would compress what it knows to be text, which takes longer than a local connection saves.
void give(const HttpAnswer& answer, httplib::Response& response) {
  response.status = answer.status;
  response.set_content_provider(answer.text->size(), answer.type,
                                [text = answer.text](std::size_t at, std::size_t count, httplib::DataSink& sink) {
                                  return sink.write(text->data() + at, count);
                                });
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain; charset=utf-8");
  response.set_header("Connection", "close");  // its body, if it has one, is not read
}

class Server : public HttpServer, private httplib::Server {
 public:
  Server(HttpService& service, const HttpSettings& settings) : service_(service) {
    new_task_queue = [count = settings.most_threads] { return new httplib::ThreadPool(count); };
    set_payload_max_length(settings.most_body);
    set_read_timeout(patience);
    set_write_timeout(patience);
    set_keep_alive_timeout(patience);
    set_tcp_nodelay(true);
    set_default_headers(httplib::Headers(settings.headers.begin(), settings.headers.end()));
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      HttpAnswer refusal;
      if (service_.admit(plain(request), refusal)) return HandlerResponse::Unhandled;
      refuse(response, refusal.status, *refusal.text);
      return HandlerResponse::Handled;
    });
    set_exception_handler([](const httplib::Request&, httplib::Response& response, std::exception_ptr thrown) {
      try {
        std::rethrow_exception(thrown);
      } catch (const std::exception& error) {
        refuse(response, 400, error.what());
      } catch (...) {
        refuse(response, 400, "the request cannot be answered");
      }
    });
    const Handler respond = [this](const httplib::Request& request, httplib::Response& response) {
      const HttpAnswer answer = service_.answer(plain(request));
      if (answer.status == 200)
        give(answer, response);
      else
        refuse(response, answer.status, *answer.text);
    };
    Get("/.*", respond);
    Post("/.*", respond);
    port_ =
        settings.port == 0 ? bind_to_any_port(loopback) : (bind_to_port(loopback, settings.port) ? settings.port : -1);
    if (port_ <= 0) return;
    ::listen(svr_sock_, SOMAXCONN);  // the library lets five connections wait; whoever comes then waits a second
    listener_ = std::thread([this] { listen_after_bind(); });
    while (!is_running()) std::this_thread::yield();
  }

  ~Server() override {
    stop();
    if (listener_.joinable()) listener_.join();
  }

  int port() const override { return port_; }

 private:
  HttpService& service_;
  int port_ = 0;
  std::thread listener_;
};

}  // namespace
}  // namespace lithe::cli

lithe::cli::HttpServer* lithe_listen(lithe::cli::HttpService& service, const lithe::cli::HttpSettings& settings) {
  auto server = std::make_unique<lithe::cli::Server>(service, settings);
  return server->port() > 0 ? server.release() : nullptr;
}
