// Knobs that all workloads have, and what makes one. No LibTorch.
#pragma once

#include "harness/catalogue/knob.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace workloads::tuning {

using harness::catalogue::Knob;
using harness::catalogue::Settings;

/// A knob with a number; `code` with {} for it.
Knob number_knob(const std::string& name, const std::string& about, const std::vector<std::int64_t>& values,
                 std::int64_t standard, const std::string& code = {});

/// Batches of these sizes; the standard one is added where it is missing.
Knob batch_knob(const std::string& about, std::vector<std::int64_t> sizes, std::int64_t standard);
/// The learning rate as a multiple of the standard one, and whether it grows with the batch.
std::vector<Knob> rate_knobs();
/// 1, 2, 4 ... threads, up to as many as the session has, which is the standard.
Knob threads_knob(int most);
Knob workers_knob(const std::vector<std::int64_t>& counts);
/// Without the last value where the place has no GPU: that one replays a CUDA graph.
Knob execution_knob(bool on_cuda);

/// The value of a knob that is a number. Throws BadInput where it is none.
double number_of(const Settings& settings, const std::string& name);
/// True if the knob is there and has the value.
bool has(const Settings& settings, const std::string& name, const std::string& value);
/// The standard settings of these knobs.
Settings standard_of(const std::vector<Knob>& knobs);

/// What the learning rate is multiplied by.
double rate_factor(const Settings& settings, std::int64_t standard_batch);

}  // namespace workloads::tuning
