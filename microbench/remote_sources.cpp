#include "microbench/remote_sources.hpp"

#include "harness/cuda/check.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/short_kernels.hpp"

#include <ATen/ATen.h>

namespace microbench {
namespace {

using namespace harness;

void put_sum(std::span<std::byte> out, float value) { std::memcpy(out.data(), &value, sizeof value); }

/// Kernels of 64 KiB, one behind the other; the sum is how many.
class Launches {
 public:
  explicit Launches(int device) {
    check(cudaSetDevice(device));
    stream_.emplace();
    values_.emplace(values * sizeof(float));
  }
  float run() {
    constexpr int launches = 200;
    auto* const data = reinterpret_cast<float*>(values_->data());
    check(cudaMemsetAsync(data, 0, values_->size(), stream_->get()));
    for (int i = 0; i < launches; ++i) check(queue_increment(data, values, stream_->get()));
    float first = 0;
    check(cudaMemcpyAsync(&first, data, sizeof first, cudaMemcpyDeviceToHost, stream_->get()));
    stream_->synchronize();
    return first;
  }

 private:
  static constexpr std::size_t values = 16 << 10;
  std::optional<Stream> stream_;
  std::optional<DeviceBuffer> values_;
};

/// Products with a long inner dimension, of which the library divides the work if it has memory for the
/// parts. Each value of a product is `inner`, so any order of the additions gives the same sum.
class Products {
 public:
  explicit Products(at::Device device)
      : a_(at::ones({rows, inner}, at::TensorOptions().device(device))),
        out_(at::empty({rows, rows}, a_.options())) {}
  float run() {
    constexpr int products = 20;
    for (int i = 0; i < products; ++i) at::mm_out(out_, a_, a_.t());
    return out_[0][0].item<float>();
  }

 private:
  static constexpr std::int64_t rows = 256;
  static constexpr std::int64_t inner = 4096;
  at::Tensor a_, out_;
};

/// Pointwise work and products, for a runtime to divide among its threads.
class ThreadedWork {
 public:
  float run() {
    for (int i = 0; i < 20; ++i) at::add_out(sum_, values_, values_);
    at::mm_out(product_, square_, square_);
    return sum_[0].item<float>() + product_[0][0].item<float>();
  }

 private:
  at::Tensor values_ = at::ones({1 << 18}), sum_ = at::empty_like(values_);
  at::Tensor square_ = at::ones({256, 256}), product_ = at::empty_like(square_);
};

/// What is set up once lives as long as the process: a source gets no more than a number.
template <int device>
void launch_kernels(std::int64_t, std::span<std::byte> out) {
  static Launches launches(device);
  put_sum(out, launches.run());
}

template <int device>
void multiply(std::int64_t, std::span<std::byte> out) {
  static Products products(at::Device(at::kCUDA, device));
  put_sum(out, products.run());
}

void work_with_threads(std::int64_t, std::span<std::byte> out) {
  static ThreadedWork work;
  put_sum(out, work.run());
}

}  // namespace

std::span<const BatchSource> remote_sources() {
  static constexpr BatchSource all[] = {
      {"sync/launch_blocking/0", launch_kernels<0>}, {"sync/launch_blocking/1", launch_kernels<1>},
      {"sync/launch_blocking/2", launch_kernels<2>}, {"sync/launch_blocking/3", launch_kernels<3>},
      {"sync/launch_blocking/4", launch_kernels<4>}, {"sync/launch_blocking/5", launch_kernels<5>},
      {"sync/launch_blocking/6", launch_kernels<6>}, {"sync/launch_blocking/7", launch_kernels<7>},
      {"memory/cublas_workspace/0", multiply<0>},    {"memory/cublas_workspace/1", multiply<1>},
      {"memory/cublas_workspace/2", multiply<2>},    {"memory/cublas_workspace/3", multiply<3>},
      {"memory/cublas_workspace/4", multiply<4>},    {"memory/cublas_workspace/5", multiply<5>},
      {"memory/cublas_workspace/6", multiply<6>},    {"memory/cublas_workspace/7", multiply<7>},
      {"cpu/openmp_runtime/0", work_with_threads}};
  return all;
}

const BatchSource& remote_source(std::string_view name, const Device& device) {
  const auto full = std::string(name) + "/" + std::to_string(device.index);
  const auto all = remote_sources();
  const auto found = std::ranges::find(all, full, &BatchSource::name);
  if (found == all.end()) throw Skip("only the first eight devices have processes of their own");
  return *found;
}

Trial remote_trial(std::shared_ptr<RemoteForms> forms) {
  return {.naive = [forms] { forms->naive.run(); },
          .optimized = [forms] { forms->optimized.run(); },
          .clear =
              [forms] {
                forms->naive.forget();
                forms->optimized.forget();
              },
          .answer = [forms](Form form) -> Answer {
            const auto bytes = (form == Form::naive ? forms->naive : forms->optimized).answer();
            return std::vector<std::byte>(bytes.begin(), bytes.end());
          }};
}

}  // namespace microbench
