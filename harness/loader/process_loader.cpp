#include "harness/loader/process_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace harness::loader {
namespace {

/// Above the numbers that a worker finds its own under, so that moving one never overwrites another.
Fd out_of_the_way(Fd low) {
  Fd high(fcntl(low.get(), F_DUPFD_CLOEXEC, 16));
  if (high.get() < 0) throw_errno("a loader's descriptor");
  return high;
}

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

/// The plan's variables and one OpenMP thread, since the workers are the parallelism; else this process's.
std::vector<std::string> worker_environment(const ProcessPlan& plan) {
  auto all = plan.environment;
  const auto add = [&](std::string_view variable) {
    if (std::ranges::find(all, name_of(variable), name_of) == all.end()) all.emplace_back(variable);
  };
  add("OMP_NUM_THREADS=1");
  for (char** entry = environ; *entry != nullptr; ++entry) add(*entry);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// What the worker inherits: stderr, nothing to read, its two descriptors. What it prints goes to stderr,
/// since stdout may carry somebody's results.
struct SpawnActions {
  SpawnActions(const Fd& socket, const Fd& memory) {
    posix_spawn_file_actions_init(&raw);
    posix_spawn_file_actions_addopen(&raw, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&raw, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&raw, socket.get(), socket_number);
    posix_spawn_file_actions_adddup2(&raw, memory.get(), memory_number);
    posix_spawn_file_actions_addclosefrom_np(&raw, memory_number + 1);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { posix_spawn_file_actions_destroy(&raw); }
  posix_spawn_file_actions_t raw{};
};

Fd make_memory(std::size_t bytes) {
  auto memory = nameless_file("tuneproof-batches");
  if (ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0) throw_errno("making a loader's memory");
  return out_of_the_way(std::move(memory));
}

std::int64_t checked_capacity(const ProcessPlan& plan) {
  // More requests than that could fill both directions of a socket, and each end would wait for the other.
  constexpr int most_prefetch = 64;
  if (plan.batches < 0 || plan.workers < 0 || plan.batch_bytes == 0 || plan.prefetch < 1 ||
      plan.prefetch > most_prefetch)
    throw std::invalid_argument(
        "a loader needs batches >= 0 of >= 1 bytes, workers >= 0 and a prefetch of 1 to 64");
  return std::max<std::int64_t>(1, std::int64_t{plan.workers} * plan.prefetch);
}

std::size_t memory_bytes(const ProcessPlan& plan, std::int64_t capacity) {
  return slot_stride(plan.batch_bytes) * static_cast<std::size_t>(capacity);
}

}  // namespace

Worker::Worker(const BatchSource& source, const ProcessPlan& plan, const Fd& memory) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw_errno("making a loader's socket");
  socket_ = Fd(ends[0]);
  const auto theirs = out_of_the_way(Fd(ends[1]));
  const SpawnActions actions(theirs, memory);
  std::vector<std::string> arguments{plan.executable,
                                     "--load",
                                     std::string(source.name),
                                     std::to_string(plan.batch_bytes),
                                     std::to_string(checked_capacity(plan)),
                                     std::to_string(getpid())};
  auto environment = worker_environment(plan);
  const int error = posix_spawn(&process_, plan.executable.c_str(), &actions.raw, nullptr,
                                pointers(arguments).data(), pointers(environment).data());
  if (error != 0)
    throw std::system_error(error, std::generic_category(), "starting loader worker " + plan.executable);
}

Worker::~Worker() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);  // it owns nothing that would need a farewell
  how_it_ended();
}

std::string Worker::how_it_ended() {
  int status = 0;
  while (process_ >= 0 && waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
  if (WIFSIGNALED(status))  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread asks
    return fmt::format("was killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

ProcessLoader::ProcessLoader(const BatchSource& source, const ProcessPlan& plan)
    : source_(source),
      plan_(plan),
      capacity_(checked_capacity(plan)),
      memory_(make_memory(memory_bytes(plan, capacity_))),
      slots_(memory_, memory_bytes(plan, capacity_)) {
  workers_.reserve(static_cast<std::size_t>(plan.workers));
  for (int i = 0; i < plan.workers; ++i) workers_.emplace_back(source, plan, memory_);
  goal_ = plan.batches;
  for (std::int64_t i = 0; i < capacity_; ++i) ask(i);
}

std::optional<std::span<const std::byte>> ProcessLoader::next() {
  if (!broken_.empty()) throw std::runtime_error(broken_);
  if (taken_ == goal_) return std::nullopt;
  if (taken_ > begin()) ask(taken_ - 1 + capacity_);  // the caller is done with the batch before
  const auto index = taken_++;
  if (workers_.empty())
    source_.produce(index % plan_.batches, slot_of(index));
  else
    await(index);
  return slot_of(index);
}

void ProcessLoader::restart() {
  if (taken_ == begin()) return;
  if (taken_ != goal_) throw std::logic_error("restart() in the middle of an epoch");
  goal_ += plan_.batches;
  for (std::int64_t i = 0; i < capacity_; ++i) ask(taken_ + i);
}

std::vector<pid_t> ProcessLoader::processes() const {
  std::vector<pid_t> all;
  for (const auto& worker : workers_) all.push_back(worker.process());
  return all;
}

void ProcessLoader::ask(std::int64_t index) {
  if (index >= goal_ || workers_.empty()) return;
  const auto& worker = workers_[static_cast<std::size_t>(index) % workers_.size()];
  // A worker that is gone is noticed where its batch is awaited.
  send_message(worker.socket(), Request{index % plan_.batches, index % capacity_});
}

void ProcessLoader::await(std::int64_t index) {
  const auto number = static_cast<std::size_t>(index) % workers_.size();
  auto& worker = workers_[number];
  const auto process = worker.process();
  Reply reply;
  if (!receive_message(worker.socket(), reply)) {
    broken_ = fmt::format("loader worker {} (process {}) {} before batch {}", number, process,
                          worker.how_it_ended(), index % plan_.batches);
    throw std::runtime_error(broken_);
  }
  if (reply.failed != 0)
    throw std::runtime_error(
        fmt::format("loader worker {}, batch {}: {}", number, index % plan_.batches, reply.why));
}

std::span<std::byte> ProcessLoader::slot_of(std::int64_t index) const {
  const auto stride = slot_stride(plan_.batch_bytes);
  return slots_.bytes().subspan(static_cast<std::size_t>(index % capacity_) * stride, plan_.batch_bytes);
}

}  // namespace harness::loader
