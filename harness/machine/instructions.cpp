#include "harness/machine/instructions.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <linux/perf_event.h>
#include <sstream>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

// Callgrind zeroes its costs when this is entered and dumps them when it is left: the call is found by its
// name.
extern "C" [[gnu::noipa]] void tuneproof_counted_call(const std::function<void()>& work) { work(); }

namespace harness::inline machine {
namespace {

constexpr const char* counted_call = "tuneproof_counted_call";
constexpr const char* dump_name = "count";

/// A counter of user instructions of this thread and of all that it starts later; below 0: errno says why.
int open_counter() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.disabled = 1;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::string why_no_counter() {
  const int fd = open_counter();
  if (fd >= 0) {
    close(fd);
    return {};
  }
  if (errno == ENOENT || errno == EOPNOTSUPP || errno == ENODEV) return "the kernel has no such counter";
  if (errno == EACCES || errno == EPERM) return "the kernel does not permit it (perf_event_paranoid)";
  return std::strerror(errno);
}

// Stubs of the PLT count as any other code: where callgrind skips them (its default), it adds them to their
// callers, and --zero-before does not zero those. The first count of a form would hold the stubs of all runs
// before it.
std::vector<std::string> callgrind_options(const std::filesystem::path& folder) {
  return {"--tool=callgrind",
          "--skip-plt=no",
          "--log-file=" + (folder / "valgrind.log").string(),
          "--callgrind-out-file=" + (folder / dump_name).string(),
          std::string("--zero-before=") + counted_call,
          std::string("--dump-after=") + counted_call};
}

std::optional<std::int64_t> callgrind_cost(const std::string& dump) {
  std::istringstream lines(dump);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("totals: ")) continue;
    std::istringstream number(line.substr(line.find(' ')));
    std::int64_t cost = 0;
    return number >> cost ? std::optional(cost) : std::nullopt;
  }
  return std::nullopt;
}

InstructionCount::InstructionCount(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (!folder_.empty()) {
    of([] {});  // the first call looks for the function, which would count as part of the first count
    return;
  }
  fd_ = open_counter();
  if (fd_ < 0) throw std::runtime_error("instructions cannot be counted: " + why_no_counter());
}

InstructionCount::~InstructionCount() {
  if (fd_ >= 0) close(fd_);
}

std::int64_t InstructionCount::of(const std::function<void()>& work) {
  if (!folder_.empty()) {
    tuneproof_counted_call(work);
    const auto file = folder_ / (std::string(dump_name) + "." + std::to_string(++dumps_));
    const auto cost = callgrind_cost(text_of(file));
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    if (!cost) throw std::runtime_error("instructions cannot be counted: callgrind left no dump");
    return *cost;
  }
  ioctl(fd_, PERF_EVENT_IOC_RESET, 0);
  ioctl(fd_, PERF_EVENT_IOC_ENABLE, 0);
  work();
  ioctl(fd_, PERF_EVENT_IOC_DISABLE, 0);
  std::uint64_t count = 0;
  if (read(fd_, &count, sizeof count) != sizeof count || count == 0)
    throw std::runtime_error("instructions cannot be counted: the counter gave none");
  return static_cast<std::int64_t>(count);
}

}  // namespace harness::inline machine
