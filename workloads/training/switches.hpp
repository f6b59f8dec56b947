// The ladder of ResNet-50, GPT and U-Net as data: one switch for each change of the checklists; and any
// ladder's forms: a table of rungs from the bottom, each with its switch and whether the chain keeps it. No
// LibTorch.
#pragma once

#include <initializer_list>

namespace workloads::training {

/// The kept rungs below `change`, or all of them where it is null.
template <class Switches, class Ladder>
constexpr Switches kept_below(const Ladder& ladder, bool Switches::* change) {
  Switches switches;
  for (const auto& rung : ladder) {
    if (rung.change == change) break;
    if (rung.kept) switches.*rung.change = true;
  }
  return switches;
}

/// The kept rungs below `change`, and `change`.
template <class Switches, class Ladder>
constexpr Switches kept_with(const Ladder& ladder, bool Switches::* change) {
  auto switches = kept_below(ladder, change);
  switches.*change = true;
  return switches;
}

/// What a form does differently from what a beginner writes. All false: naive.
struct Switches {
  bool log_every_n = false;        // the loss is read and shown every 50 steps, not in each
  bool gradients_to_none = false;  // gradients are dropped, not filled with zeros
  bool prefetch = false;           // batches in pinned memory, copied to the device one ahead
  bool workers = false;            // two threads make the batches, one OpenMP thread each
  bool transform_ahead = false;    // what every epoch repeats for a sample is done once, before training
  bool channels_last = false;      // images and kernels lie in memory channels last
  bool fused_attention = false;    // attention is one operator, which keeps no matrix of weights
  bool tf32 = false;               // FP32 products and convolutions in TF32 on the device
  bool bf16 = false;               // products and convolutions in BF16 by autocast
  bool fp16 = false;               // the same in FP16, with a scaled loss
  bool fused_optimizer = false;    // AdamW's step is one operator over all parameters
  bool cudnn_benchmark = false;    // cuDNN tries its algorithms out for each shape
  bool foreach_clip = false;       // all gradients are measured and scaled together
  bool cuda_graph = false;         // the whole step is recorded once, and replayed by one launch
  bool checkpoint = false;         // the GPT keeps each block's input only, and computes the rest again
  bool compiled = false;  // torch's compiler has written forward, backward and update as one function
  bool operator==(const Switches&) const = default;
};

/// What a model reads, and so which rungs its ladder has.
enum class Input { any, images, text };

/// A rung: its switch, and whether the chain keeps it. A rung that is not kept changes the arithmetic or does
/// more work of another kind: it is measured against the kept rungs below it, and those above do without it.
struct Rung {
  const char* name;
  bool Switches::* change;
  bool kept;
  Input input = Input::any;
  const char* needs_device = nullptr;  // why a CPU skips it; null: it does not
};

/// From the bottom. Each workload has those that its model knows.
constexpr Rung ladder[] = {
    {"log_every_n", &Switches::log_every_n, true},
    {"gradients_to_none", &Switches::gradients_to_none, true},
    {"prefetch", &Switches::prefetch, false, Input::any,
     "the host has no second memory that batches would be copied to"},
    {"workers", &Switches::workers, false},
    {"transform_ahead", &Switches::transform_ahead, true},
    {"channels_last", &Switches::channels_last, true, Input::images},
    {"fused_attention", &Switches::fused_attention, true, Input::text},
    {"tf32", &Switches::tf32, false, Input::any, "TF32 is a format of CUDA devices"},
    {"bf16", &Switches::bf16, false},
    {"fp16", &Switches::fp16, false, Input::any, "a CPU multiplies FP16 no faster than FP32"},
    {"fused_optimizer", &Switches::fused_optimizer, true},
    {"cudnn_benchmark", &Switches::cudnn_benchmark, false, Input::images, "a CPU has no cuDNN"},
    {"foreach_clip", &Switches::foreach_clip, true, Input::text},
    {"cuda_graph", &Switches::cuda_graph, false, Input::any,
     "the host launches nothing that a CUDA graph could gather"},
    {"compiled", &Switches::compiled, false},
};

/// True if the ladder of a model that reads `input` has the rung.
constexpr bool belongs(const Rung& rung, Input input) {
  return rung.input == Input::any || rung.input == input;
}

/// The kept rungs below `change`: what that rung is measured against.
constexpr Switches below(bool Switches::* change) { return kept_below(ladder, change); }

/// The kept rungs below `change`, and `change`.
constexpr Switches with(bool Switches::* change) { return kept_with(ladder, change); }

/// Every kept rung, and the branches named in `also`.
constexpr Switches best(std::initializer_list<bool Switches::*> also = {}) {
  auto switches = kept_below<Switches>(ladder, nullptr);
  for (const auto branch : also) switches.*branch = true;
  return switches;
}

}  // namespace workloads::training
