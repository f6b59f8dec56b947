#include "harness/libtorch/package.hpp"

#include "harness/libtorch/range.hpp"
#include "harness/libtorch/torch_runtime.hpp"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <dlfcn.h>
#include <system_error>

namespace harness::inline libtorch {
namespace {

/// The file that holds LibTorch's code.
std::filesystem::path torch_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&at::get_num_threads), &info) == 0 || info.dli_fname == nullptr)
    return {};
  return info.dli_fname;
}

/// As Python's torch names it.
std::string name_of(at::ScalarType type) {
  switch (type) {
    case at::kFloat:
      return "float32";
    case at::kDouble:
      return "float64";
    case at::kBFloat16:
      return "bfloat16";
    case at::kHalf:
      return "float16";
    case at::kLong:
      return "int64";
    case at::kInt:
      return "int32";
    case at::kBool:
      return "bool";
    default:
      throw std::logic_error(std::string("compiled functions do not take ") + c10::toString(type));
  }
}

Device our_device_of(const at::Tensor& tensor) {
  if (!tensor.is_cuda()) return {};
  return {Device::Kind::cuda, tensor.get_device()};
}

PackageOrder order_of(const CompileWish& wish) {
  PackageOrder order{.step = std::string(wish.step),
                     .source = std::string(wish.source),
                     .inputs = {},
                     .device = our_device_of(wish.inputs.front()),
                     .mode = wish.mode,
                     .threads = at::get_num_threads()};
  for (std::size_t i = 0; i < wish.inputs.size(); ++i) {
    const auto& tensor = wish.inputs[i];
    if (!tensor.is_contiguous() && !tensor.is_contiguous(at::MemoryFormat::ChannelsLast))
      throw std::logic_error("compiled functions take tensors without gaps");
    InputShape input{name_of(tensor.scalar_type()), tensor.sizes().vec()};
    if (std::ranges::find(wish.varies, i) != wish.varies.end()) input.varies = {0};
    input.channels_last = !tensor.is_contiguous();
    order.inputs.push_back(std::move(input));
  }
  return order;
}

/// Tensors lie as usual, or channels last.
bool lies_as(const at::Tensor& tensor, const at::Tensor& made_for) {
  return tensor.is_contiguous(made_for.is_contiguous() ? at::MemoryFormat::Contiguous
                                                       : at::MemoryFormat::ChannelsLast);
}

bool fits(const at::Tensor& tensor, const at::Tensor& made_for, bool varies) {
  const auto begin = varies ? 1 : 0;
  return lies_as(tensor, made_for) && tensor.scalar_type() == made_for.scalar_type() &&
         tensor.device() == made_for.device() && tensor.dim() == made_for.dim() &&
         tensor.sizes().slice(begin) == made_for.sizes().slice(begin);
}

using Loader = torch::inductor::AOTIModelPackageLoader;

/// Throws what LibTorch throws where the package cannot be loaded.
std::shared_ptr<Loader> loaded(const Made& made, const Device& device) {
  constexpr bool single_threaded = true;  // one caller at a time, and a graph can capture it
  constexpr std::size_t runners = 1;
  return std::make_shared<Loader>(made.package.string(), "model", single_threaded, runners,
                                  static_cast<c10::DeviceIndex>(device.is_cuda() ? device.index : -1));
}

/// "FILE: what was said", without the places in LibTorch's source that come behind it.
std::string told(const Made& made, const std::exception& error) {
  const std::string said = error.what();
  return made.package.string() + ": " + said.substr(0, said.find('\n'));
}

}  // namespace

CompiledPackage::CompiledPackage(const CompileWish& wish) : made_for_(wish.inputs), varies_(wish.varies) {
  const auto order = order_of(wish);
  const PythonTorch torch{torch_version(), torch_library()};
  made_ = make_package(order, torch);
  try {
    loader_ = loaded(made_, order.device);
    return;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s; it is made again\n", order.step.c_str(), told(made_, error).c_str());
  }
  std::error_code ignored;
  std::filesystem::remove(made_.package, ignored);
  made_ = make_package(order, torch);
  try {
    loader_ = loaded(made_, order.device);
  } catch (const std::exception& error) {
    throw Skip("the compiled package cannot be loaded: " + told(made_, error));
  }
}

std::vector<at::Tensor> CompiledPackage::operator()(const std::vector<at::Tensor>& inputs) const {
  if (inputs.size() != made_for_.size()) throw std::invalid_argument("the package takes other inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!fits(inputs[i], made_for_[i], std::ranges::find(varies_, i) != varies_.end()))
      throw std::invalid_argument("input " + std::to_string(i) + " is not what the package was made for");
  const Range seen("compiled package");  // a trace has no operators of it
  try {
    return loader_->run(inputs);
  } catch (const c10::OutOfMemoryError&) {
    throw;
  } catch (const std::exception& error) {
    throw std::runtime_error(told(made_, error) + "; a package that is deleted is made again");
  }
}

}  // namespace harness::inline libtorch
