#include "workloads/stgym/train/torch_modes.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/anomaly_mode.h>

namespace workloads::stgym {
namespace {

using torch::autograd::AnomalyMode;

/// Every warning but two: the one that a product of sparse matrices gives on the host, once per process, and
/// the headline of a node's traceback, of which there is none (the error itself names the node).
struct FewerWarnings : c10::WarningHandler {
  void process(const c10::Warning& warning) override {
    const std::string_view text = warning.msg();
    if (text.find("is in beta state") != text.npos || text.starts_with("Error detected in ")) return;
    c10::WarningHandler::process(warning);
  }
  static c10::WarningHandler* instance() {
    static FewerWarnings handler;
    return &handler;
  }
};

class NanChecks {
 public:
  explicit NanChecks(bool on) : on_(AnomalyMode::is_enabled()), check_(AnomalyMode::should_check_nan()) {
    AnomalyMode::set_enabled(on, true);
  }
  ~NanChecks() { AnomalyMode::set_enabled(on_, check_); }
  NanChecks(const NanChecks&) = delete;
  NanChecks& operator=(const NanChecks&) = delete;

 private:
  bool on_;
  bool check_;
};

}  // namespace

Modes::Modes(const Switches& switches)
    : warnings_(FewerWarnings::instance()), precision_(switches.matmul_medium ? "medium" : "highest") {}

void backward(const at::Tensor& loss, const Switches& switches) {
  const NanChecks checks(!switches.no_anomaly);
  loss.backward();
}

}  // namespace workloads::stgym
