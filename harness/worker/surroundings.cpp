#include "harness/worker/surroundings.hpp"

#include "harness/core/slot.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <system_error>

namespace harness::worker {
namespace {

/// A row on a device never gets here: the probe has said that there is none.
[[noreturn]] void no_device() { throw std::logic_error("this program was built without CUDA"); }

std::unique_ptr<Surroundings> open_host(int) { return std::make_unique<Surroundings>(); }

Json host_facts(const Device&, const BuildInfo&) {
  return {{"cuda", {{"status", "no device"}, {"message", "this program was built without CUDA"}}},
          {"devices", 0},
          {"gpu", nullptr},
          {"cuda_driver", nullptr},
          {"cuda_runtime", nullptr},
          {"libtorch", nullptr},
          {"cpu_capability", nullptr}};
}

}  // namespace

const Stream* Surroundings::stream_for(const Device& device) {
  if (device.is_cuda()) no_device();
  return nullptr;
}

void Surroundings::finish(const Device& device) {
  if (device.is_cuda()) no_device();
}

std::shared_ptr<const void> Surroundings::spacer(const Device&, Random& random) {
  constexpr std::size_t page = 4096;
  constexpr std::size_t most_pages = 256;
  return std::make_shared<std::byte[]>(page * (1 + random.below(most_pages)));
}

Trial Surroundings::prepare(const run::StepAt& found, Setup& setup) {
  return found.step->prepare(setup, found.point);
}

Fault Surroundings::fault_of(const std::exception& error, const Device& device) {
  return host_fault(error, device);
}

Measurement Surroundings::measure(const std::array<Trial, 2>& sets, const Setup&, const Order& order) {
  if (sets[0].timer == Timer::event) throw std::logic_error("the step requests CUDA events on the host");
  return carry_out(order, WallClock(), sets);
}

std::shared_ptr<const void> Surroundings::watch_host(const std::string&) { return nullptr; }

std::shared_ptr<const void> Surroundings::range(const std::string&) { return nullptr; }

std::string Surroundings::bus_id(const Device&) { no_device(); }

std::function<DeviceCanary()> Surroundings::canary(const Stream&) { no_device(); }

void Surroundings::profile(results::Row&, const run::StepAt&, Setup&, const run::ProfilePlan&,
                           const Walked&) {
  throw std::logic_error("this program was built without PyTorch's profiler");
}

Ground host_ground() { return {open_host, host_facts}; }

Bench::Bench(const run::Task& task, const Ground& ground)
    : around(ground.open(task.threads)), begin(std::chrono::steady_clock::now()) {
  setup.seed = task.data_seed;
  setup.threads = task.threads;
  setup.round = task.round.value_or(0);
  setup.options = task.options;
  if (!task.loader.empty()) setup.loader = task.loader;
}

const ClockEvents& Bench::clocks_of(const Device& device) {
  if (!clocks) clocks.emplace(around->bus_id(device));
  return *clocks;
}

std::unique_ptr<const StayOn> Bench::stay_near(const Device& device) const {
  if (!device.is_cuda()) return nullptr;
  const SystemFiles files;
  const auto node = node_of(files, around->bus_id(device), numa_nodes(files, cpus_of_this_thread()));
  return node ? std::make_unique<const StayOn>(*node) : nullptr;
}

bool keep_events_to_ourselves() {
  if (fcntl(event_fd, F_SETFD, FD_CLOEXEC) == 0) return true;
  std::fputs("tuneproof-worker: only tuneproof starts this program; run tuneproof instead\n", stderr);
  return false;
}

void tell_parent(const std::string& line) {
  std::string_view rest = line;
  while (!rest.empty()) {
    const auto n = ::write(event_fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw std::system_error(errno, std::generic_category(), "descriptor 3");
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

void die_with_parent(int& argc, char** argv) {
  if (argc <= 2 || std::string_view(argv[argc - 2]) != "--parent") return;
  end_with_parent(std::atoi(argv[argc - 1]));
  argc -= 2;
}

void leave() {
  std::fflush(nullptr);
  std::_Exit(0);
}

}  // namespace harness::worker
