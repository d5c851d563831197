// A Farfalia bot without an SDK: grpc++, three .proto files, and the page that describes the contract.
//
//   FARFALIA_SERVER=host:port FARFALIA_TOKEN=... build/bot      (or unix:/path for a socket)
//
// Plays the lowest card that it may, until it is told to stop.
#include <grpcpp/grpcpp.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "farfalia/v1/play.grpc.pb.h"

namespace pb = farfalia::v1;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{250}, kLongestWait{15'000};
constexpr milliseconds kSettled{3'000};         // a stream that lived for so long was a good one
constexpr milliseconds kWelcomeWithin{20'000};  // a wrong port may hang without an error
constexpr int kKeptOutAttempts = 4;             // another instance may be our own lost connection

// Returns one of the legal actions. Kinds that it does not know get the first one.
uint32_t decide(const pb::Question& question) {
  const auto& legal = question.legal();
  if (question.kind() != pb::DECISION_KIND_PLAY || question.view().ruleset() == "farrago") return legal.Get(0);
  return *std::min_element(legal.begin(), legal.end(), [](uint32_t a, uint32_t b) { return a % 13 < b % 13; });
}

std::string random_bytes() {
  std::random_device device;
  std::string bytes(16, '\0');
  for (char& byte : bytes) byte = static_cast<char>(device());
  return bytes;
}

void say(const std::string& text) { std::cerr << "farfalia: " + text + "\n"; }

// Cancels a call of which nothing has been heard for a while.
class Watch {
 public:
  Watch(grpc::ClientContext& context, milliseconds patience) : patience_(patience), heard_(Clock::now()) {
    thread_ = std::thread([this, &context] {
      std::unique_lock lock(mutex_);
      while (!over_) {
        if (patience_.count() == 0) {
          changed_.wait(lock);
        } else if (changed_.wait_until(lock, heard_ + patience_) == std::cv_status::timeout && !over_ &&
                   Clock::now() >= heard_ + patience_) {
          context.TryCancel();
          return;
        }
      }
    });
  }
  ~Watch() {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  void heard(milliseconds patience) {
    {
      std::lock_guard lock(mutex_);
      patience_ = patience, heard_ = Clock::now();
    }
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  milliseconds patience_;
  Clock::time_point heard_;
  bool over_ = false;
  std::thread thread_;
};

struct Stream {
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<pb::PlayRequest, pb::PlayResponse>> call;
  std::mutex writing;
  Clock::time_point since{};  // its welcome

  void send(const pb::PlayRequest& message) {
    std::lock_guard lock(writing);
    call->Write(message);  // the next Read says that it failed
  }
};

// What outlives a stream.
class Bot {
 public:
  // Opens one stream after the other, until another thread has taken over.
  void keep_playing() {
    milliseconds wait = kFirstWait;
    int kept_out = 0;
    while (true) {
      auto stream = std::make_shared<Stream>();
      {
        std::lock_guard lock(mutex_);
        dialled_ = stream;
      }
      grpc::Status status = play(stream);
      std::unique_lock lock(mutex_);
      if (leaving_ && status.ok() && welcomed_ == stream) std::_Exit(0);  // our goodbye
      if (dialled_ != stream) return;                                      // drained: the next stream has taken over
      const bool was_welcomed = stream->since != Clock::time_point{};
      if (was_welcomed) kept_out = 0;
      if (was_welcomed && Clock::now() - stream->since >= kSettled) wait = kFirstWait;
      const bool kept = status.error_code() == grpc::ALREADY_EXISTS;
      if (is_final(status.error_code()) || (kept && ++kept_out > kKeptOutAttempts)) {
        say(status.error_message());
        std::_Exit(3);
      }
      if (leaving_ && open_.empty()) std::_Exit(0);
      std::uniform_real_distribution<double> share(0.5, 1.0);
      milliseconds pause{static_cast<int64_t>(static_cast<double>(wait.count()) * share(random_))};
      if (kept) pause = ping_interval_;
      wait = std::min(2 * wait, kLongestWait);
      lock.unlock();
      say((status.ok() ? "the stream has ended" : status.error_message()) + "; trying again in " +
          std::to_string(pause.count()) + " ms");
      std::this_thread::sleep_for(pause);
    }
  }

  // Says goodbye: the server ends the stream after the last open match.
  void leave() {
    std::shared_ptr<Stream> current;
    {
      std::lock_guard lock(mutex_);
      if (leaving_ || !welcomed_) std::_Exit(0);
      leaving_ = true;
      current = welcomed_;
    }
    pb::PlayRequest message;
    message.mutable_goodbye();
    current->send(message);
  }

 private:
  static bool is_final(grpc::StatusCode code) {
    static const std::set<grpc::StatusCode> codes{
        grpc::UNAUTHENTICATED, grpc::PERMISSION_DENIED, grpc::INVALID_ARGUMENT, grpc::FAILED_PRECONDITION,
        grpc::UNIMPLEMENTED,   grpc::ABORTED,  // another instance took over
    };
    return codes.count(code) > 0;
  }

  // A channel to the server that FARFALIA_SERVER names; a new one for each attempt.
  static std::shared_ptr<grpc::Channel> channel() {
    const char* named = std::getenv("FARFALIA_SERVER");
    const std::string server = named ? named : "127.0.0.1:7600";
    std::smatch parts;
    std::regex_match(server, parts, std::regex("(?:(https?|farfalias?)://)?(.*)"));
    const std::string scheme = parts[1];
    std::string target = parts[2];
    if (target.rfind("unix:", 0) != 0 && !std::regex_search(target, std::regex(":\\d+$"))) {
      target += scheme == "https" ? ":443" : ":7600";
    }
    grpc::ChannelArguments options;
    options.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
    options.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
    options.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    options.SetMaxReceiveMessageSize(16 << 20);
    if (std::regex_match(target, std::regex("(localhost|127\\.[\\d.]+|\\[::1\\]):\\d+"))) {
      options.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);  // no proxy leads back to this machine
    }
    const bool secure = scheme == "https" || scheme == "farfalias";
    return grpc::CreateCustomChannel(
        target, secure ? grpc::SslCredentials({}) : grpc::InsecureChannelCredentials(), options);
  }

  // One stream from its hello to its end.
  grpc::Status play(const std::shared_ptr<Stream>& stream) {
    const char* token = std::getenv("FARFALIA_TOKEN");
    stream->context.AddMetadata("authorization", std::string("Bearer ") + (token ? token : ""));
    auto stub = pb::PlayService::NewStub(channel());
    Watch watch(stream->context, kWelcomeWithin);
    stream->call = stub->Play(&stream->context);
    pb::PlayRequest first;
    pb::Hello* hello = first.mutable_hello();
    hello->set_client("cpp-example");
    hello->set_client_version("1");
    hello->set_instance(instance_);
    hello->mutable_capacity()->set_matches(64);
    hello->mutable_capacity()->set_questions(64);
    stream->send(first);
    milliseconds patience = kWelcomeWithin;
    pb::PlayResponse message;
    while (stream->call->Read(&message)) {
      if (message.has_welcome()) patience = 3 * milliseconds(message.welcome().ping_interval_ms());
      watch.heard(patience);
      const pb::PlayRequest reply = take(stream, message);
      if (reply.ByteSizeLong() > 0) stream->send(reply);
      if (message.has_drain()) {
        std::lock_guard lock(mutex_);
        // Takes over from this stream, which plays on until then.
        if (dialled_ == stream) std::thread([this] { keep_playing(); }).detach();
      }
    }
    return stream->call->Finish();
  }

  // Does what the server says, and returns what there is to answer.
  pb::PlayRequest take(const std::shared_ptr<Stream>& stream, const pb::PlayResponse& message) {
    std::lock_guard lock(mutex_);
    pb::PlayRequest reply;
    if (message.has_welcome()) {
      say("connected as " + message.welcome().bot());
      stream->since = Clock::now();
      welcomed_ = stream;
      ping_interval_ = milliseconds(message.welcome().ping_interval_ms());
      open_.clear();
      for (const auto& seat : message.welcome().open()) open_.insert(seat.match());
      if (leaving_) reply.mutable_goodbye();  // a server that was started again does not know
    }
    for (const auto& seat : message.seated()) open_.insert(seat.match());
    for (const auto& question : message.questions()) {
      pb::Action* action = reply.add_actions();
      action->set_match(question.match());
      action->set_number(question.number());
      action->set_action(decide(question));
    }
    for (const auto& result : message.results()) {
      say("match " + std::to_string(result.match()) + ", question " + std::to_string(result.number()) + ": " +
          result.text());
    }
    for (const auto& finished : message.finished()) open_.erase(finished.match());
    if (message.has_ping()) reply.mutable_pong()->set_nonce(message.ping().nonce());
    for (const auto& notice : message.notices()) say(notice.text());
    for (const auto& entered : message.entered()) {
      std::string& secret = nonces_[{entered.tournament(), entered.match()}];
      if (secret.empty()) secret = random_bytes();  // always the same one for the same secret
      pb::Nonce* nonce = reply.add_nonces();
      nonce->set_tournament(entered.tournament());
      nonce->set_match(entered.match());
      nonce->set_nonce(secret);
    }
    return reply;
  }

  std::mutex mutex_;
  const std::string instance_ = random_bytes();  // the same for as long as this process lives
  std::mt19937 random_{std::random_device{}()};
  std::map<std::pair<uint64_t, uint64_t>, std::string> nonces_;
  std::set<uint64_t> open_;  // matches at which we sit
  bool leaving_ = false;
  std::shared_ptr<Stream> dialled_;   // the newest stream, welcomed or not
  std::shared_ptr<Stream> welcomed_;  // the newest one that was welcomed
  milliseconds ping_interval_{5'000};
};

int main() {
  sigset_t told;
  sigemptyset(&told);
  sigaddset(&told, SIGTERM);
  sigaddset(&told, SIGINT);
  pthread_sigmask(SIG_BLOCK, &told, nullptr);  // for all threads: this one waits for them
  Bot bot;
  std::thread([&bot] { bot.keep_playing(); }).detach();
  while (true) {
    int number = 0;
    sigwait(&told, &number);
    bot.leave();  // a second one ends the process
  }
}
