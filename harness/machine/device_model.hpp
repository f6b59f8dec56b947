// What GPUs can do at best by their vendors' data sheets: the roof that kernels are held against. gpus.json
// holds the sheets with their sources; simulate reads the same file.
#pragma once

#include "harness/support/field.hpp"

namespace harness::inline machine {

/// gpus.json: data sheets with their sources.
std::string_view gpus_json();

/// Peak rates, dense (half of what data sheets print "with sparsity"), without any overclocking.
struct DeviceModel {
  std::string name;           // "A100 80 GB (SXM4)"; of a slice "H200 (SXM), MIG 1g.18gb"
  double bandwidth_gb_s = 0;  // of the device's memory, 10^9 bytes per second
  double fp32_tflops = 0;     // outside the tensor cores
  double tf32_tflops = 0;     // 0: there is no such unit
  double fp16_tflops = 0;     // tensor cores, summed in FP32
  double bf16_tflops = 0;
  double link_gb_s = 0;  // of 16 lanes of its PCIe, each way; 0: not known
  std::string source;    // documents, or the file that measured it
};

/// A device as its driver describes it.
struct DeviceDescription {
  std::string name;         // "NVIDIA A100-SXM4-80GB MIG 1g.10gb"
  int multiprocessors = 0;  // 0: not known
  double memory_bytes = 0;
};

/// The model of that device, of a slice (MIG) its share; nothing where there is no sheet.
std::optional<DeviceModel> device_model(const DeviceDescription& device);

/// What a file says: measured rows of `tuneproof prices` in the place of a sheet's, or a sheet as in
/// gpus.json. What the file lacks is the device's by its sheet. Throws BadInput where it is neither.
DeviceModel model_from_file(const std::string& file, const DeviceDescription& device);

// One sheet of gpus.json, or a file in its form.

/// The number of "fp32": [67, "nv_h100"]; 0 where the sheet has none.
double sheet_value(const Field& sheet, std::string_view name);

/// The documents behind the peaks, each once.
std::string sheet_sources(const Field& sheet, const Field& sources);

/// Its peaks, without their source.
DeviceModel read_sheet(const Field& sheet);

}  // namespace harness::inline machine
