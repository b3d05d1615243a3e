// The server of `lithe live`: whom it answers, what it survives, and that it follows the file. What the page does in a
// browser is tested in viewer/test/live.test.mjs.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <random>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

using Json = nlohmann::json;

const std::string watched_pendulum = R"(lithe: 1
name: pendulum
gravity: [0, -9.81, 0]
parameters: {bob: {value: 2, from: 0.5, to: 10}, start: {value: 30 deg, from: 0, to: 90 deg}, length: 0.4}
links: {arm: {rigid: {mass: bob, centre: [length, 0], inertia: [0, 0, 0.01]}, frames: {tip: [length, 0]}}}
joints: {pivot: {revolute: z, from: ground, to: arm, stops: {lower: -2, upper: 2}}}
initial: {pivot: start}
run: {until: 0.2}
)";

/// A connection that says nothing by itself.
class Wire {
 public:
  explicit Wire(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(static_cast<std::uint16_t>(port));
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connected_ = connect(socket_, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0;
  }
  ~Wire() { close(socket_); }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  bool connected() const { return connected_; }
  void say(const std::string& bytes) const { (void)send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  std::string hear() const {
    std::string text;
    char room[4096];
    for (ssize_t count = 0; (count = recv(socket_, room, sizeof room, 0)) > 0;) text.append(room, count);
    return text;
  }

 private:
  int socket_;
  bool connected_ = false;
};

struct Reply {
  int status = 0;
  std::string body;
  Json json() const { return Json::parse(body); }
};

class LiveServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (lithe({"show", example("four-bar"), "-o", folder_.file("probe.html")}).err.find("has no viewer") !=
        std::string::npos)
      GTEST_SKIP() << "built with LITHE_VIEWER=OFF";
    write_text(model(), watched_pendulum);
    start();
  }
  void TearDown() override {
    if (process_ > 0) {
      kill(process_, SIGINT);
      int status = 0;
      waitpid(process_, &status, 0);
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "Ctrl-C ends it, and nothing else has";
    }
  }

  std::string model() const { return folder_.file("pendulum.yaml"); }

  void start() {
    const std::string out = folder_.file("out"), path = model();
    std::string program = program_path();
    process_ = fork();
    if (process_ == 0) {
      dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
      execl(program.c_str(), program.c_str(), "live", path.c_str(), "--json", "--no-open", nullptr);
      _exit(127);
    }
    for (int tries = 0; tries < 600 && read_text(out).find('\n') == std::string::npos; ++tries) usleep(50000);
    const Json answer = Json::parse(read_text(out));
    port_ = answer["port"];
    const std::string address = answer["address"];
    EXPECT_TRUE(address.starts_with("http://127.0.0.1:")) << address;
    token_ = address.substr(address.find("token=") + 6);
  }

  Reply raw(const std::string& request) const {
    const Wire wire(port_);
    wire.say(request);
    const std::string text = wire.hear();
    if (text.size() < 12) return {};
    const std::size_t head = text.find("\r\n\r\n");
    return {std::stoi(text.substr(9, 3)), head == std::string::npos ? "" : text.substr(head + 4)};
  }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  Reply ask(const std::string& what, const std::string& headers, const std::string& body = "") const {
    return raw(what + " HTTP/1.1\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
               headers + "\r\n" + body);
  }
  std::string own() const { return "Host: " + host() + "\r\nX-Lithe-Token: " + token_ + "\r\n"; }
  Reply get(const std::string& path) const { return ask("GET " + path, own()); }
  Reply post(const std::string& path, const Json& body) const { return ask("POST " + path, own(), body.dump()); }

  /// The first news for which `good` holds.
  Json news_when(const std::function<bool(const Json&)>& good) const {
    Json news = Json::object();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      news = get("/news?since=" + std::to_string(news.value("version", 0L))).json();
      if (good(news)) return news;
    }
    ADD_FAILURE() << news.dump(2);
    return news;
  }
  Json settled() const {
    return news_when([](const Json& n) { return !n["reading"] && !n["running"] && n["run"]["number"] > 0; });
  }

  Folder folder_;
  pid_t process_ = 0;
  int port_ = 0;
  std::string token_;
};

TEST_F(LiveServerTest, AnswersOnlyItsOwnPage) {
  EXPECT_EQ(get("/").status, 200);
  EXPECT_NE(get("/").body.find("\"live\":{\"token\":\"" + token_), std::string::npos);
  EXPECT_EQ(ask("GET /?token=" + token_, "Host: localhost:" + std::to_string(port_) + "\r\n").status, 200);

  const std::string good_host = "Host: " + host() + "\r\n", good_token = "X-Lithe-Token: " + token_ + "\r\n";
  const Reply without = ask("GET /", good_host);
  EXPECT_EQ(without.status, 403);
  EXPECT_EQ(without.body, "the token is missing or wrong; open the address that lithe live has printed\n");
  EXPECT_EQ(ask("GET /?token=" + std::string(32, '0'), good_host).status, 403);
  EXPECT_EQ(ask("GET /?token=" + token_.substr(1), good_host).status, 403);
  EXPECT_EQ(ask("POST /verb", good_host, R"({"verb":"check"})").status, 403);

  const std::vector<std::string> others{"evil.example", "evil.example:" + std::to_string(port_),
                                        "127.0.0.1:" + std::to_string(port_ + 1), "127.0.0.1.evil.example"};
  for (const std::string& other : others) {
    const Reply reply = ask("GET /news", "Host: " + other + "\r\n" + good_token);
    EXPECT_EQ(reply.status, 403) << other;
    EXPECT_EQ(reply.body, "lithe live answers under its own address only\n");
  }
  EXPECT_EQ(ask("GET /news", good_token).status, 403) << "without a host";
  EXPECT_EQ(ask("GET /news", good_host + good_host + good_token).status, 403) << "two hosts";

  const Reply foreign = ask("GET /news", own() + "Origin: https://evil.example\r\n");
  EXPECT_EQ(foreign.status, 403);
  EXPECT_EQ(foreign.body, "lithe live answers its own page only\n");
  EXPECT_EQ(ask("GET /news", own() + "Origin: null\r\n").status, 403);
  EXPECT_EQ(ask("GET /news", own() + "Origin: http://" + host() + "\r\n").status, 200);
}

TEST_F(LiveServerTest, GivesNoFiles) {
  write_text(folder_.file("secret.txt"), "secret");
  for (const char* path : {"/secret.txt", "/pendulum.yaml", "/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt",
                           "/run/../secret.txt", "/./secret.txt", "//etc/passwd", "/../../../../../../../../etc/passwd",
                           "/news/../../etc/passwd", "/run/"}) {
    const Reply reply = get(path);
    EXPECT_GE(reply.status, 400) << path;
    EXPECT_EQ(reply.body.find("secret\n"), std::string::npos) << path;
    EXPECT_EQ(reply.body.find("root:"), std::string::npos) << path;
  }
  EXPECT_EQ(get("/../secret.txt").status, 404);
  EXPECT_EQ(ask("DELETE /run", own()).status, 404);
  EXPECT_EQ(ask("PUT /parameters", own(), "{}").status, 404);
}

TEST_F(LiveServerTest, FollowsTheFile) {
  const Json first = settled();
  EXPECT_EQ(first["model"], "pendulum");
  EXPECT_TRUE(first["errors"].empty());

  std::string broken = watched_pendulum;
  broken.replace(broken.find("mass: bob"), 9, "mass: bop");
  write_text(model(), broken);
  const Json bad = news_when([](const Json& n) { return !n["errors"].empty() && !n["reading"]; });
  ASSERT_EQ(bad["errors"].size(), 1U) << bad.dump(2);
  const Json error = bad["errors"][0];
  EXPECT_EQ(error["file"], "pendulum.yaml");
  EXPECT_EQ(error["line"], 5);
  EXPECT_EQ(error["key"], "links.arm.rigid.mass");
  EXPECT_EQ(error["message"], "unknown name 'bop'; did you mean 'bob'?");
  EXPECT_EQ(error["source"].get<std::string>().substr(0, 7), "links: ");
  EXPECT_EQ(bad["run"]["number"], first["run"]["number"]) << "the page keeps what it has";
  EXPECT_EQ(get("/run").status, 200);

  // Saved as editors do it: another file takes the name.
  std::string mended = watched_pendulum;
  mended.replace(mended.find("until: 0.2"), 10, "until: 0.3");
  write_text(folder_.file("new"), mended);
  std::filesystem::rename(folder_.file("new"), model());
  const Json good = news_when([&](const Json& n) {
    return n["errors"].empty() && !n["running"] && n["run"]["number"] > first["run"]["number"];
  });
  EXPECT_TRUE(good["errors"].empty());
  EXPECT_NE(get("/run").body.find("\"until\":0.3"), std::string::npos);
}

TEST_F(LiveServerTest, FollowsIncludedFilesAndThoseThatAppear) {
  write_text(model(), "include: base.yaml\nlithe: 1\nrun: {until: 0.1}\n");
  const Json missing = news_when([](const Json& n) { return !n["errors"].empty() && !n["reading"]; });
  EXPECT_EQ(missing["errors"][0]["line"], 1);
  write_text(folder_.file("base.yaml"), watched_pendulum);
  news_when([](const Json& n) { return n["errors"].empty() && !n["running"] && !n["reading"]; });
  std::string longer = watched_pendulum;
  longer.replace(longer.find("length: 0.4"), 11, "length: 0.6");
  write_text(folder_.file("base.yaml"), longer);
  // A file that is seen half written is read twice, so the number of runs does not tell which one this is.
  const Json last = news_when([&](const Json& n) {
    return !n["running"] && !n["reading"] && get("/run").body.find("\"length\":0.6") != std::string::npos;
  });
  EXPECT_TRUE(last["errors"].empty()) << last.dump(2);
}

TEST_F(LiveServerTest, SlidersReplaceValuesUntilTheFileIsSaved) {
  const Json first = settled();
  const Json expected = {{{"from", 0.5}, {"name", "bob"}, {"to", 10.0}, {"unit", ""}, {"value", 2.0}},
                         {{"name", "length"}, {"value", 0.4}},
                         {{"from", 0.0}, {"name", "start"}, {"to", 90.0}, {"unit", "deg"}, {"value", 30.0}}};
  Json parameters = first["parameters"];
  for (Json& each : parameters) each["value"] = std::round(1e9 * each["value"].get<double>()) / 1e9;
  EXPECT_EQ(parameters, expected);

  const long change = post("/parameters", {{"bob", "3"}, {"start", "45 deg"}}).json()["change"];
  const Json moved = news_when([&](const Json& n) { return n["run"]["change"] >= change; });
  EXPECT_EQ(moved["parameters"][0]["value"], 3.0);
  EXPECT_NEAR(moved["parameters"][2]["value"].get<double>(), 45.0, 1e-9);
  EXPECT_EQ(moved["moved"], true);
  const Json run = get("/run").json();
  EXPECT_NEAR(run["results"][0]["model"]["parameters"]["start"].get<double>(), std::atan(1.0), 1e-12);

  EXPECT_EQ(post("/parameters", {{"bop", "3"}}).body, "the model has no parameter 'bop'\n");
  EXPECT_EQ(post("/parameters", {{"links.arm.rigid.mass", "3"}}).status, 400) << "no paths into the file";
  EXPECT_EQ(post("/parameters", {{"bob", 3}}).body, "the value of 'bob' is no short text\n");
  EXPECT_EQ(post("/parameters", {{"bob", std::string(1000, '1')}}).status, 400);

  write_text(model(), watched_pendulum + "# saved\n");
  const Json saved = news_when([&](const Json& n) { return n["moved"] == false && !n["reading"] && !n["running"]; });
  EXPECT_EQ(saved["parameters"][0]["value"], 2.0);
}

// The tip of the pendulum comes as near as its length lets it: the place on the circle of radius 0.4 m towards
// the pointer, atan2(1, 1) for one at (1, 1). The stop ends the way at 2 rad.
TEST_F(LiveServerTest, Pulls) {
  settled();
  const auto pivot = [](const Reply& reply) { return reply.json()["pose"]["joints"][0]; };
  Reply reply = post("/pull", {{"frame", "arm/tip"}, {"to", {1, 1, 0}}});
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_NEAR(pivot(reply)["value"].get<double>(), std::atan(1.0), 1e-3);
  EXPECT_NEAR(reply.json()["pose"]["missed"].get<double>(), std::sqrt(2.0) - 0.4, 1e-3);
  reply = post("/pull", {{"joint", "pivot"}, {"to", 3.0}});
  EXPECT_NEAR(pivot(reply)["value"].get<double>(), 2.0, 1e-4);
  EXPECT_EQ(pivot(reply)["at_limit"], true);
  reply = post("/pull", {{"joint", "pivot"}, {"to", 0.5}});
  EXPECT_NEAR(pivot(reply)["value"].get<double>(), 0.5, 1e-6);
  EXPECT_EQ(pivot(reply)["at_limit"], false);
  reply = post("/pull", {{"reset", true}});
  EXPECT_NEAR(pivot(reply)["value"].get<double>(), std::atan(1.0) * 2 / 3, 1e-9);

  EXPECT_EQ(post("/pull", {{"frame", "arm/top"}, {"to", {1, 1, 0}}}).body, "'arm/top' is no frame of a moving link\n");
  EXPECT_EQ(post("/pull", {{"frame", "ground"}, {"to", {1, 1, 0}}}).status, 400);
  EXPECT_EQ(post("/pull", {{"joint", "elbow"}, {"to", 1}}).body, "there is no joint coordinate 'elbow'\n");
  EXPECT_EQ(post("/pull", {{"joint", "pivot"}, {"to", 1e300}}).body, "a pull leads out of reach\n");
  EXPECT_EQ(post("/pull", {{"joint", "pivot"}}).body, "a pull needs 'to'\n");
  EXPECT_EQ(post("/pull", Json::array()).body, "a pull is an object\n");
}

TEST_F(LiveServerTest, RunsVerbs) {
  settled();
  post("/parameters", {{"bob", "4"}});
  EXPECT_EQ(post("/verb", {{"verb", "check"}}).status, 200);
  const Json done = news_when([](const Json& n) { return n["verb"].is_object() && !n["verb"]["running"].get<bool>(); });
  EXPECT_EQ(done["verb"]["exit"], 0) << done.dump(2);
  EXPECT_EQ(done["verb"]["command"], "lithe check " + model() + " --set bob=4");
  EXPECT_NE(done["verb"]["text"].get<std::string>().find("mobility"), std::string::npos);
  EXPECT_EQ(post("/verb", {{"verb", "demo"}}).body, "the page has no verb 'demo'\n");
}

TEST_F(LiveServerTest, ARunThatIsOutOfDateEnds) {
  std::string endless = watched_pendulum;
  endless.replace(endless.find("until: 0.2"), 10, "until: 1e5");
  write_text(model(), endless);
  news_when([](const Json& n) { return n["running"] == true && n["progress"] > 0.0; });
  const auto start = std::chrono::steady_clock::now();
  write_text(model(), watched_pendulum);
  news_when([](const Json& n) { return !n["running"] && !n["reading"] && n["errors"].empty(); });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_NE(get("/run").body.find("\"until\":0.2"), std::string::npos);
}

TEST_F(LiveServerTest, SurvivesMalformedRequestsAndVanishingClients) {
  settled();
  std::mt19937 dice(1);
  const std::string head = "GET /news?since=0 HTTP/1.1\r\n" + own() + "Connection: close\r\n\r\n";
  const std::string body = R"({"joint":"pivot","to":0.5})";
  const std::string pull = "POST /pull HTTP/1.1\r\n" + own() + "Content-Length: " + std::to_string(body.size()) +
                           "\r\nConnection: close\r\n\r\n" + body;
  const std::vector<std::string> odd = {
      "",
      "\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET /" + std::string(20000, 'a') + " HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: " + std::string(20000, 'a') + "\r\n\r\n",
      "POST /pull HTTP/1.1\r\n" + own() + "Content-Length: -1\r\n\r\n",
      "POST /pull HTTP/1.1\r\n" + own() + "Content-Length: 99999999999999999999\r\n\r\n{}",
      "POST /pull HTTP/1.1\r\n" + own() + "Content-Length: 1000000\r\n\r\n{}",
      "POST /pull HTTP/1.1\r\n" + own() + "Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n{}",
      "POST /pull HTTP/1.1\r\n" + own() + "Content-Length: 2\r\n\r\n{]",
      "POST /pull HTTP/1.1\r\n" + own() + "Content-Length: 6\r\n\r\n{\"to\":",
      "POST /parameters HTTP/1.1\r\n" + own() + "Content-Length: 4\r\n\r\nnull",
      "POST /pull HTTP/1.1\r\n" + own() +
          "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9\r\n\r\n--x\r\n\r\n--",
      "GET /news?since=999999999999999999999999 HTTP/1.1\r\n" + own() + "\r\n",
      "GET /news?since=%zz&%=%&token HTTP/1.1\r\n\r\n",
      std::string("GET /\0 HTTP/1.1\r\n\r\n", 18),
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"};
  for (int k = 0; k < 10000; ++k) {
    const Wire wire(port_);
    ASSERT_TRUE(wire.connected()) << "after " << k << " requests";
    if (k % 2 == 0) {
      wire.say(odd[(k / 2) % odd.size()]);
    } else {  // a request with some bytes spoiled, or cut off
      std::string spoiled = k % 4 == 1 ? head : pull;
      for (int n = 0; n < 4; ++n) spoiled[dice() % spoiled.size()] = static_cast<char>(dice() % 256);
      wire.say(spoiled.substr(0, dice() % spoiled.size()));
    }
    // The client is gone before anybody could answer.
  }
  // Clients that wait for news and vanish.
  for (int k = 0; k < 40; ++k) {
    const Wire wire(port_);
    wire.say("GET /news?since=99999999 HTTP/1.1\r\n" + own() + "\r\n");
  }
  // They keep nobody waiting: a reader alone would be sent away after ten seconds.
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(get("/news").status, 200);
  EXPECT_EQ(post("/pull", {{"joint", "pivot"}, {"to", 0.5}}).status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8));
}

TEST(LiveVerb, RefusesWhatItCannotServe) {
  const Folder folder;
  const Answer missing = lithe({"live", folder.file("nothing.yaml"), "--no-open"});
  EXPECT_EQ(missing.exit_code, 2);
  if (missing.err.find("has no viewer") == std::string::npos)
    EXPECT_EQ(missing.err, "lithe: error: " + folder.file("nothing.yaml") + ": no such file\n");
  EXPECT_EQ(lithe({"live", example("four-bar"), "--port", "70000"}).exit_code, 2);
  EXPECT_EQ(lithe({"live", example("four-bar"), "--set", "g"}).exit_code, 2);
}

}  // namespace
}  // namespace lithe::testing
