#include "harness/support/process_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>

namespace harness::inline support {
namespace {

Fd make_memory(std::size_t bytes) {
  auto memory = nameless_file("tuneproof-batches");
  if (ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0) throw_errno("making a loader's memory");
  return memory;
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
  auto started = start_process({plan.executable,
                                {"--load", std::string(source.name), std::to_string(plan.batch_bytes),
                                 std::to_string(checked_capacity(plan)), std::to_string(getpid())},
                                plan.environment},
                               memory);
  process_ = started.process;
  socket_ = std::move(started.socket);
}

Worker::~Worker() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);  // it owns nothing that would need a farewell
  how_it_ended();
}

std::string Worker::how_it_ended() { return support::how_it_ended(process_); }

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
  send_message(worker.socket(), LoaderRequest{index % plan_.batches, index % capacity_});
}

void ProcessLoader::await(std::int64_t index) {
  const auto number = static_cast<std::size_t>(index) % workers_.size();
  auto& worker = workers_[number];
  const auto process = worker.process();
  LoaderReply reply;
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

namespace {

/// The processes are the parallelism.
void take_one_thread(std::vector<std::string>& environment) {
  constexpr std::string_view threads = "OMP_NUM_THREADS=";
  if (std::ranges::none_of(environment, [&](const std::string& one) { return one.starts_with(threads); }))
    environment.emplace_back("OMP_NUM_THREADS=1");
}

}  // namespace

StartedProcess start_process(Command command, const Fd& memory) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw_errno("making a process's socket");
  StartedProcess started;
  started.socket = Fd(ends[0]);
  const auto theirs = moved_up(Fd(ends[1]));
  take_one_thread(command.environment);
  // Nothing to read; what it prints goes to stderr, since stdout may carry somebody's results.
  started.process = spawn(command, {.descriptors = {{STDIN_FILENO},
                                                    {STDOUT_FILENO, STDERR_FILENO},
                                                    {socket_number, theirs.get()},
                                                    {memory_number, memory.get()}},
                                    .closed_from = memory_number + 1});
  return started;
}

std::string how_it_ended(pid_t& process) { return to_string(wait_for_end(std::exchange(process, -1))); }

}  // namespace harness::inline support
