#include "harness/libtorch/store.hpp"

#include "harness/core/measurement.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/libtorch/other_ranks.hpp"
#include "harness/libtorch/place.hpp"
#include "harness/libtorch/rank_main.hpp"
#include "harness/libtorch/team.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/machine/numa.hpp"
#include "harness/run/job_place.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/field.hpp"
#include "harness/support/terminal.hpp"

#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <netdb.h>
#include <sys/prctl.h>

namespace harness::inline libtorch {
namespace {

using std::chrono::milliseconds;
using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const std::string& address, int port, int kind) {
  addrinfo wanted{};
  wanted.ai_socktype = kind;
  addrinfo* found = nullptr;
  const auto error = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (error != 0)
    throw BadInput(fmt::format("'{}', where the ranks should meet, leads to no address ({}); set MASTER_ADDR",
                               address, gai_strerror(error)));
  return {found, &freeaddrinfo};
}

/// LibTorch's own would listen at all addresses of the machine.
Fd bound_socket(const std::string& address, int port) {
  const auto at = resolve(address, port, SOCK_STREAM);
  Fd socket(::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(socket.get(), at->ai_addr, at->ai_addrlen) != 0)
    throw BadInput(fmt::format("rank 0 cannot listen at {}:{}: {}; set MASTER_ADDR and MASTER_PORT", address,
                               port, std::generic_category().message(errno)));
  return socket;
}

/// LibTorch counts whole seconds while it connects, and takes 0 for no limit.
c10d::TCPStoreOptions options_of(int port, milliseconds patience) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(port);
  options.waitWorkers = false;
  options.timeout = std::max(patience, milliseconds(1000));
  return options;
}

}  // namespace

Store open_store(const std::string& address, int port, milliseconds patience) {
  const auto socket = bound_socket(address, port);
  auto options = options_of(port, patience);
  options.isServer = true;
  options.masterListenFd = fcntl(socket.get(), F_DUPFD_CLOEXEC, 0);  // the store takes it and closes it
  return c10::make_intrusive<c10d::TCPStore>(address, options);
}

Store reach_store(const std::string& address, int port, milliseconds patience) try {
  return c10::make_intrusive<c10d::TCPStore>(address, options_of(port, patience));
} catch (const c10::DistError&) {
  return {};
}

Store part_of(const Store& store, const std::string& prefix) {
  return c10::make_intrusive<c10d::PrefixStore>(prefix, store);
}

bool comes(const Store& store, const std::string& key, milliseconds time) try {
  const auto until = std::chrono::steady_clock::now() + time;
  do {
    const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
    store->wait({key}, std::max(left, milliseconds(1)));
    // LibTorch 2.11 has woken who waited for one queue where nothing but another had an entry.
    if (store->check({key})) return true;
  } while (std::chrono::steady_clock::now() < until);
  return false;
} catch (const c10::DistStoreError&) {  // time is up; a store that is gone is another error
  return false;
}

bool waits(const Store& store, const std::string& queue) { return store->queueLen(queue) > 0; }

std::string own_address(const std::string& towards, int port) {
  const auto at = resolve(towards, port, SOCK_DGRAM);
  const Fd socket(::socket(at->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  std::array<char, NI_MAXHOST> text{};
  auto* const address = reinterpret_cast<sockaddr*>(&own);
  if (connect(socket.get(), at->ai_addr, at->ai_addrlen) != 0 ||  // sends nothing: it only looks up the way
      getsockname(socket.get(), address, &size) != 0)
    throw std::system_error(errno, std::generic_category(), "the way to " + towards);
  getnameinfo(address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return text.data();
}

Bytes to_bytes(const JobMessage& message) {
  Bytes bytes(1 + message.text.size());
  bytes[0] = static_cast<std::uint8_t>(message.order);
  std::ranges::copy(message.text, bytes.begin() + 1);
  return bytes;
}

JobMessage job_message_from(const Bytes& bytes) {
  if (bytes.empty() || bytes[0] > static_cast<std::uint8_t>(Order::over))
    throw std::runtime_error("a message without an order came from the job's first process");
  return {static_cast<Order>(bytes[0]), {bytes.begin() + 1, bytes.end()}};
}

Reply reply_from(std::string_view text) {
  Reply reply;
  if (text.size() != sizeof reply) throw std::runtime_error("a reply of another length");
  std::memcpy(&reply, text.data(), sizeof reply);
  reply.why[sizeof reply.why - 1] = '\0';
  return reply;
}

std::string orders_of(int rank) { return fmt::format("orders/{}", rank); }
std::string whereabouts_of(int rank) { return fmt::format("whereabouts/{}", rank); }
std::string started_by(const std::string& team, int rank) { return fmt::format("{}/started/{}", team, rank); }
std::string replies_of(const std::string& team, int rank) { return fmt::format("{}/replies/{}", team, rank); }

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

milliseconds left_until(steady_clock::time_point until) {
  return std::chrono::ceil<milliseconds>(until - steady_clock::now());
}

/// Of this run's keys: each process of the job counts its runs, and all come to the same number.
std::string run_prefix(const Store& whole, int rank) {
  return fmt::format("tuneproof/{}", whole->add(fmt::format("tuneproof/runs/{}", rank), 1));
}

/// The key below it that says that the rank has heard of the end.
std::string farewell_of(int rank) { return fmt::format("farewell/{}", rank); }

/// Rank 0's side of a meeting.
class Host {
 public:
  Host(run::JobPlace launch, milliseconds patience) : launch_(std::move(launch)), patience_(patience) {
    const auto until = steady_clock::now() + patience;
    const auto whole = launch_.meeting_open ? reach_store(launch_.address, launch_.port, patience)
                                            : open_store(launch_.address, launch_.port, patience);
    if (!whole)
      throw BadInput(
          fmt::format("nobody listens at MASTER_ADDR and MASTER_PORT, {}:{}", launch_.address, launch_.port));
    place_ = {.address = launch_.address,
              .port = launch_.port,
              .prefix = run_prefix(whole, 0),
              .nodes = {launch_.node}};
    store_ = part_of(whole, place_.prefix);
    store_->set(whereabouts_of(0), whereabouts_to_json({launch_.node, cpus_of_this_thread()}));
    wait_for_all(until);
  }

  /// Which of the others have not come, as a sentence; empty where all have.
  std::string who_is_missing() const {
    if (missing_.empty()) return {};
    const auto planned = run::planned_nodes(run::environment_variables(), launch_.size);
    std::vector<std::string> names;
    for (const auto rank : missing_)
      names.push_back(fmt::format("rank {}{}", rank,
                                  planned.empty() ? "" : " on " + planned[static_cast<std::size_t>(rank)]));
    return fmt::format("{} did not come within {:.3g} s", fmt::join(names, ", "),
                       std::chrono::duration<double>(patience_).count());
  }
  const run::MeetingPlace& place() const { return place_; }

  /// Returns when those who have come know it, or take too long.
  void end(int code) {
    constexpr milliseconds patience{5000};
    for (const auto rank : here_)
      store_->queuePush(orders_of(rank), to_bytes({Order::over, std::to_string(code)}));
    const auto until = steady_clock::now() + patience;
    for (const auto rank : here_) comes(store_, farewell_of(rank), left_until(until));
  }

 private:
  void wait_for_all(steady_clock::time_point until) {
    for (int rank = 1; rank < launch_.size; ++rank) {
      if (!comes(store_, whereabouts_of(rank), left_until(until))) {
        missing_.push_back(rank);
        continue;
      }
      here_.push_back(rank);
      place_.nodes.push_back(whereabouts_from_json(store_->get_to_str(whereabouts_of(rank))).node);
    }
  }

  run::JobPlace launch_;
  milliseconds patience_;
  Store store_;
  run::MeetingPlace place_;
  std::vector<int> here_, missing_;  // of the other ranks
};

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

void say_error(const std::string& sentence) { say(one_line(Json{{"error", first_line(sentence)}})); }

int exit_code_heard() {
  std::string line;
  std::getline(std::cin, line);
  return parse_number<int>(line).value_or(1);
}

constexpr milliseconds for_ever{std::numeric_limits<int>::max()};

/// One process of a job: it has one rank at a time.
class Hand {
 public:
  Hand(const run::JobPlace& launch, Store store)
      : number_(launch.number), store_goes_(!launch.meeting_open), store_(std::move(store)) {
    store_->set(whereabouts_of(number_), whereabouts_to_json({launch.node, cpus_of_this_thread()}));
  }

  /// Until the run is over; gives its exit code.
  int serve() {
    for (;;) {
      const auto message = next();
      if (message.order == Order::over) return take_leave(message.text);
      if (message.order == Order::leave) rank_.reset();
      if (message.order == Order::start) start(call_from_json(message.text));
      if (message.order == Order::request && rank_) {
        rank_->ask(message.text);
        pass_on_reply();
      }
    }
  }

 private:
  JobMessage next() {
    while (!comes(store_, orders_of(number_), for_ever)) continue;
    return job_message_from(store_->queuePop(orders_of(number_), false));
  }

  /// A rank that has just been started joins the others unasked.
  void start(RankCall call) {
    rank_.reset();
    call_ = std::move(call);
    rank_.emplace("/proc/self/exe", call_, no_file_);
    store_->set(started_by(call_.team, number_), std::string("yes"));
    pass_on_reply();
  }

  /// Rank 0 may lose its patience, or its life, before this rank does.
  void pass_on_reply() {
    constexpr milliseconds glance{100};
    const auto until = steady_clock::now() + call_.patience;
    while (!rank_->has_news(std::min(until, steady_clock::now() + glance)) && steady_clock::now() < until)
      if (waits(store_, orders_of(number_))) return rank_.reset();
    const auto text = as_text(rank_->answer(steady_clock::now()));
    store_->queuePush(replies_of(call_.team, number_), {text.begin(), text.end()});
  }

  /// The next run of this job must not meet at the store of this one: it goes before we do.
  int take_leave(const std::string& code) {
    constexpr milliseconds patience{5000};
    rank_.reset();
    store_->set(farewell_of(number_), std::string("yes"));
    try {
      if (store_goes_) comes(store_, "what nobody sends", patience);
    } catch (const c10::Error&) {  // it has gone
    }
    return parse_number<int>(code).value_or(1);
  }

  int number_;
  bool store_goes_;  // with this run
  Store store_;
  Fd no_file_ = nameless_file("tuneproof-ranks");
  RankCall call_;
  std::optional<RankProcess> rank_;
};

int complain(const run::JobPlace& launch, const std::string& sentence) {
  tell(fmt::format("rank {} on {}: {}", launch.number, launch.node, sentence));
  return 1;
}

}  // namespace

int open_meeting(double row_seconds, int program) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != program) return 1;
  // What else ends the program is the program's to say.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  const Quiet quiet;
  try {
    const auto launch = run::job_place_from(run::environment_variables());
    if (!launch) throw BadInput("this process is not one of a job");
    Host host(*launch, patience_for(row_seconds));
    const auto missing = host.who_is_missing();
    if (missing.empty())
      say(Json{{"meeting", run::meeting_to_json(host.place())}}.dump());
    else
      say_error(missing);
    host.end(missing.empty() ? exit_code_heard() : 1);
    say("");
    return 0;
  } catch (const c10::Error& error) {
    say_error(error.what_without_backtrace());
  } catch (const std::exception& error) {
    say_error(host_fault(error, {}).sentence);
  }
  return 1;
}

int join_meeting(double row_seconds) {
  FLAGS_caffe2_log_level = c10::GLOG_FATAL;  // LibTorch's own words about its store, too
  const auto launch = run::job_place_from(run::environment_variables());
  if (!launch) throw BadInput("this process is not one of a job");
  const auto patience = patience_for(row_seconds);
  const auto whole = reach_store(launch->address, launch->port, patience);
  if (!whole)
    return complain(*launch, fmt::format("found no rank 0 at {}:{} within {:.3g} s", launch->address,
                                         launch->port, std::chrono::duration<double>(patience).count()));
  try {
    return Hand(*launch, part_of(whole, run_prefix(whole, launch->number))).serve();
  } catch (const c10::Error&) {  // all others see the same; one says it
    return launch->number == 1 ? complain(*launch, "rank 0 has ended before its run was over") : 1;
  }
}

}  // namespace harness::inline libtorch
