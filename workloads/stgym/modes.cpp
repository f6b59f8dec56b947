#include "workloads/stgym/modes.hpp"

#include <torch/csrc/autograd/anomaly_mode.h>
#include <torch/csrc/autograd/engine.h>

#include <memory>
#include <string>

namespace workloads::stgym {
namespace {

using torch::autograd::AnomalyMetadata;
using torch::autograd::AnomalyMode;

struct NoStack : AnomalyMetadata {
  void store_stack() override {}
  void print_stack(const std::string&) override {}
};

/// Autograd's engine, except for what anomaly detection notes at a node.
class Engine : public torch::autograd::Engine {
 public:
  static torch::autograd::Engine& instance() {
    // Never destroyed, as LibTorch's own: its device threads may outlive main.
    static auto* const engine = new Engine;
    return *engine;
  }
  std::unique_ptr<AnomalyMetadata> make_anomaly_metadata() override { return std::make_unique<NoStack>(); }

 private:
  Engine() = default;
};

/// Every warning but the one that a product of sparse matrices gives on the host, once per process.
struct NoBetaNotice : c10::WarningHandler {
  void process(const c10::Warning& warning) override {
    if (warning.msg().find("is in beta state") == std::string::npos) c10::WarningHandler::process(warning);
  }
  static c10::WarningHandler* instance() {
    static NoBetaNotice handler;
    return &handler;
  }
};

}  // namespace

Modes::Modes(const Switches& switches)
    : warnings_(NoBetaNotice::instance()),
      anomaly_(AnomalyMode::is_enabled()),
      check_nan_(AnomalyMode::should_check_nan()),
      precision_(switches.matmul_medium ? "medium" : "highest") {
  torch::autograd::set_default_engine_stub(Engine::instance);
  AnomalyMode::set_enabled(!switches.no_anomaly, true);
}

Modes::~Modes() {
  AnomalyMode::set_enabled(anomaly_, check_nan_);
  torch::autograd::set_default_engine_stub(torch::autograd::Engine::get_base_engine);
}

}  // namespace workloads::stgym
