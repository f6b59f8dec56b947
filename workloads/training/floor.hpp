// How fast a step could be at best: what this machine does in a second, bytes that any form must move, and
// the products that a network's forward pass is made of, counted while it runs.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include "workloads/training/dataset.hpp"
#include "workloads/training/network.hpp"

namespace workloads::training {

constexpr double float_bytes = sizeof(float);

/// What a machine does in a second.
struct Rates {
  double bytes = 0;
  double flop = 0;        // FP32
  double link_bytes = 0;  // from pinned host memory to the device; 0 on the host
  double tf32_flop = 0;   // on tensor cores; 0 where there are none for it
};

/// The digits that a form's products keep.
enum class Digits : std::uint8_t { fp32, tf32 };

/// Measured in about a second: the fastest of some copies and sums of 256 MiB, and of some products of two
/// square matrices, on the host by either library. On a device sizes grow up to 1 GiB and 8192 rows, until a
/// run is long enough; so do those of copies from pinned memory, up to 256 MiB. From compute capability 8.0
/// on the same products are measured in TF32.
Rates measure_rates(const harness::Device& device);

/// Those of the session's device, measured once.
std::shared_ptr<const Rates> session_rates(harness::Setup& setup);

struct Work {
  double bytes = 0;
  double flop = 0;
  double link_bytes = 0;  // from the host to the device, where the data lie on the host
  Digits digits = Digits::fp32;
};
/// Both with the digits of the first.
Work operator+(const Work& a, const Work& b);

/// The fastest products that keep the digits, on whichever units.
double product_rate(const Rates& rates, Digits digits);

/// What takes longest; copies, arithmetic and the link can go on at the same time.
double floor_seconds(const Work& work, const Rates& rates);

/// The floors of both forms' work, as figures beside a row's times: where there are tensor cores, that of the
/// units for FP32 and that of three products in TF32. The last one, "floor", the least that reaches the
/// form's digits, is what the table gives the distance to.
std::vector<harness::Figure> floor_figures(const Work& naive, const Work& optimized, const Rates& rates);

/// What a training step on `batch` needs in FP32 in any form. Three products for each matrix of weights and
/// each kernel; two where the batch itself is multiplied, which needs no gradient. A kernel's elements beyond
/// the image's border multiply nothing. Products of activations with each other, as in attention, are left
/// out: a fused form skips some. What a product gives is written once and read once, the batch is read twice,
/// and AdamW reads value, gradient and moments, and writes all but the gradient, which is written before.
/// `from_host`: the batch comes over the link.
Work step_work(const Network& network, const Sample& batch, bool from_host);

}  // namespace workloads::training
