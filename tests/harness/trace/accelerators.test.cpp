// Devices that are no GPU: their work is read, and where it was not recorded nothing is claimed.
#include "harness/trace/accelerators.hpp"

#include "tests/harness/trace/one_step.hpp"

#include "harness/trace/diagnosis.hpp"
#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <utility>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::ContainsSubstring;

std::string event(const std::string& category, const std::string& name, int pid, double ts, double dur) {
  return R"({"ph":"X",)" + (category.empty() ? "" : R"("cat":")" + category + R"(",)") + R"("name":")" +
         name + R"(","pid":)" + std::to_string(pid) + R"(,"tid":2,"ts":")" + std::to_string(ts) +
         R"(","dur":)" + std::to_string(dur) + "},\n";
}

std::string process(const std::string& what, const std::string& label, int pid) {
  return R"({"ph":"M","name":"process_)" + what + R"(","pid":)" + std::to_string(pid) +
         R"(,"tid":0,"args":{")" + (what == "name" ? "name" : "labels") + R"(":")" + label + R"("}},)" + "\n";
}

/// Ten operators whose work takes `busy` of 100 us each on the device behind process 6000.
std::string on_device_of(const std::string& what, const std::string& label, double busy) {
  std::string text = "[" + process("name", "python", 1);
  for (int i = 0; i < 10; ++i) {
    text += event("cpu_op", "aten::mm", 1, 100 * i, 20);
    text += event("", "AscendCL@aclnnMatmul", 5000, 100 * i + 5, 5);
    text += event("", "MatMulV2", 6000, 100 * i + 10, busy);
    text += event("", "Computing", 7000, 100 * i + 10, busy);
  }
  return text + process("name", "CANN", 5000) + process("name", "Overlap Analysis", 7000) +
         process(what, label, 6000) + "]";
}

TEST_CASE("what runs in the process of an accelerator is its work", "[trace][accelerators]") {
  const auto [what, label] =
      GENERATE(std::pair{"name", "Ascend Hardware"}, std::pair{"labels", "NPU"}, std::pair{"name", "XPU 0"},
               std::pair{"labels", "HPU 3"}, std::pair{"name", "MTIA"}, std::pair{"name", "MPS device"},
               std::pair{"name", "NeuronCore 1"});
  const auto diagnosis = diagnose(parse_trace(on_device_of(what, label, 90), "t.json"));
  CHECK(diagnosis.device_activity);
  CHECK_FALSE(diagnosis.host_judged);
  CHECK(diagnosis.verdict.regime == Regime::unknown);
  REQUIRE(diagnosis.device.size() == 1);
  CHECK(diagnosis.device[0].device == 0);
  CHECK_THAT(diagnosis.device[0].idle_us, Catch::Matchers::WithinAbs(90, 0.1));
  CHECK(diagnosis.findings.empty());
}

TEST_CASE("beside the process of an accelerator those that only have its label are not its work",
          "[trace][accelerators]") {
  auto text = on_device_of("name", "Ascend Hardware", 30);
  text.pop_back();
  text += process("labels", "NPU", 6000) + process("labels", "NPU", 7000);
  for (int i = 0; i < 10; ++i) text += event("", "Free", 7000, 100 * i + 40, 70);
  text.resize(text.rfind(','));
  const auto diagnosis = diagnose(parse_trace(text + "]", "t.json"));
  REQUIRE(diagnosis.device.size() == 1);
  CHECK_THAT(diagnosis.device[0].idle_us, Catch::Matchers::WithinAbs(9 * 70, 0.1));
}

TEST_CASE("an accelerator that idles is not said to wait for launches that nobody recorded",
          "[trace][accelerators]") {
  const auto diagnosis = diagnose(parse_trace(on_device_of("name", "Ascend Hardware", 20), "t.json"));
  CHECK(diagnosis.verdict.regime == Regime::unknown);
  CHECK(diagnosis.shares[Use::wait_launch] == 0);
}

TEST_CASE("processes of other names are none of an accelerator", "[trace][accelerators]") {
  const auto label =
      GENERATE("python", "CPU", "GPU 0", "Overlap Analysis", "train_compute", "Ascending", "INPUT");
  CHECK_FALSE(is_accelerator(label));
  CHECK_FALSE(diagnose(parse_trace(on_device_of("name", label, 90), "t.json")).device_activity);
}

TEST_CASE("operators of an accelerator whose work was not recorded give no verdict",
          "[trace][accelerators]") {
  const auto [op, kind] =
      GENERATE(std::pair{"aten::_mps_convolution", "MPS"}, std::pair{"aten::_lstm_mps", "MPS"},
               std::pair{"npu::npu_fusion_attention", "NPU"}, std::pair{"xla::mark_step", "XLA"},
               std::pair{"hpu::cast", "HPU"}, std::pair{"torch_ipex::xpu_gemm", "XPU"});
  const auto diagnosis =
      diagnose(tests::trace_of({tests::op("aten::conv2d", 0, 900), tests::op(op, 10, 800)}));
  CHECK(diagnosis.verdict.regime == Regime::unknown);
  CHECK_THAT(diagnosis.verdict.evidence,
             ContainsSubstring("an accelerator of another kind (" + std::string(kind) + ")"));
  CHECK_FALSE(diagnosis.judged());
}

TEST_CASE("operators of a processor are none of an accelerator", "[trace][accelerators]") {
  for (const auto* op : {"aten::mm", "mkldnn::_linear_pointwise", "aten::clamp_min", "aten::input",
                         "quantized::linear", "aten::_empty_affine_quantized", "aten::compute"})
    CHECK(accelerator_of(op).empty());
}

TEST_CASE("categories that Kineto has for accelerators are read", "[trace][accelerators]") {
  const auto category = GENERATE("mtia_ccp_events", "hpu_op", "privateuse1_kernel");
  const auto diagnosis = diagnose(tests::trace_of({tests::op("aten::mm", 0, 10), {category, "op", 5, 900}}));
  CHECK(diagnosis.device_activity);
  CHECK(diagnosis.verdict.regime == Regime::unknown);
}

TEST_CASE("kernels of an XPU are read as those of a GPU", "[trace][accelerators]") {
  const auto trace = tests::trace_of({tests::op("aten::mm", 0, 10),
                                      {"xpu_runtime", "urEnqueueKernelLaunch", 2, 3, tests::linked(1)},
                                      tests::on_stream("kernel", "gemm_kernel", 6, 900, 1)});
  const auto diagnosis = diagnose(trace);
  CHECK(diagnosis.device_activity);
  CHECK(diagnosis.host.launches.count == 1);
}

/// A step of one product on a device whose runtime has such calls.
Diagnosis product_by(const std::string& category, const std::string& call) {
  std::string text;
  for (int i = 0; i < 6; ++i) {
    const double begin = 1000 * i;
    for (const auto& made : {tests::range("ProfilerStep#" + std::to_string(i), begin, 990),
                             tests::Made{category, call, begin + 2, 3, tests::linked(i + 1)},
                             tests::on_stream("kernel", "sgemm_kernel", begin + 6, 980, i + 1)})
      text += (text.empty() ? "[" : ",\n") + tests::json(made);
  }
  return diagnose(parse_trace(text + "]", "t.json"));
}

TEST_CASE("a device is judged in words that are right for its maker's", "[trace][accelerators]") {
  const auto nvidia = product_by("cuda_runtime", "cudaLaunchKernel");
  CHECK(nvidia.verdict.regime == Regime::compute);
  CHECK(nvidia.verdict.would_change.find("TF32") != std::string::npos);
  CHECK(diagnosis_text(nvidia, {}, {}).find("nvidia-smi") != std::string::npos);
  const auto [category, call] = GENERATE(
      std::pair{"xpu_runtime", "urEnqueueKernelLaunch"}, std::pair{"privateuse1_runtime", "cnInvokeKernel"},
      std::pair{"musa_runtime", "musaLaunchKernel"}, std::pair{"cuda_runtime", "hipLaunchKernel"});
  const auto other = product_by(category, call);
  CHECK(other.verdict.regime == Regime::compute);
  CHECK(other.verdict.would_change.find("TF32") == std::string::npos);
  const auto text = diagnosis_text(other, {}, {});
  CHECK(text.find("nvidia-smi") == std::string::npos);
  CHECK(text.find("tensor core") == std::string::npos);
}

/// A training on the CPU that runs the backward pass in a thread of its own, or in the one that trains.
Diagnosis training(int backward_thread) {
  std::string events;
  for (int i = 0; i < 4; ++i) {
    const double begin = 10'000 * i;
    for (const auto& made :
         {tests::range("ProfilerStep#" + std::to_string(i), begin, 9'900),
          tests::op("aten::mm", begin + 10, 4000),
          tests::op("autograd::engine::evaluate_function: MmBackward0", begin + 4100, 5000, backward_thread),
          tests::op("aten::mm", begin + 4200, 4800, backward_thread),
          tests::range("Optimizer.step#SGD.step", begin + 9200, 500)})
      events += (events.empty() ? "" : ",\n") + tests::json(made);
  }
  return diagnose(
      parse_trace(R"({"deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-40GB"}], "traceEvents": [)" +
                      events + "]}",
                  "t.json"));
}

TEST_CASE("a training on the CPU is judged though a GPU is in the machine", "[trace][accelerators]") {
  CHECK(training(1).host_judged);
  CHECK(training(1).verdict.regime == Regime::compute);
  const auto apart = training(2);
  CHECK_FALSE(apart.judged());
  CHECK(apart.verdict.would_change.find("if all of it ran on the CPU") != std::string::npos);
}

/// Operators on two threads beside a device that is only in the machine.
Diagnosis beside_gpu(std::initializer_list<tests::Made> events) {
  std::string text;
  for (const auto& made : events) text += (text.empty() ? "" : ",\n") + tests::json(made);
  return diagnose(parse_trace(
      R"({"deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-40GB"}], "traceEvents": [)" + text + "]}",
      "t.json"));
}

TEST_CASE("a CPU's training is known without ranges of the optimizer, and its inference by its operators",
          "[trace][accelerators]") {
  const auto backward = [](int thread) {
    return beside_gpu({tests::op("aten::mm", 0, 4000),
                       tests::op("autograd::engine::evaluate_function: MmBackward0", 4100, 5000, thread),
                       tests::op("aten::mm", 4200, 4800, thread), tests::op("aten::sub_", 9200, 100)});
  };
  CHECK(backward(1).verdict.regime == Regime::compute);
  CHECK_FALSE(backward(2).judged());
  const auto inference = [](const char* product) {
    return beside_gpu({tests::op("aten::conv2d", 0, 4000), tests::op(product, 100, 3500),
                       tests::op("aten::relu", 4100, 2000)});
  };
  for (const auto* product : {"aten::mkldnn_convolution", "aten::_scaled_dot_product_flash_attention_for_cpu",
                              "mkldnn::_convolution_pointwise", "aten::_nnpack_spatial_convolution"}) {
    INFO(product);
    CHECK(inference(product).verdict.regime == Regime::compute);
  }
  CHECK_FALSE(inference("aten::_convolution").judged());
  CHECK_FALSE(beside_gpu({tests::op("aten::mkldnn_convolution", 0, 900), tests::op("aten::mm", 1000, 3000)})
                  .judged());  // one of a GPU's program that ran here
}

TEST_CASE("operators that only a GPU has speak of one", "[trace][accelerators]") {
  for (const auto* op :
       {"nccl:all_to_all", "aten::_efficient_attention_forward", "aten::_flash_attention_backward",
        "aten::_scaled_dot_product_efficient_attention", "aten::_thnn_fused_lstm_cell"}) {
    INFO(op);
    CHECK_FALSE(
        diagnose(tests::trace_of({tests::op("aten::mm", 0, 900), tests::op(op, 1000, 800)})).judged());
  }
  for (const auto* op : {"gloo:all_reduce", "aten::_scaled_dot_product_flash_attention_for_cpu",
                         "aten::_scaled_dot_product_attention_math"})
    CHECK(diagnose(tests::trace_of({tests::op("aten::mm", 0, 900), tests::op(op, 1000, 800)})).judged());
}

/// As autograd's profiler exports its operators: no categories, one process, and an arrow to each kernel.
std::string listed(const std::string& arrow) {
  std::string text = "[";
  for (int i = 0; i < 10; ++i) {
    const auto at = std::to_string(1000 * i);
    text += (i > 0 ? ", " : "") + std::string(R"({"name": "aten::conv2d", "ph": "X", "ts": )") + at +
            R"(, "dur": 900, "tid": 1, "pid": "CPU functions", "args": {}})";
    if (!arrow.empty())
      text += R"(, {"name": "aten::conv2d", "ph": "s", "ts": )" + at +
              R"(, "tid": 1, "pid": "CPU functions", "id": 0, "cat": ")" + arrow + R"(", "args": {}})";
  }
  return text + "]";
}

TEST_CASE("a list of operators by autograd's profiler is judged, or names the device whose work it lacks",
          "[trace][accelerators]") {
  const auto of = [](const std::string& arrow) { return diagnose(parse_trace(listed(arrow), "t.json")); };
  const auto own = of("");
  CHECK(own.verdict.regime == Regime::compute);
  REQUIRE(own.remarks.size() == 1);
  CHECK_THAT(own.remarks.front(), ContainsSubstring("autograd's profiler"));
  CHECK(of("cpu_to_cuda").verdict.regime == Regime::unknown);
  CHECK_THAT(of("cpu_to_cuda").verdict.would_change, ContainsSubstring("torch.profiler"));
  CHECK(of("cpu_to_mps").verdict.regime == Regime::unknown);
  CHECK_THAT(of("cpu_to_mps").verdict.evidence, ContainsSubstring("(MPS)"));
}

TEST_CASE("what the host runs itself is said where the device's work was not recorded",
          "[trace][accelerators]") {
  const auto making = [](const char* maker, double us) {
    return diagnose(
        tests::trace_of({tests::range("ProfilerStep#1", 0, 10'000), tests::op(maker, 0, us),
                         tests::op("aten::mm", 9000, 100), tests::call("cudaLaunchKernel", 9010, 5, 1)}));
  };
  for (const auto* maker : {"aten::normal_", "aten::rand", "mine::decode"}) {
    const auto diagnosis = making(maker, 7500);
    CHECK(diagnosis.verdict.regime == Regime::unknown);
    const auto* finding = tests::found(diagnosis, "host_operators");
    REQUIRE(finding != nullptr);
    CHECK(finding->severity == Severity::high);
    CHECK(finding->saves_us == 0);
    CHECK(finding->message.find("7.50 ms a step (most by " + std::string(maker) + ")") != std::string::npos);
  }
  CHECK(tests::found(making("aten::normal_", 190), "host_operators") == nullptr);
  CHECK(tests::found(making("aten::view", 7500), "host_operators") == nullptr);
  const auto unasked = beside_gpu({tests::op("aten::normal_", 0, 7500), tests::op("aten::mm", 9000, 100)});
  CHECK(tests::found(unasked, "host_operators") == nullptr);  // it may have asked for a kernel
}

TEST_CASE("launches without a kernel are captured only where the trace shows a capture",
          "[trace][accelerators]") {
  const auto launch = tests::call("cudaLaunchKernel", 20, 5, 1);
  const auto lost = diagnose(tests::trace_of({tests::op("aten::mm", 0, 100), launch}));
  CHECK(lost.verdict.evidence.ends_with("the profiler lost what the device did"));
  CHECK(lost.verdict.evidence.find("captured") == std::string::npos);
  const auto captured = diagnose(
      tests::trace_of({tests::op("aten::mm", 0, 100), tests::call("cudaStreamBeginCapture", 10, 1, 2), launch,
                       tests::call("cudaStreamEndCapture", 50, 1, 3)}));
  CHECK(captured.verdict.evidence.find("captured into a graph") != std::string::npos);
}

}  // namespace
