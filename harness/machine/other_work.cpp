#include "harness/machine/other_work.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace harness::inline machine {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_of(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double own_seconds() { return cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN); }

}  // namespace

std::optional<double> busy_seconds(const SystemFiles& files) {
  std::istringstream in(files.text("proc/stat").value_or(""));
  std::string cpu;
  in >> cpu;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0, steal = 0;
  if (cpu != "cpu" || !(in >> user >> nice >> system >> idle >> waiting >> irq >> softirq >> steal))
    return std::nullopt;
  return (user + nice + system + irq + softirq + steal) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

OtherWork::OtherWork() : busy_(busy_seconds()), own_(own_seconds()), begin_(now()) {}

std::optional<double> OtherWork::share() const {
  const auto busy = busy_seconds();
  const auto all = (now() - begin_) * static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  if (!busy_ || !busy || all <= 0) return std::nullopt;
  return std::clamp((*busy - *busy_ - (own_seconds() - own_)) / all, 0.0, 1.0);
}

}  // namespace harness::inline machine
