// What the parent asks of a worker that trains a workload once with some settings, as one JSON object on
// standard input, and what the worker says, as JSON lines on its descriptor of events.
#pragma once

#include "harness/core/setup.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace harness::run {

/// A trial is trained in so many equal parts; what came before the first end is warming up.
constexpr int training_parts = 8;

struct TrainingOrder {
  std::string workload;
  Options settings;         // of each knob
  Options options;          // of the workload
  std::int64_t amount = 0;  // to train, in the workload's unit
  Device device = {};
  int threads = 1;
  std::uint64_t data_seed = 1;
  std::string loader = {};  // Setup::loader
  int parent = 0;           // the process without which the worker has no business to live
};

/// A part of the training is over.
struct PartTrained {
  int part = 0;                   // from 1
  double seconds_per_sample = 0;  // the median of the parts behind the first; of the first alone
  bool operator==(const PartTrained&) const = default;
};
/// All of it is.
struct Trained {
  double seconds_per_sample = 0;  // median over the parts behind the first
  double peak_bytes = 0;          // by which the process grew; on a device, what LibTorch reserved there
  double loss = 0;                // on validation samples, behind all of them
  std::int64_t samples = 0;       // trained
  bool operator==(const Trained&) const = default;
};
/// Nothing came of it.
struct NotTrained {
  enum class Why {
    impossible,
    failed,
    bad_input
  };  // cannot be done here; was tried; the user's input is wrong
  Why why = Why::failed;
  std::string reason;
  bool operator==(const NotTrained&) const = default;
};

using TrainingEvent = std::variant<PartTrained, Trained, NotTrained>;

/// One line each, its end included. Readers throw BadInput where the text is malformed.
std::string order_to_json(const TrainingOrder& order);
TrainingOrder order_from_json(std::string_view text);
std::string training_event_to_json(const TrainingEvent& event);
TrainingEvent training_event_from_json(std::string_view line);

}  // namespace harness::run
