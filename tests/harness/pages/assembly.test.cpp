#include "harness/pages/assembly.hpp"

#include "tests/harness/catalogue/made_up_catalogue.hpp"

#include "harness/pages/step_page.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using namespace harness::pages;
using Catch::Matchers::ContainsSubstring;

constexpr auto sass = R"(
Fatbin elf code:
	code for sm_80
		Function : _ZN10microbench49_GLOBAL__N__494a750b_16_fused_kernels_cu_172f61907cos_cosEPfPKfm
	.headerflags	@"EF_CUDA_SM80"
        /*0000*/                   MOV R1, c[0x0][0x28] ;                    /* 0x00000a0000017a02 */
                                                                            /* 0x000fe40000000f00 */
        /*0010*/                   LDG.E R2, [R4.64] ;                       /* 0x0000000404027981 */
		..........
		Function : _ZN10microbench46_GLOBAL__N__24b1735d_13_math_debug_cu_452fc31511math_roundsEPfPKfmi
        /*0000*/                   EXIT ;                                    /* 0x000000000000794d */
		..........
)";

TEST_CASE("kernels are found in a listing of SASS, without the bits", "[assembly]") {
  const auto kernels = kernels_in_sass(sass);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "cos_cos");
  CHECK(kernels[0].file == "fused_kernels");
  REQUIRE(kernels[0].lines.size() == 2);
  CHECK(kernels[0].lines[1] == "        /*0010*/                   LDG.E R2, [R4.64] ;");
  CHECK(kernels[1].name == "math_rounds");
}

TEST_CASE("a kernel of PTX ends with its brace", "[assembly]") {
  const auto kernels = kernels_in_ptx(
      ".visible .entry _ZN1a3addEPf(\n\t.param .u64 x\n)\n{\n\tld.global.f32 %f1, "
      "[%rd1];\n\tret;\n\n}\n.extern .func f\n");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "add");
  CHECK(kernels[0].lines.back() == "}");
}

TEST_CASE("a step asks for a kernel by its name, its beginning or its file", "[assembly]") {
  const KernelCode kernel{"lookups_constant", "constant_table", {}};
  CHECK(asks_for("check(queue_lookups(x));", kernel));
  CHECK(asks_for("launch_lookups_constant(x)", kernel));
  CHECK(asks_for("queue_constant_table(x)", kernel));
  CHECK(asks_for("forms{queue_lookups_constant, 1}", kernel));
  CHECK_FALSE(asks_for("queue_look(x); lookups(x);", kernel));
}

TEST_CASE("of what the compiler wrote the loops are shown, up to its command line", "[assembly]") {
  CHECK(loops_in("// a remark\n#include <x.h>\nextern \"C\" void f()\n{\n}\n// Compile cmd\n// g++\n") ==
        std::vector<std::string>{"extern \"C\" void f()", "{", "}"});
}

TEST_CASE("lines that read or write memory are marked, others are not", "[assembly]") {
  CHECK(marked("auto a = at::vec::Vectorized<float>::loadu(in_ptr0 + 1);").starts_with("> "));
  CHECK(marked("tmp2.store(out_ptr0 + 1);").starts_with("> "));
  CHECK(marked("LDG.E R2, [R4.64] ;").starts_with("> "));
  CHECK(marked("ld.global.f32 %f1, [%rd1];").starts_with("> "));
  CHECK(marked("auto tmp1 = tmp0.cos();").starts_with("  "));
  CHECK(marked("MOV R1, c[0x0][0x28] ;").starts_with("  "));
  CHECK(marked("ld.param.u64 %rd1, [x];").starts_with("  "));
  CHECK(marked("BSYNC B0 ;").starts_with("  "));
  CHECK(marked("LD" + std::string(1'000'000, 'a')).starts_with("  "));  // which costs no stack
}

TEST_CASE("a package without its source is named with what to do, beside broken notes", "[assembly]") {
  const harness::ScratchFolder folder(std::filesystem::temp_directory_path());
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const auto kept = folder.path() / "tuneproof" / "compiled";
  std::filesystem::create_directories(kept);
  std::ofstream(kept / "broken.json") << R"({"step": "sync/it)";
  const auto catalogue = harness::example::catalogue();
  const harness::catalogue::Program program{.catalogue = catalogue, .sources = {}, .self = {}, .worker = {}};
  const auto& step = find_step(catalogue, "sync/item");
  CHECK_THROWS_WITH(print_assembly(program, step), ContainsSubstring("read it with tuneproof explain"));
  std::ofstream(kept / "a.json")
      << R"({"step": "sync/item", "seconds": 1, "job": {"inputs": [], "device": "cpu", "threads": 1}})";
  const auto package = (kept / "a.pt2").string();
  CHECK_THROWS_WITH(print_assembly(program, step), package + ".txt: is missing; delete " + package +
                                                       " and make both again with tuneproof run sync/item");
}

TEST_CASE("packages of a workload are those of its steps that compile, and of no other", "[assembly]") {
  const harness::ScratchFolder folder(std::filesystem::temp_directory_path());
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const auto kept = folder.path() / "tuneproof" / "compiled";
  std::filesystem::create_directories(kept);
  std::ofstream(kept / "a.json")
      << R"({"step": "sync", "seconds": 1, "job": {"inputs": [], "device": "cpu", "threads": 1}})";
  const auto catalogue = harness::example::catalogue();
  const harness::catalogue::Program program{.catalogue = catalogue, .sources = {}, .self = {}, .worker = {}};
  auto step = find_step(catalogue, "sync/item");
  CHECK_THROWS_WITH(print_assembly(program, step), ContainsSubstring("read it with tuneproof explain"));
  step.rows.front().package_seconds = 100;
  CHECK_THROWS_WITH(print_assembly(program, step), ContainsSubstring("a.pt2.txt: is missing"));
}

}  // namespace
