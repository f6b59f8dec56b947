// A training thread's time where no device worked: uses and verdicts.
#include "tests/harness/trace/one_step.hpp"
#include "tests/harness/trace/thread_story.hpp"

#include "harness/trace/host_use.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <string>

namespace {

using namespace harness;
using namespace harness::trace;
using namespace tests;

TEST_CASE("an operator below 10 us is small, one of 10 us is not", "[trace][thread]") {
  const auto of = [](double us) {
    return told([us](ThreadStory& story) { story.op("aten::add", us); }).shares;
  };
  CHECK(of(9.9)[Use::small_operators] > 0);
  CHECK(of(10)[Use::small_operators] == 0);
  CHECK(of(10)[Use::memory] > 0);
}

TEST_CASE("an operator that takes far longer than its bytes need waits for threads", "[trace][thread]") {
  const auto of = [](const std::string& columns) {
    return told([&](ThreadStory& story) {
      story.op("aten::sqrt", 80'000,
               R"("Input Dims": [[1000, )" + columns + R"(]], "Input type": ["float"])");
    });
  };
  const auto slow = of("999");  // 8 bytes each in 80 ms: just below 0.1 GB/s
  CHECK(slow.shares[Use::memory] == 0);
  CHECK(slow.verdict.regime == Regime::unknown);
  CHECK(slow.verdict.evidence.find("waits for other threads") != std::string::npos);
  CHECK(slow.verdict.would_change.find("OMP_NUM_THREADS") != std::string::npos);
  CHECK(of("1001").verdict.regime == Regime::memory);
}

/// Two convolutions in ranges, without steps.
Diagnosis ranged(const char* category, const char* name, double first_us) {
  return diagnose(
      trace_of({{category, name, 0, 1000}, op("aten::conv2d", first_us, 400), op("aten::conv2d", 500, 490)}));
}

TEST_CASE("a range around all operators hides none of them", "[trace][thread]") {
  for (const auto* category : {"user_annotation", "cpu_op"}) {
    const auto diagnosis = ranged(category, "model_inference", 10);
    CHECK(diagnosis.host_judged);
    CHECK(diagnosis.verdict.regime == Regime::compute);
  }
}

TEST_CASE("ranges within ranges hide nothing, and another thread's operators do not count",
          "[trace][thread]") {
  const auto diagnosis = diagnose(trace_of({range("outer", 0, 1000), range("inner", 5, 900),
                                            op("aten::mm", 10, 800), op("aten::relu", 0, 300, 2)}));
  CHECK(diagnosis.verdict.regime == Regime::compute);
}

TEST_CASE("an operator's own time counts, not that of the operators that it calls", "[trace][thread]") {
  const auto diagnosis = told([](ThreadStory& story) {
    story.within("cpu_op", "aten::linear", [&] {
      story.op("aten::t", 3);
      story.op("aten::addmm", 500);
    });
  });
  CHECK_THAT(diagnosis.shares[Use::small_operators], Catch::Matchers::WithinAbs(3, 0.01));
}

TEST_CASE("a view of a millisecond waited for a processor, a shorter one is a call", "[trace][thread]") {
  const auto of = [](const char* name, double us) {
    return told([&](ThreadStory& story) { story.op(name, us); }).shares;
  };
  CHECK(of("aten::view", 990)[Use::small_operators] > 0);
  for (const auto* view : {"aten::view", "aten::t", "aten::detach"}) {
    CHECK(of(view, 1000)[Use::wait_other] > 0);
    CHECK(of(view, 1000)[Use::small_operators] == 0);
  }
  CHECK(of("CompiledFunctionBackward", 1000)[Use::small_operators] > 0);  // it may run anything
  const auto held = told([](ThreadStory& story) { story.op("aten::view", 80'000); }).verdict;
  CHECK(held.regime == Regime::unknown);
  CHECK(held.evidence.find("or a processor") != std::string::npos);
}

TEST_CASE("views and the frames of the backward pass do no work", "[trace][thread]") {
  for (const auto* name : {"aten::view", "aten::t", "AddmmBackward0", "detach",
                           "autograd::engine::evaluate_function: AddmmBackward0"})
    CHECK(host_work(name) == HostWork::calling);
  CHECK(host_work("aten::mkldnn_convolution") == HostWork::product);
  CHECK(host_work("aten::_convert_indices_from_csr_to_coo") == HostWork::moving);
  CHECK(host_work("c10d::allreduce_") == HostWork::communication);
}

TEST_CASE("operators of libraries have kinds, those of an unknown namespace have none", "[trace][thread]") {
  for (const auto* name :
       {"mkldnn::_linear_pointwise", "mkldnn::_linear_pointwise.binary", "mkldnn::_convolution_pointwise",
        "mkl::_mkl_linear", "onednn::qlinear_pointwise", "onednn::qconv2d_pointwise.binary",
        "quantized::linear_dynamic", "quantized::conv2d_relu.new", "torchvision::deform_conv2d",
        "xformers::efficient_attention_forward_cutlass", "xformers_flash::flash_fwd",
        "flash_attn::_flash_attn_forward", "flash_attn_3::fwd",
        "aten::_scaled_dot_product_flash_attention_for_cpu", "aten::_weight_int4pack_mm_for_cpu",
        "triton_tem_fused_mm_0"}) {
    INFO(name);
    CHECK(host_work(name) == HostWork::product);
  }
  for (const auto* name :
       {"mkldnn::_reorder_linear_weight", "onednn::qlinear_prepack", "quantized::linear_prepack",
        "quantized::add", "torchvision::nms", "torchvision::roi_align", "graph_0_cpp_fused_addmm_relu_1",
        "triton_poi_fused_add_0", "aten::upsample_bilinear2d"}) {
    INFO(name);
    CHECK(host_work(name) == HostWork::moving);
  }
  for (const auto* name :
       {"aten::linalg_svd", "aten::_linalg_eigh", "aten::linalg_cholesky_ex", "aten::linalg_qr",
        "aten::_linalg_solve_ex", "aten::linalg_lu_factor_ex", "aten::triangular_solve", "aten::linalg_lstsq",
        "aten::ormqr", "aten::linalg_matrix_exp", "aten::cholesky_inverse", "aten::linalg_inv_ex",
        "aten::lstm", "aten::gru", "aten::rnn_tanh", "aten::quantized_lstm",
        "aten::_transformer_encoder_layer_fwd", "aten::fbgemm_linear_int8_weight_fp32_activation",
        "pyg::segment_matmul"}) {
    INFO(name);
    CHECK(host_work(name) == HostWork::product);
  }
  for (const auto* name :
       {"aten::linalg_vector_norm", "aten::linalg_cross", "aten::_weight_norm", "aten::_thnn_fused_lstm_cell",
        "aten::fbgemm_linear_quantize_weight", "aten::lu_unpack", "torch_scatter::scatter_sum"}) {
    INFO(name);
    CHECK(host_work(name) == HostWork::moving);
  }
  for (const auto* name : {"aten::add_", "aten::_foreach_lerp_", "aten::native_layer_norm_backward",
                           "aten::max_pool2d_with_indices", "aten::log10", "aten::index_put_",
                           "aten::normal_", "aten::_fft_r2c", "aten::_fused_adam_",
                           "aten::mkldnn_reorder_conv2d_weight", "aten::_to_copy", "aten::slice_inverse"}) {
    INFO(name);
    CHECK(host_work(name) == HostWork::moving);
  }
  for (const auto* name : {"aten::conv_tbc", "aten::slow_conv_dilated2d", "aten::_dyn_quant_matmul_4bit",
                           "aten::_cdist_backward", "aten::mkldnn_linear_backward_weights"}) {
    INFO(name);
    CHECK(host_work(name) == HostWork::product);
  }
  for (const auto* name :
       {"aten::_foobar", "aten::solve_puzzle", "aten::addition", "mine::linear", "triton_mine",
        "pyg::neighbor_sample", "torch_cluster::knn", "torchaudio::_lfilter"})
    CHECK(host_work(name) == HostWork::unknown);
}

TEST_CASE("a product of one row waits for the weights that it reads, where shapes were recorded",
          "[trace][thread]") {
  const auto multiplying = [](const char* op, const std::string& shapes, const char* type = "float") {
    return told([&](ThreadStory& story) {
      for (int i = 0; i < 10; ++i)
        story.op(op, 9'000,
                 shapes.empty() ? ""
                                : R"("Input Dims": )" + shapes + R"(, "Input type": [")" + type + R"(", ")" +
                                      type + R"(", ")" + type + R"("])");
    });
  };
  for (const auto& [op, shapes] : {std::pair{"aten::mm", "[[1, 4096], [4096, 4096]]"},
                                   std::pair{"aten::addmm", "[[11008], [1, 4096], [4096, 11008]]"},
                                   std::pair{"aten::linear", "[[1, 1, 4096], [32000, 4096], []]"}}) {
    INFO(op);
    const auto thin = multiplying(op, shapes);
    CHECK(thin.verdict.regime == Regime::memory);
    CHECK(found(thin, "memory_operators")->message.find("more rows at once") != std::string::npos);
    CHECK(multiplying(op, "").verdict.regime == Regime::compute);
  }
  CHECK(multiplying("aten::mm", "[[1, 4096], [4096, 4096]]", "c10::BFloat16").verdict.regime ==
        Regime::memory);
  CHECK(multiplying("aten::mm", "[[64, 4096], [4096, 4096]]").verdict.regime == Regime::compute);
}

TEST_CASE("a thread that mostly calls a library's products gets a verdict", "[trace][thread]") {
  const auto diagnosis = told([](ThreadStory& story) {
    story.op("mkldnn::_linear_pointwise", 57'000);
    story.op("aten::add", 43'000);
  });
  CHECK(diagnosis.verdict.regime == Regime::compute);
}

TEST_CASE("operators of ATen that nobody knows have no verdict", "[trace][thread]") {
  const auto diagnosis = told([](ThreadStory& story) { story.op("aten::_foobar", 80'000); });
  CHECK(diagnosis.verdict.regime == Regime::unknown);
  CHECK(diagnosis.verdict.evidence.find("names of the operators") != std::string::npos);
}

TEST_CASE("a gap of a millisecond is outside of PyTorch, a shorter one is Python", "[trace][thread]") {
  CHECK(gap(990).shares[Use::outside] == 0);
  CHECK(gap(990).shares[Use::python] > 0);
  CHECK(gap(1000).shares[Use::outside] > 0);
}

TEST_CASE("a long gap belongs to the thread that works in half of it", "[trace][thread]") {
  const auto with_other = [](const char* category, const char* name, double us) {
    return told([&](ThreadStory& story) {
             story.op("aten::mm", 1000);
             story.other_thread(category, name, 1000, us);
             story.python(10'000);
           })
        .shares;
  };
  CHECK(with_other("user_annotation", "gloo:all_reduce", 5000)[Use::communication] > 0);
  CHECK(with_other("user_annotation", "gloo:all_reduce", 4900)[Use::outside] > 0);
  CHECK(with_other("cpu_op", "aten::mm", 5000)[Use::wait_other] > 0);
}

TEST_CASE("where the training thread waits for another one, that one's operators are named",
          "[trace][thread]") {
  for (const auto* name : {"aten::mm", "mine::search"}) {
    const auto diagnosis = told([name](ThreadStory& story) {
      story.op("aten::add", 1000);
      for (int i = 0; i < 6; ++i) story.other_thread("cpu_op", name, 1000 + 10'000 * i, 9900);
      story.python(60'000);
    });
    CHECK(diagnosis.verdict.regime == Regime::unknown);
    CHECK(diagnosis.verdict.evidence.find("another thread") != std::string::npos);
    CHECK(diagnosis.verdict.evidence.find(name) != std::string::npos);
    CHECK(diagnosis.verdict.would_change.find("OMP_NUM_THREADS") == std::string::npos);
  }
}

TEST_CASE("a gap in which another thread communicates names its collective, not the next operator",
          "[trace][thread]") {
  const auto diagnosis = told([](ThreadStory& story) {
    story.op("aten::mm", 1000);
    story.other_thread("user_annotation", "gloo:broadcast", 500, 400);
    story.other_thread("user_annotation", "gloo:all_reduce", 1000, 6000);
    story.python(10'000);
    story.op("aten::add", 1000);
    story.other_thread("user_annotation", "gloo:barrier", 50'000, 100);
  });
  const auto* finding = found(diagnosis, "exposed_communication");
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("most by gloo:all_reduce") != std::string::npos);
}

TEST_CASE("a planted regime of a thread gets the right verdict", "[trace][thread]") {
  CHECK(reading(60'000).verdict.regime == Regime::input);
  CHECK(transforming(60'000).verdict.regime == Regime::input);
  CHECK(gap(60'000).verdict.regime == Regime::overhead);
  CHECK(calling(12'000).verdict.regime == Regime::overhead);
  CHECK(optimizing(60'000).verdict.regime == Regime::memory);
  CHECK(reading(1000).verdict.regime == Regime::compute);
  CHECK(reading(60'000).host_judged);
}

TEST_CASE("a trace that speaks of a GPU, or whose thread ran no operator, cannot be judged",
          "[trace][thread]") {
  const auto cudnn = told([](ThreadStory& story) { story.op("aten::cudnn_convolution", 1000); });
  CHECK(cudnn.verdict.regime == Regime::unknown);
  CHECK_FALSE(cudnn.judged());
  const auto silent =
      diagnose(tests::trace_of({tests::range("ProfilerStep#1", 0, 1000), tests::op("aten::mm", 1100, 5)}));
  CHECK(silent.verdict.regime == Regime::unknown);
  CHECK_FALSE(silent.judged());
  CHECK(silent.findings.empty());
}

TEST_CASE("less than half a millisecond without steps is no training to judge", "[trace][thread]") {
  using tests::op;
  const auto tried = diagnose(tests::trace_of({op("aten::uniform_", 0, 80), op("aten::mm", 100, 35)}));
  CHECK(tried.verdict.regime == Regime::unknown);
  CHECK(tried.findings.empty());
  CHECK(diagnose(tests::trace_of({op("aten::mm", 0, 499)})).verdict.regime == Regime::unknown);
  CHECK(diagnose(tests::trace_of({op("aten::mm", 0, 501)})).verdict.regime == Regime::compute);
  const auto step = tests::trace_of({tests::range("ProfilerStep#1", 0, 100), op("aten::mm", 1, 98)});
  CHECK(diagnose(step).verdict.regime == Regime::compute);
}

TEST_CASE("a Python function that asks for a GPU does not keep a CPU's trace from being judged",
          "[trace][thread]") {
  const auto diagnosis = told([](ThreadStory& story) {
    story.within("python_function", "torch/cuda/__init__.py(161): is_available", [&] { story.python(100); });
  });
  CHECK(diagnosis.verdict.regime == Regime::compute);
}

TEST_CASE("the largest share of a thread's time decides, since a thread that works leaves nothing idle",
          "[trace][thread]") {
  const auto spent = [](double loading_us, double memory_us, double calls_us) {
    return told([&](ThreadStory& story) {
      story.range(tests::loader, [&] { story.python(loading_us); });
      story.op("aten::max_pool2d_with_indices", memory_us);
      for (double us = 0; us < calls_us; us += 5) {
        story.op("aten::add", 4);
        story.python(1);
      }
    });
  };
  const auto memory = spent(32'000, 44'000, 0).verdict;
  CHECK(memory.regime == Regime::memory);
  CHECK(memory.evidence.find("mixed: input-bound for 32 %") != std::string::npos);
  CHECK(spent(44'000, 32'000, 0).verdict.regime == Regime::input);
  CHECK(spent(16'000, 30'000, 16'000).verdict.regime == Regime::compute);
  CHECK(spent(0, 20'000, 45'000).verdict.regime == Regime::overhead);
}

TEST_CASE("ranges of Lightning and of programs that load a batch are loading, others are not",
          "[trace][thread]") {
  const auto loading_us = [](const char* range) {
    return told([=](ThreadStory& story) { story.range(range, [&] { story.python(5000); }); })
        .shares[Use::wait_input];
  };
  for (const auto* range :
       {"[pl][profile][_TrainingEpochLoop].train_dataloader_next", "[pl][profile]get_train_batch",
        "Trainer.load_batch", "## Data Loading ##", "enumerate(DataLoader)#_Iter.__next__"})
    CHECK(loading_us(range) == 5000);
  for (const auto* range : {"[pl][profile]run_training_batch", "batch_to_device", "train(dataloader)"})
    CHECK(loading_us(range) == 0);
}

}  // namespace
