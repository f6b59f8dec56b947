// Instructions that this process executes outside of the kernel: by the processor's counter where the kernel
// hands it out, else by callgrind, under which the whole process then runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace harness::inline machine {

/// Why perf_event_open does not count here: "the kernel has no such counter"; empty where it does.
std::string why_no_counter();

/// Callgrind's options for a process whose work goes through InstructionCount: its dumps lie in `folder`.
std::vector<std::string> callgrind_options(const std::filesystem::path& folder);

/// The cost that a dump of callgrind states; nothing where the text is not a whole dump.
std::optional<std::int64_t> callgrind_cost(const std::string& dump);

/// Counts work of this process, all threads together. Make it before threads start.
class InstructionCount {
 public:
  /// `folder`: that of callgrind_options; empty: by the processor's counter. Throws std::runtime_error, one
  /// sentence, where there is none.
  explicit InstructionCount(std::filesystem::path folder);
  InstructionCount(const InstructionCount&) = delete;
  InstructionCount& operator=(const InstructionCount&) = delete;
  ~InstructionCount();

  /// Instructions of one call. Throws what `work` throws, and std::runtime_error where nothing was counted.
  std::int64_t of(const std::function<void()>& work);

 private:
  std::filesystem::path folder_;
  int fd_ = -1;
  int dumps_ = 0;
};

}  // namespace harness::inline machine
