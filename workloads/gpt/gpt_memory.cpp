#include "workloads/gpt/gpt_memory.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/remote_work.hpp"

#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/settings/train_settings.hpp"
#include "workloads/training/size.hpp"
#include "workloads/training/trainer.hpp"

#include <ATen/cuda/CUDAContext.h>
#include <c10/util/Exception.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace workloads::gpt {
namespace {

using harness::BatchSource;
using harness::Device;

constexpr const char* batch_variable = "TUNEPROOF_GPT_BATCH";
constexpr const char* keep_variable = "TUNEPROOF_GPT_KEEP";  // all or inputs

/// glibc keeps freed blocks of sizes that it has seen, and a peak would count them; beyond 64 KiB not any
/// more.
constexpr const char* returns_memory = "MALLOC_MMAP_THRESHOLD_=65536";

/// One training step of the batch that the environment names.
double measured_peak(const Device& device) {
  harness::Setup setup;
  setup.device = device;
  const char* batch = std::getenv(batch_variable);
  const char* keep = std::getenv(keep_variable);
  if (batch == nullptr || keep == nullptr) return 0;
  auto switches = training::best();
  switches.transform_ahead = false;
  switches.checkpoint = std::string_view(keep) == "inputs";
  const auto size = harness::parse_number<std::int64_t>(batch).value_or(1);
  try {
    return training::growth_by(device, [&] {
      training::Trainer trainer(with_batch(small_job(setup), size), switches);
      trainer.step();
    });
  } catch (const c10::OutOfMemoryError&) {
    return 0;
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

template <int device>
void measure(std::int64_t, std::span<std::byte> out) {
  const auto bytes = measured_peak({Device::Kind::cuda, device});
  std::memcpy(out.data(), &bytes, sizeof bytes);
}

void measure_on_host(std::int64_t, std::span<std::byte> out) {
  const auto bytes = measured_peak({});
  std::memcpy(out.data(), &bytes, sizeof bytes);
}

constexpr BatchSource sources[] = {
    {"gpt/peak/host", measure_on_host}, {"gpt/peak/0", measure<0>}, {"gpt/peak/1", measure<1>},
    {"gpt/peak/2", measure<2>},         {"gpt/peak/3", measure<3>}, {"gpt/peak/4", measure<4>},
    {"gpt/peak/5", measure<5>},         {"gpt/peak/6", measure<6>}, {"gpt/peak/7", measure<7>}};

const BatchSource& source_for(const Device& device) {
  if (!device.is_cuda()) return sources[0];
  if (device.index > 7) throw harness::Skip("only the first eight devices have processes of their own");
  return sources[1 + device.index];
}

double parameters_of(const Shape& shape) {
  const auto width = static_cast<double>(shape.width);
  const auto of_block = 12 * width * width + 13 * width;
  return static_cast<double>(shape.vocabulary + shape.block + 2) * width +
         static_cast<double>(shape.layers) * of_block;
}

double constant_bytes(const Shape& shape) { return 5 * sizeof(float) * parameters_of(shape); }

/// Vectors of `width` for each token. Of a block: its input and both norms' outputs and inputs (4), q, k, v,
/// what attention gives and the same in order (5), and four times the width before and behind GELU (8). Of
/// the head: the norm's input and output (2), logits, their log-softmax and their gradient. A block's own
/// gradients at the widest place (8) come and go.
double bytes_of_sample(const Shape& shape, Keep keep) {
  const auto width = static_cast<double>(shape.width), layers = static_cast<double>(shape.layers);
  constexpr double of_block = 17, passing = 8;
  const auto head = 2 + 3 * static_cast<double>(shape.vocabulary) / width;
  const auto kept = keep == Keep::all ? layers * of_block : layers + of_block;
  return sizeof(float) * static_cast<double>(shape.block) * width * (kept + head + passing);
}

/// Where nobody sets a limit. On a device the forms that are timed need room beside the search's.
double usual_limit(const harness::Device& device) {
  constexpr double on_host = 256 << 20, share = 0.8;
  if (!device.is_cuda()) return on_host;
  const auto index = static_cast<c10::DeviceIndex>(device.index);
  return share * static_cast<double>(at::cuda::getDeviceProperties(index)->totalGlobalMem);
}

/// In bytes.
double memory_limit(const harness::Setup& setup) {
  const auto bytes = settings::size_option(setup.options, "memory");
  if (!bytes) return usual_limit(setup.device);
  const auto machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (!setup.device.is_cuda() && static_cast<double>(*bytes) > machine / 4)
    throw harness::BadInput(
        fmt::format("--memory: {} is more than a quarter of this machine's {}; batches beyond the limit "
                    "are tried as well",
                    harness::memory_text(static_cast<double>(*bytes)), harness::memory_text(machine)));
  return static_cast<double>(*bytes);
}

LargestBatch search(const harness::Device& device, double limit, Keep keep) {
  LargestBatch found{.by_formula = batch_by_formula({}, limit, keep)};
  found.batch = training::largest_batch(found.by_formula, [&](std::int64_t batch) {
    const auto peak = peak_of_step(device, batch, keep);
    const bool fits = peak > 0 && peak <= limit;
    if (fits) found.peak = peak;
    return fits;
  });
  return found;
}

}  // namespace

training::Job with_batch(training::Job job, std::int64_t batch) {
  auto data = *job.dataset;
  data.get = [get = data.get, count = data.training](std::int64_t i) { return get(i % count); };
  data.training = batch;
  data.validation = 0;
  job.dataset = std::make_shared<const training::Dataset>(std::move(data));
  job.batch_size = batch;
  return job;
}

double bytes_by_formula(const Shape& shape, std::int64_t batch, Keep keep) {
  return constant_bytes(shape) + static_cast<double>(batch) * bytes_of_sample(shape, keep);
}

std::int64_t batch_by_formula(const Shape& shape, double bytes, Keep keep) {
  const auto left = bytes - constant_bytes(shape);
  return left <= 0 ? 0 : static_cast<std::int64_t>(left / bytes_of_sample(shape, keep));
}

double peak_of_step(const Device& device, std::int64_t batch, Keep keep) {
  const harness::RemoteWork step(
      source_for(device), sizeof(double),
      {std::string(batch_variable) + "=" + std::to_string(batch),
       std::string(keep_variable) + (keep == Keep::inputs ? "=inputs" : "=all"), returns_memory});
  double bytes = 0;
  std::memcpy(&bytes, step.answer().data(), sizeof bytes);
  return bytes;
}

std::span<const BatchSource> memory_sources() { return sources; }

Room room_for(harness::Setup& setup) {
  return *setup.shared<Room>("gpt/checkpoint_batch", [&] {
    const auto limit = memory_limit(setup);
    return Room{search(setup.device, limit, Keep::all), search(setup.device, limit, Keep::inputs)};
  });
}

}  // namespace workloads::gpt
