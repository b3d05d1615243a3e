// What is answered: GET / (the page), GET /news?since=N (waits for something new), GET /pose and /run (data of the page),
// POST /parameters (with ?show=run or pose also the report that follows), /pull, /verb (JSON). No request names a file: nothing but the model is ever read.
//
// A page of another site that is open in the same browser can send requests here as well. It does not know the token; and
// what comes with another Host (a name that was made to point here) or from another Origin is refused before all else.

#include "live_server.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <nlohmann/json.hpp>

#include "../http/http_module.hpp"
#include "lithe/io/json_text.hpp"
#include "model_options.hpp"
#include "modules.hpp"
#include "report_page.hpp"

namespace lithe::cli {
namespace {

using Json = nlohmann::json;

// A reader that waits for news keeps a thread; some are left for everything else.
constexpr int most_threads = LiveSession::most_readers + 8;
constexpr std::size_t most_body = 65536;  // bytes of a request
constexpr auto patience = std::chrono::seconds(10);
constexpr auto slider_patience = std::chrono::milliseconds(250);  // longer runs come with the news
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

HttpAnswer text_answer(std::string text, const char* type = "application/json") {
  return {200, std::make_shared<const std::string>(std::move(text)), type};
}

HttpAnswer refusal_of(int status, const std::string& why) {
  return {status, std::make_shared<const std::string>(why), ""};
}

std::unique_ptr<HttpServer> listen(HttpService& service, int port) {
  void* const function = module_function("lithe-http", "lithe_listen");
  if (function == nullptr)
    throw InputError("this Lithe was built without a server; install libcpp-httplib-dev and build it again");
  HttpSettings settings;
  settings.port = port;
  settings.most_body = most_body;
  settings.most_threads = most_threads;
  settings.headers = {{"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Content-Security-Policy",
                       "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: "
                       "blob:; media-src blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
                       "form-action 'none'"}};
  std::unique_ptr<HttpServer> server(reinterpret_cast<decltype(&lithe_listen)>(function)(service, settings));
  if (!server)
    throw InputError(
        fmt::format("port {} of {} is taken or not allowed; leave --port out, or give another one", port, loopback));
  return server;
}

}  // namespace

struct LiveServer::Inside : HttpService {
  Inside(LiveSession& live, int wanted) : session(live), token(new_token()), server(listen(*this, wanted)) {
    port = server->port();
  }

  ~Inside() override {
    session.close();
    server.reset();
  }

  bool admit(const HttpRequest& request, HttpAnswer& refusal) override {
    const std::string host = request.header("host");
    const bool is_here = host == fmt::format("{}:{}", loopback, port) || host == fmt::format("localhost:{}", port);
    const bool known_token = is_same(
        request.headers.contains("x-lithe-token") ? request.header("x-lithe-token") : request.parameter("token"),
        token);
    if (request.headers.count("host") != 1 || !is_here)
      refusal = refusal_of(403, "lithe live answers under its own address only");
    else if (request.headers.contains("origin") && request.header("origin") != "http://" + host)
      refusal = refusal_of(403, "lithe live answers its own page only");
    else if (!known_token)
      refusal = refusal_of(403, "the token is missing or wrong; open the address that lithe live has printed");
    else if (!is_known(request.method, request.path))
      refusal = refusal_of(404, "lithe live has no such page");
    else
      return true;
    return false;
  }

  static bool is_known(const std::string& method, const std::string& path) {
    constexpr std::array<std::string_view, 4> read{"/", "/news", "/pose", "/run"};
    constexpr std::array<std::string_view, 3> written{"/parameters", "/pull", "/verb"};
    if (method == "GET") return std::find(read.begin(), read.end(), path) != read.end();
    return method == "POST" && std::find(written.begin(), written.end(), path) != written.end();
  }

  HttpAnswer answer(const HttpRequest& request) override {
    const std::string& path = request.path;
    if (path == "/") return page();
    if (path == "/news") {
      const std::string since = request.parameter("since");
      return text_answer(session.news(since.empty() ? 0 : std::stol(since), patience));
    }
    if (path == "/pose") return report_answer(session.pose_report());
    if (path == "/run") return report_answer(session.run_report());
    const Json body = Json::parse(request.body);
    if (path == "/parameters") return after_parameters(session.set_parameters(body), request.parameter("show"));
    if (path == "/pull") return {200, session.pull(body)};
    session.start_verb(body.at("verb").get<std::string>());
    return text_answer("{}");
  }

  HttpAnswer page() {
    std::shared_ptr<const std::string> data = session.run_report();
    if (!data) data = session.pose_report();
    Report report;
    report.json = data ? *data : R"({"format":1,"lithe":"","title":"Lithe","results":[]})";
    report.json = with_entry(report.json, "live", {{"token", token}});
    return text_answer(report_page(report), "text/html; charset=utf-8");
  }

  /// The number of the change, with the report that the page shows when that is quick: it need not ask again.
  HttpAnswer after_parameters(long change, const std::string& show) {
    const bool of_run = show == "run";
    LiveSession::Shown shown;
    if (of_run || show == "pose") shown = session.report_after(change, of_run, slider_patience);
    if (!shown.report) return text_answer(detail::json_text(Json{{"change", change}}));
    return text_answer(fmt::format(R"({{"change":{},"number":{},"report":{}}})", change, shown.number, *shown.report));
  }

  static HttpAnswer report_answer(const std::shared_ptr<const std::string>& report) {
    if (report) return {200, report};
    return refusal_of(404, "there is no such report yet");
  }

  LiveSession& session;
  const std::string token;
  std::atomic<int> port = 0;
  std::unique_ptr<HttpServer> server;  // answers as soon as it is there: last
};

LiveServer::LiveServer(LiveSession& session, int port) : inside_(std::make_unique<Inside>(session, port)) {}
LiveServer::~LiveServer() = default;

int LiveServer::port() const { return inside_->port; }
std::string LiveServer::address() const {
  return fmt::format("http://{}:{}/?token={}", loopback, port(), inside_->token);
}

}  // namespace lithe::cli
