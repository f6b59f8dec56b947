// What a step may ask of its surroundings: the device, the seed, the workload's options, and data shared by
// all steps of one worker process.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace harness::inline cuda {
class Stream;  // harness/cuda/stream.hpp
}  // namespace harness::inline cuda

namespace harness::inline core {

/// A device to run on: the host, or CUDA device `index`.
struct Device {
  enum class Kind { cpu, cuda };
  Kind kind = Kind::cpu;
  int index = 0;
  bool is_cuda() const { return kind == Kind::cuda; }
  bool operator==(const Device&) const = default;
};

/// "cpu" or "cuda:0".
std::string to_string(const Device& device);
/// The inverse; "cuda" means "cuda:0". Throws std::invalid_argument for any other text.
Device parse_device(std::string_view text);

/// The point cannot run here; the reason reaches the table and the results file.
class Skip : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Input that the user gave is wrong; the message is one sentence naming file and place. Exit code 1.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The options of a workload (`--scale 0.1`), by name and as text; main.cpp lists them, the workload reads
/// them.
using Options = std::map<std::string, std::string, std::less<>>;

/// Handed to every `Prepare`.
class Setup {
 public:
  Device device;
  std::uint64_t seed = 0;
  int threads = 1;
  /// Of the session, from 0; 0 in a rehearsal too. Work that is one of several kinds (a batch of an epoch)
  /// goes on from round to round, never from slot to slot.
  int round = 0;
  Options options;
  /// The stream that events time, current for LibTorch as well; null on the host.
  const Stream* stream = nullptr;
  /// What batch-loading processes run whose source needs no LibTorch; this program itself would link it
  /// first.
  std::string loader = "/proc/self/exe";
  /// A file without a name that all processes of the session share, empty at first: a workload keeps there
  /// what each of them would otherwise have to make anew. -1: there is none.
  int session_memory = -1;

  /// The object under `key`, made by `make` the first time it is asked for and kept until the worker ends: a
  /// data set is made once, however many steps read it. One key always names one type.
  template <class T>
  std::shared_ptr<const T> shared(const std::string& key, const std::function<T()>& make) {
    auto& slot = shared_[key];
    if (!slot) slot = std::make_shared<const T>(make());
    return std::static_pointer_cast<const T>(slot);
  }

  /// How often something is done to take as long as something else: `find` times both in the rehearsal, and
  /// all rounds use what it found, so that each process does the same work. One key for each number of a row.
  int calibrated(const std::string& key, const std::function<int()>& find);
  /// Those of the row at hand; empty before it is rehearsed.
  std::map<std::string, int> calibrations;
  /// Before one is found: an idle device has lowered its clocks, and all rounds would do too little. Empty on
  /// the host.
  std::function<void()> raise_clocks;

  /// The value of an option, or `otherwise` where it was not given.
  std::string option(std::string_view name, std::string otherwise) const;

 private:
  std::map<std::string, std::shared_ptr<const void>> shared_;
};

}  // namespace harness::inline core
