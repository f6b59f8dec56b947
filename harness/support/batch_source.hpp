// What a loader's worker process makes, found by its name: a process that was started afresh shares no
// closures with the one that asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace harness::inline support {

/// Writes batch `index` of an epoch into `out`, the same bytes in whichever process it runs.
using ProduceBatch = void (*)(std::int64_t index, std::span<std::byte> out);

struct BatchSource {
  std::string_view name;  // dataload/slow_source
  ProduceBatch produce = nullptr;
};

/// True for a command line that a ProcessLoader started: `--load ...`.
bool is_loader_call(int argc, char** argv);

/// The whole life of a worker process: makes the batches that its parent asks for, until that one lets go of
/// it or dies. The executable's main() must give way to it before it does anything else; gives the exit code.
int loader_main(int argc, char** argv, std::span<const BatchSource> sources);

}  // namespace harness::inline support
