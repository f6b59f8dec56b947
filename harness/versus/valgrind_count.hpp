// Instructions of a command under Valgrind, where the kernel hands out no counter.
#pragma once

#include "harness/support/scratch_folder.hpp"
#include "harness/support/spawn.hpp"

#include <string>

namespace harness::versus {

/// How many times as long a command may take under Valgrind.
inline constexpr double valgrind_slowdown = 60;

/// Throws BadInput where Valgrind is not installed; `why_no_counter` says why it is needed.
void require_valgrind(const std::string& why_no_counter);

/// Of one run, all its processes together.
class ValgrindCount {
 public:
  ValgrindCount();
  /// The command under Valgrind.
  Command counted(const Command& command) const;
  /// What Valgrind has counted; 0 where it left nothing.
  double instructions() const;

 private:
  ScratchFolder folder_;
};

}  // namespace harness::versus
