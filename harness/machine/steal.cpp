#include "harness/machine/steal.hpp"

#include <sstream>
#include <unistd.h>

namespace harness::inline machine {

double steal_seconds(const SystemFiles& files) {
  constexpr int fields_before = 7;  // user nice system idle iowait irq softirq
  std::istringstream in(files.text("proc/stat").value_or(""));
  std::string cpu;
  in >> cpu;
  double ticks = 0;
  for (int i = 0; i <= fields_before; ++i)
    if (!(in >> ticks)) return 0;
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace harness::inline machine
