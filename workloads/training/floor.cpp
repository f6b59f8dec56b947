#include "workloads/training/floor.hpp"

#include "harness/cuda/check.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/precision.hpp"

#include "workloads/training/host_products.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <chrono>

namespace workloads::training {
namespace {

/// The shortest of some runs; others can only add to a run.
double seconds(const harness::Device& device, const std::function<void()>& run) {
  constexpr int runs = 5;
  const auto wait = [&] {
    if (device.is_cuda()) harness::check(cudaDeviceSynchronize());
  };
  run();
  double least = 1e9;
  for (int i = 0; i < runs; ++i) {
    wait();
    const auto begin = std::chrono::steady_clock::now();
    run();
    wait();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

/// Sizes of a piece of work, doubled from the first to the last.
struct Sizes {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Work a second, at the first size whose run is long beside its launch and its wait, else at the last.
/// `measure` gives the work and the seconds of a size. Without that end a slow device would take minutes.
template <class Measure>
double rate(Sizes sizes, const Measure& measure) {
  constexpr double long_enough = 0.02;
  for (auto size = sizes.first;; size *= 2) {
    const auto [work, time] = measure(size);
    if (time >= long_enough || size >= sizes.last) return work / time;
  }
}

/// Bytes a second into the device, from pinned memory.
double link_rate(const harness::Device& device, const at::TensorOptions& options) {
  return rate({std::int64_t{1} << 22, std::int64_t{1} << 26}, [&](std::int64_t length) {
    const auto from = at::ones({length}).pin_memory();
    const auto to = at::empty({length}, options);
    return std::pair(float_bytes * static_cast<double>(length),
                     seconds(device, [&] { to.copy_(from, true); }));
  });
}

/// Copies and sums on the device: whichever moves more bytes a second.
double memory_rate(const harness::Device& device, const at::TensorOptions& options, Sizes lengths) {
  return rate(lengths, [&](std::int64_t length) {
    const auto from = at::ones({length}, options);
    const auto to = at::zeros({length}, options);
    const auto bytes = float_bytes * static_cast<double>(length);
    const auto copying = seconds(device, [&] { to.copy_(from); });
    const auto summing = 2 * seconds(device, [&] { at::sum(from); });
    return std::pair(2 * bytes, std::min(copying, summing));
  });
}

/// Products of two square matrices, on the host by either library.
double product_rate(const harness::Device& device, const at::TensorOptions& options, Sizes rows) {
  return rate(rows, [&](std::int64_t n) {
    const auto a = at::randn({n, n}, options);
    const auto b = at::randn({n, n}, options);
    auto least = seconds(device, [&] { at::mm(a, b); });
    if (onednn_multiplies(a))
      least = std::min(least, seconds(device, [&] { host_linear(a, b, {}, onednn_alone); }));
    return std::pair(2 * static_cast<double>(n * n * n), least);
  });
}

struct Product {
  double flop = 0;     // multiplications and additions
  double outputs = 0;  // numbers
  bool of_batch = false;
};

/// Reached through the thread's debug information.
class Counted final : public c10::DebugInfoBase {
 public:
  explicit Counted(const at::Tensor& batch) : batch_(batch) {}
  void add(const Product& product) {
    constexpr double with_gradients = 3, without_the_batchs = 2;
    flop_ += product.flop * (product.of_batch ? without_the_batchs : with_gradients);
    outputs_ += product.outputs;
  }
  bool is_batch(const at::Tensor& tensor) const { return tensor.is_alias_of(batch_); }
  double flop() const { return flop_; }
  double outputs() const { return outputs_; }

 private:
  at::Tensor batch_;
  double flop_ = 0, outputs_ = 0;
};

const auto debug_place = c10::DebugInfoKind::TEST_INFO;

/// [n, k] by [k, m].
Product matrices(const at::Tensor& a, const at::Tensor& b) {
  const auto outputs = static_cast<double>(a.size(0) * b.size(1));
  return {2 * outputs * static_cast<double>(a.size(1)), outputs};
}

/// One dimension of a convolution that goes from an image to places; a transposed one goes the other way.
struct Dimension {
  std::int64_t kernel, stride, padding, dilation;
  std::int64_t reach() const { return dilation * (kernel - 1) + 1; }
  std::int64_t places(std::int64_t image) const { return (image + 2 * padding - reach()) / stride + 1; }
  std::int64_t image(std::int64_t places, std::int64_t more) const {
    return (places - 1) * stride - 2 * padding + reach() + more;
  }
  /// How often an element of the kernel lies on the image, over all places.
  std::int64_t pairs(std::int64_t image, std::int64_t places) const {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < places; ++i)
      for (std::int64_t element = 0; element < kernel; ++element) {
        const auto pixel = i * stride - padding + element * dilation;
        count += pixel >= 0 && pixel < image ? 1 : 0;
      }
    return count;
  }
};

Product convolution(c10::ArrayRef<const c10::IValue> inputs) {
  const auto& input = inputs[0].toTensor();
  const auto& kernel = inputs[1].toTensor();
  const bool transposed = inputs[6].toBool();
  const auto of = [&](std::size_t argument, std::size_t dimension) {
    const auto values = inputs[argument].toIntVector();
    return values.size() == 1 ? values[0] : values[dimension];
  };
  auto flop = 2. * static_cast<double>(input.size(0) * kernel.size(0) * kernel.size(1));
  // Kernels are [outputs, inputs / groups, ...], transposed ones [inputs, outputs / groups, ...].
  const auto channels = transposed ? kernel.size(1) * inputs[8].toInt() : kernel.size(0);
  auto outputs = static_cast<double>(input.size(0) * channels);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto d = static_cast<std::int64_t>(i) + 2;
    const Dimension along{kernel.size(d), of(3, i), of(4, i), of(5, i)};
    const auto image = transposed ? along.image(input.size(d), of(7, i)) : input.size(d);
    const auto places = transposed ? input.size(d) : along.places(image);
    flop *= static_cast<double>(along.pairs(image, places));
    outputs *= static_cast<double>(transposed ? image : places);
  }
  return {flop, outputs};
}

std::unique_ptr<at::ObserverContext> note(const at::RecordFunction& function) {
  auto* const counted = dynamic_cast<Counted*>(c10::ThreadLocalDebugInfo::get(debug_place));
  if (counted == nullptr) return nullptr;
  const std::string_view name = function.name();
  const bool convolves = name == "aten::convolution", adds = name == "aten::addmm";
  if (!convolves && !adds && name != "aten::mm") return nullptr;
  const auto inputs = function.inputs();
  const std::size_t factor = adds ? 1 : 0;
  const auto& multiplied = inputs[factor].toTensor();
  auto product = convolves ? convolution(inputs) : matrices(multiplied, inputs[factor + 1].toTensor());
  product.of_batch = counted->is_batch(multiplied);
  counted->add(product);
  return nullptr;
}

class Listening {
 public:
  Listening()
      : callback_(at::addThreadLocalCallback(
            at::RecordFunctionCallback(note).needsInputs(true).scopes({at::RecordScope::FUNCTION}))) {}
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening() { at::removeCallback(callback_); }

 private:
  at::CallbackHandle callback_;
};

bool has_tf32(const harness::Device& device) {
  int major = 0;
  harness::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device.index));
  return major >= 8;
}

/// "high" lets cuBLAS take TF32.
double tf32_rate(const harness::Device& device, const at::TensorOptions& options, Sizes rows) {
  if (!has_tf32(device)) return 0;
  const harness::MatmulPrecision high("high");
  return product_rate(device, options, rows);
}

/// On units for FP32 alone, or on tensor cores alone.
double seconds_by(double flop_rate, const Work& work, const Rates& rates) {
  return floor_seconds(work, {.bytes = rates.bytes, .flop = flop_rate, .link_bytes = rates.link_bytes});
}

double bytes(const at::Tensor& tensor) { return static_cast<double>(tensor.nbytes()); }

/// Three products in TF32 give one with the digits of FP32: each factor is split into two, and the product of
/// the two small parts is left out.
constexpr double tf32_products_of_one = 3;

}  // namespace

Rates measure_rates(const harness::Device& device) {
  const c10::NoGradGuard no_gradients;
  const harness::MatmulPrecision highest("highest");
  const auto options = at::TensorOptions().dtype(at::kFloat).device(harness::torch_device(device));
  constexpr std::int64_t mebi = std::int64_t{1} << 20;
  if (!device.is_cuda())
    return {.bytes = memory_rate(device, options, {64 * mebi, 64 * mebi}),
            .flop = product_rate(device, options, {1024, 1024})};
  const Sizes rows{1024, 8192};
  return {.bytes = memory_rate(device, options, {16 * mebi, 256 * mebi}),
          .flop = product_rate(device, options, rows),
          .link_bytes = link_rate(device, options),
          .tf32_flop = tf32_rate(device, options, rows)};
}

std::shared_ptr<const Rates> session_rates(harness::Setup& setup) {
  return setup.shared<Rates>("rates of " + to_string(setup.device),
                             [&] { return measure_rates(setup.device); });
}

Work operator+(const Work& a, const Work& b) {
  return {a.bytes + b.bytes, a.flop + b.flop, a.link_bytes + b.link_bytes, a.digits};
}

double product_rate(const Rates& rates, Digits digits) {
  const auto products = digits == Digits::tf32 ? 1 : tf32_products_of_one;
  return std::max(rates.flop, rates.tf32_flop / products);
}

double floor_seconds(const Work& work, const Rates& rates) {
  const auto link = work.link_bytes > 0 ? work.link_bytes / rates.link_bytes : 0;
  return std::max({work.bytes / rates.bytes, work.flop / product_rate(rates, work.digits), link});
}

std::vector<harness::Figure> floor_figures(const Work& naive, const Work& optimized, const Rates& rates) {
  constexpr double giga = 1e9;
  std::vector<harness::Figure> all{
      {"floor: bytes to move", "B", naive.bytes, optimized.bytes},
      {"floor: memory measured here", "GB/s", rates.bytes / giga, rates.bytes / giga},
      {"floor: arithmetic to do", "GFLOP", naive.flop / giga, optimized.flop / giga},
      {"floor: FP32 products measured here", "GFLOP/s", rates.flop / giga, rates.flop / giga}};
  if (naive.link_bytes + optimized.link_bytes > 0) {
    all.push_back({"floor: bytes to bring from the host", "B", naive.link_bytes, optimized.link_bytes});
    all.push_back({"floor: link measured here", "GB/s", rates.link_bytes / giga, rates.link_bytes / giga});
  }
  if (rates.tf32_flop > 0) {
    const auto three = rates.tf32_flop / tf32_products_of_one;
    all.push_back(
        {"floor: TF32 products measured here", "GFLOP/s", rates.tf32_flop / giga, rates.tf32_flop / giga});
    all.push_back({"floor: on units for FP32", "s", seconds_by(rates.flop, naive, rates),
                   seconds_by(rates.flop, optimized, rates)});
    all.push_back({"floor: on tensor cores, three products in TF32", "s", seconds_by(three, naive, rates),
                   seconds_by(three, optimized, rates)});
  }
  all.push_back({"floor", "s", floor_seconds(naive, rates), floor_seconds(optimized, rates)});
  return all;
}

Work step_work(const Network& network, const Sample& batch, bool from_host) {
  const auto counted = std::make_shared<Counted>(batch.input);
  {
    const c10::NoGradGuard no_gradients;
    const c10::DebugInfoGuard reached(debug_place, counted);
    const Listening listening;
    network.predict(batch.input, Switches{}, Mode::evaluation);
  }
  constexpr double optimizer = 8;  // times a parameter is read or written
  Work work{.flop = counted->flop()};
  for (const auto& [name, parameter] : network.parameters) work.bytes += optimizer * bytes(parameter);
  work.bytes += 2 * bytes(batch.input) + bytes(batch.target) + 2 * float_bytes * counted->outputs();
  if (from_host) work.link_bytes = bytes(batch.input) + bytes(batch.target);
  return work;
}

}  // namespace workloads::training
