#include "workloads/training/count_products.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace workloads::training {
namespace {

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

const auto place = c10::DebugInfoKind::TEST_INFO;

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
  auto* const counted = dynamic_cast<Counted*>(c10::ThreadLocalDebugInfo::get(place));
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

double bytes(const at::Tensor& tensor) { return static_cast<double>(tensor.nbytes()); }

}  // namespace

Work step_work(const Network& network, const Sample& batch, bool from_host) {
  const auto counted = std::make_shared<Counted>(batch.input);
  {
    const c10::NoGradGuard no_gradients;
    const c10::DebugInfoGuard reached(place, counted);
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
