#include "harness/trace/device_peaks.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace harness::trace {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;
constexpr std::string_view volta =
    "https://images.nvidia.com/content/technologies/volta/pdf/volta-v100-datasheet-update-us-1165301-r5.pdf";
constexpr std::string_view a100 =
    "https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a100/pdf/"
    "nvidia-a100-datasheet-us-nvidia-1758950-r4-web.pdf";
constexpr std::string_view h100 = "https://www.nvidia.com/en-us/data-center/h100/";
constexpr std::string_view h200 = "https://www.nvidia.com/en-us/data-center/h200/";
constexpr std::string_view ga102 =
    "https://www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.1.pdf";

// Columns: name, words, least memory, GB/s, then TFLOP/s of FP32, TF32, FP16, BF16, source. More special
// first.
constexpr auto models = std::to_array<DeviceModel>({
    {"V100 PCIe", "v100 pcie", 0, 900, 14, 0, 112, 0, volta},
    {"V100 SXM2", "v100", 0, 900, 15.7, 0, 125, 0, volta},
    {"A100 80GB PCIe", "a100 pcie", 60 * gib, 1935, 19.5, 156, 312, 312, a100},
    {"A100 80GB SXM", "a100", 60 * gib, 2039, 19.5, 156, 312, 312, a100},
    {"A100 40GB", "a100", 0, 1555, 19.5, 156, 312, 312, a100},
    {"H100 PCIe", "h100 pcie", 0, 2000, 51, 378, 756, 756, h100},
    {"H100 NVL", "h100 nvl", 0, 3900, 60, 417.5, 835.5, 835.5, h100},
    {"H100 SXM", "h100", 0, 3350, 67, 494.5, 989.5, 989.5, h100},
    {"H200 NVL", "h200 nvl", 0, 4800, 60, 417.5, 835.5, 835.5, h200},
    {"H200 SXM", "h200", 0, 4800, 67, 494.5, 989.5, 989.5, h200},
    {"A30", "a30", 0, 933, 10.3, 82, 165, 165,
     "https://www.nvidia.com/content/dam/en-zz/Solutions/data-center/products/a30-gpu/pdf/a30-datasheet.pdf"},
    {"T4", "t4", 0, 320, 8.1, 0, 65, 0,
     "https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/tesla-t4/"
     "t4-tensor-core-datasheet-951643.pdf"},
    {"L4", "l4", 0, 300, 30.3, 60, 121, 121, "https://www.nvidia.com/en-us/data-center/l4/"},
    {"A10", "a10", 0, 600, 31.2, 62.5, 125, 125,
     "https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a10/pdf/a10-datasheet.pdf"},
    {"RTX 3090", "rtx 3090", 0, 936, 35.6, 35.6, 71, 71, ga102},
    {"RTX 4090", "rtx 4090", 0, 1008, 82.6, 82.6, 165.2, 165.2,
     "https://images.nvidia.com/aem-dam/Solutions/Data-Center/l4/"
     "nvidia-ada-gpu-architecture-whitepaper-v2.1.pdf"},
});

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// True if the word stands alone in the text: "a10" is not in "a100".
bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !letter_or_digit(text[at - 1])) && (end == text.size() || !letter_or_digit(text[end])))
      return true;
  }
  return false;
}

bool has_words(std::string_view text, std::string_view words) {
  while (!words.empty()) {
    const auto word = words.substr(0, words.find(' '));
    if (!has_word(text, word)) return false;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return true;
}

}  // namespace

const DeviceModel* device_model(const DeviceProperties& device) {
  std::string name(device.name);
  std::ranges::transform(name, name.begin(), lower);
  // AMD and others have an "L4" or an "A10" of their own; NVIDIA's warps have 32 threads, and it says who
  // it is.
  if (!has_word(name, "nvidia") && !has_word(name, "tesla") && !has_word(name, "geforce")) return nullptr;
  if (has_word(name, "ti") || has_word(name, "d") || has_word(name, "laptop")) return nullptr;
  const auto fits = [&](const DeviceModel& model) {
    return has_words(name, model.match) && device.memory_bytes >= model.least_memory_bytes;
  };
  const auto* found = std::ranges::find_if(models, fits);
  return found == models.end() ? nullptr : found;
}

double peak_flops(const DeviceModel& model, Arithmetic arithmetic) {
  constexpr double tera = 1e12;
  switch (arithmetic) {
    case Arithmetic::fp32:
      return model.fp32_tflops * tera;
    case Arithmetic::tf32:
      return model.tf32_tflops * tera;
    case Arithmetic::fp16:
      return model.fp16_tflops * tera;
    case Arithmetic::bf16:
      return model.bf16_tflops * tera;
    case Arithmetic::fp64:
    case Arithmetic::unknown:
      break;
  }
  return 0;
}

double balance(const DeviceModel& model, Arithmetic arithmetic) {
  return peak_flops(model, arithmetic) / (model.bandwidth_gb_s * 1e9);
}

std::string_view to_string(Arithmetic arithmetic) {
  constexpr std::array names{"FP32", "TF32", "FP16", "BF16", "FP64", "unknown"};
  return names[static_cast<std::size_t>(arithmetic)];
}

}  // namespace harness::trace
