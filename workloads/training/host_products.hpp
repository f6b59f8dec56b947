// The products of a linear layer in FP32 on the host: each through the BLAS library that LibTorch was linked
// to or through oneDNN, and which of them is the faster one here.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace workloads::training {

enum class Library : std::uint8_t { blas, onednn };

/// Who multiplies in each pass of a linear layer.
struct Libraries {
  Library forward = Library::blas;    // x W'
  Library by_input = Library::blas;   // the gradient by x
  Library by_weight = Library::blas;  // the gradient by W
  bool operator==(const Libraries&) const = default;
};
constexpr Libraries onednn_alone{Library::onednn, Library::onednn, Library::onednn};

/// True where oneDNN multiplies these: FP32 on the host, in a LibTorch that was built with it.
bool onednn_multiplies(const at::Tensor& x);

/// x W' + bias, [n, in] and [out, in] -> [n, out], as at::linear and with its gradients; the bias may be
/// undefined. All must satisfy onednn_multiplies.
at::Tensor host_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                       const Libraries& by);

/// x W' where x, which has no gradient, lies in several places: `parts` are its rows in order. Parts in BF16
/// are multiplied as such, by LibTorch's choice of library; what is given and returned is FP32.
at::Tensor product_of_parts(const std::vector<at::Tensor>& parts, const at::Tensor& weight,
                            const Libraries& by);

/// How far x W' is from FP64's product of the FP32 numbers that x and W stand for: the root of the summed
/// squares of the differences, as a share of the product's. x may be FP32 or BF16.
double product_error(const at::Tensor& x, const at::Tensor& weight);

/// Seconds of one product through a library.
using SecondsOf = std::function<double(Library)>;

/// The library with the shortest of a few runs, each in its turn; what a first run sets up does not count.
Library faster_library(const SecondsOf& seconds);

/// What multiplies a layer of this weight.
using LibrariesOf = std::function<Libraries(const at::Tensor& weight)>;

/// Times each product of the layer on 1,024 rows. A small layer, whose products take less than timing tells
/// apart, is oneDNN's.
Libraries faster_libraries(const at::Tensor& weight);

/// From 1, to be kept as a number.
int number_of(const Libraries& libraries);
Libraries libraries_of(int number);

}  // namespace workloads::training
