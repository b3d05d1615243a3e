// What is answered: GET / (the page), GET /news?since=N (waits for something new), GET /pose and /run (data of the page),
// POST /parameters, /pull, /verb (JSON). No request names a file: nothing but the model is ever read.
//
// A page of another site that is open in the same browser can send requests here as well. It does not know the token; and
// what comes with another Host (a name that was made to point here) or from another Origin is refused before all else.

#include "live_server.hpp"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/random.h>

#include <array>
#include <nlohmann/json.hpp>

#include "lithe/io/json_text.hpp"
#include "model_options.hpp"
#include "report_page.hpp"

namespace lithe::cli {
namespace {

using Json = nlohmann::json;

constexpr int most_threads = 24;          // a reader that waits for news keeps one
constexpr std::size_t most_body = 65536;  // bytes of a request
constexpr auto patience = std::chrono::seconds(10);
constexpr const char* loopback = "127.0.0.1";

/// 128 random bits as hexadecimal digits.
std::string new_token() {
  std::array<unsigned char, 16> bits{};
  if (getrandom(bits.data(), bits.size(), 0) != static_cast<ssize_t>(bits.size()))
    throw InputError("the system gives no random numbers for the token of the page");
  std::string text;
  for (const unsigned char each : bits) text += fmt::format("{:02x}", each);
  return text;
}

/// Takes the same time wherever two texts differ.
bool is_same(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0U : 1U;
  for (std::size_t k = 0; k < a.size(); ++k)
    difference |= static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k % b.size()]);
  return difference == 0U;
}

/// The library lets five connections wait; whoever comes then is heard a second later.
class PatientServer : public httplib::Server {
 public:
  void let_more_wait() { ::listen(svr_sock_, SOMAXCONN); }
};

/// As it is: the library would compress what it knows to be text, which takes longer than a local connection saves.
void give(httplib::Response& response, std::shared_ptr<const std::string> text, const char* type) {
  response.status = 200;
  const std::size_t size = text->size();
  response.set_content_provider(size, type,
                                [text = std::move(text)](std::size_t at, std::size_t count, httplib::DataSink& sink) {
                                  return sink.write(text->data() + at, count);
                                });
}

void give(httplib::Response& response, std::string text, const char* type = "application/json") {
  give(response, std::make_shared<const std::string>(std::move(text)), type);
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain; charset=utf-8");
  response.set_header("Connection", "close");  // its body, if it has one, is not read
}

}  // namespace

struct LiveServer::Inside {
  Inside(LiveSession& live, int wanted) : session(live), token(new_token()) {
    server.new_task_queue = [] { return new httplib::ThreadPool(most_threads); };
    server.set_payload_max_length(most_body);
    server.set_read_timeout(5);
    server.set_write_timeout(5);
    server.set_keep_alive_timeout(5);
    server.set_tcp_nodelay(true);
    server.set_default_headers(
        {{"Cache-Control", "no-store"},
         {"X-Content-Type-Options", "nosniff"},
         {"Referrer-Policy", "no-referrer"},
         {"Cross-Origin-Resource-Policy", "same-origin"},
         {"Content-Security-Policy",
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: "
          "blob:; media-src blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
          "form-action 'none'"}});
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return admit(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                      : httplib::Server::HandlerResponse::Handled;
    });
    server.set_exception_handler([](const httplib::Request&, httplib::Response& response, std::exception_ptr thrown) {
      try {
        std::rethrow_exception(thrown);
      } catch (const std::exception& error) {
        refuse(response, 400, error.what());
      } catch (...) {
        refuse(response, 400, "the request cannot be answered");
      }
    });
    answer_readers();
    answer_writers();
    port = wanted == 0 ? server.bind_to_any_port(loopback) : (server.bind_to_port(loopback, wanted) ? wanted : -1);
    if (port <= 0)
      throw InputError(fmt::format("port {} of {} is taken or not allowed; leave --port out, or give another one",
                                   wanted, loopback));
    server.let_more_wait();
    listener = std::thread([this] { server.listen_after_bind(); });
    while (!server.is_running()) std::this_thread::yield();
  }

  ~Inside() {
    session.close();
    server.stop();
    listener.join();
  }

  /// Whether a request comes from the page; otherwise it has been refused.
  bool admit(const httplib::Request& request, httplib::Response& response) const {
    const std::string by_number = fmt::format("{}:{}", loopback, port), by_name = fmt::format("localhost:{}", port);
    const std::string host = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 || (host != by_number && host != by_name)) {
      refuse(response, 403, "lithe live answers under its own address only");
      return false;
    }
    if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host) {
      refuse(response, 403, "lithe live answers its own page only");
      return false;
    }
    const std::string given = request.has_header("X-Lithe-Token") ? request.get_header_value("X-Lithe-Token")
                                                                  : request.get_param_value("token");
    if (!is_same(given, token)) {
      refuse(response, 403, "the token is missing or wrong; open the address that lithe live has printed");
      return false;
    }
    constexpr std::array<std::pair<const char*, const char*>, 7> known{{{"GET", "/"},
                                                                        {"GET", "/news"},
                                                                        {"GET", "/pose"},
                                                                        {"GET", "/run"},
                                                                        {"POST", "/parameters"},
                                                                        {"POST", "/pull"},
                                                                        {"POST", "/verb"}}};
    for (const auto& [method, path] : known)
      if (request.method == method && request.path == path) return true;
    refuse(response, 404, "lithe live has no such page");
    return false;
  }

  void answer_readers() {
    server.Get("/", [this](const httplib::Request&, httplib::Response& response) {
      std::shared_ptr<const std::string> data = session.run_report();
      if (!data) data = session.pose_report();
      Report report;
      report.json = data ? *data : R"({"format":1,"lithe":"","title":"Lithe","results":[]})";
      report.json = with_entry(report.json, "live", {{"token", token}});
      give(response, report_page(report), "text/html; charset=utf-8");
    });
    server.Get("/news", [this](const httplib::Request& request, httplib::Response& response) {
      const std::string since = request.get_param_value("since");
      give(response, session.news(since.empty() ? 0 : std::stol(since), patience));
    });
    const auto give_report = [](const std::shared_ptr<const std::string>& report, httplib::Response& response) {
      if (report)
        give(response, report, "application/json");
      else
        refuse(response, 404, "there is no such report yet");
    };
    server.Get("/pose", [this, give_report](const httplib::Request&, httplib::Response& response) {
      give_report(session.pose_report(), response);
    });
    server.Get("/run", [this, give_report](const httplib::Request&, httplib::Response& response) {
      give_report(session.run_report(), response);
    });
  }

  void answer_writers() {
    server.Post("/parameters", [this](const httplib::Request& request, httplib::Response& response) {
      give(response, detail::json_text(Json{{"change", session.set_parameters(Json::parse(request.body))}}));
    });
    server.Post("/pull", [this](const httplib::Request& request, httplib::Response& response) {
      give(response, session.pull(Json::parse(request.body)), "application/json");
    });
    server.Post("/verb", [this](const httplib::Request& request, httplib::Response& response) {
      session.start_verb(Json::parse(request.body).at("verb").get<std::string>());
      give(response, std::string("{}"));
    });
  }

  LiveSession& session;
  const std::string token;
  PatientServer server;
  int port = 0;
  std::thread listener;
};

LiveServer::LiveServer(LiveSession& session, int port) : inside_(std::make_unique<Inside>(session, port)) {}
LiveServer::~LiveServer() = default;

int LiveServer::port() const { return inside_->port; }
std::string LiveServer::address() const {
  return fmt::format("http://{}:{}/?token={}", loopback, inside_->port, inside_->token);
}

}  // namespace lithe::cli
