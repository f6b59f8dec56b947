# The lists of CMake and the texts that are written by hand. Read by join.py.
def body(text):
    return text.lstrip("\n")


REPLACED["harness/CMakeLists.txt"] = body("""
# How to measure and judge. Each folder is a library and a namespace; a folder uses those above it in this list only.
find_package(Threads REQUIRED)
add_subdirectory(core)
add_subdirectory(support)
add_subdirectory(machine)
add_subdirectory(catalogue)
add_subdirectory(results)
add_subdirectory(trace)
add_subdirectory(run)
add_subdirectory(worker)
if(NOT TUNEPROOF_LIBRARY_ONLY)
  add_subdirectory(cuda)
  add_subdirectory(libtorch)
endif()
add_subdirectory(compare)
add_subdirectory(pages)
add_subdirectory(programs)
add_subdirectory(simulate)

# What times nothing is compiled with less optimization, in two thirds of the time; not `trace`, which reads gigabytes. A CI job
# builds the library each time: there as quickly as can be.
set(commands catalogue compare pages programs run)
if(TUNEPROOF_LIBRARY_ONLY)
  list(APPEND commands machine results support trace)
endif()
foreach(folder IN LISTS commands)
  target_compile_options(harness_${folder} PRIVATE $<IF:$<BOOL:${TUNEPROOF_LIBRARY_ONLY}>,-Og,$<$<CONFIG:Release>:-O1>>)
endforeach()
""")
REPLACED["harness/support/CMakeLists.txt"] = body("""
# Small things that every folder below in the list uses, one of each: text, JSON, files, processes, batches from threads and processes.
harness_library(support
  ALSO $<IF:$<TARGET_EXISTS:libmd>,sha256_libmd.cpp,sha256_none.cpp>
  BUT sha256_libmd.cpp sha256_none.cpp)
target_link_libraries(harness_support
  PUBLIC harness_core Threads::Threads nlohmann_json::nlohmann_json
  PRIVATE $<TARGET_NAME_IF_EXISTS:libmd> CLI11::CLI11 fmt::fmt libdeflate warnings)
compile_together(harness_support)
""")
REPLACED["harness/results/CMakeLists.txt"] = body("""
# The results file: a row, a round, a session; its writer and its reader. Event files that TensorBoard reads.
harness_library(results)
target_link_libraries(harness_results
  PUBLIC harness_core harness_support harness_machine Threads::Threads
  PRIVATE CLI11::CLI11 fmt::fmt warnings)
compile_together(harness_results)
""")
REPLACED["harness/run/CMakeLists.txt"] = body("""
# Measures rows: selection, rounds in worker processes, verdicts, the table; run, list, profile, train, doctor, selftest.
harness_library(run)
target_link_libraries(harness_run
  PUBLIC harness_core harness_support harness_machine harness_results harness_catalogue
    nlohmann_json::nlohmann_json
  PRIVATE harness_trace CLI11::CLI11 fmt::fmt libdeflate warnings)
compile_together(harness_run)
""")
REPLACED["harness/cuda/CMakeLists.txt"] = body("""
# CUDA's runtime, one owner a file; rows on CUDA devices.
harness_library(cuda)
target_link_libraries(harness_cuda
  PUBLIC harness_core harness_support harness_machine harness_worker CUDA::cudart CUDA::nvtx3
  PRIVATE ${CMAKE_DL_LIBS} warnings)
# LibTorch brings the shared runtime; a static one beside it would keep streams and errors of its own.
set_target_properties(harness_cuda PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
""")
REPLACED["harness/libtorch/CMakeLists.txt"] = body("""
# LibTorch: sessions, answers, Kineto, rows; what its compiler makes; process groups. Its precompiled ATen header serves the steps too.
# What compiles a function in Python is scripts/compile_step.py.
embed_text(compile_script harness::libtorch harness/libtorch/make_package.hpp ${PROJECT_SOURCE_DIR}/scripts/compile_step.py)
embed_text(lightning_loop harness::libtorch harness/libtorch/python_training.hpp ${CMAKE_CURRENT_SOURCE_DIR}/lightning_loop.py)

# The wheel's header of Gloo's groups includes Gloo's own, which the wheel leaves out: each becomes our few declarations.
set(gloo_headers ${PROJECT_BINARY_DIR}/generated/gloo_headers)
foreach(header algorithm.h common/error.h context.h rendezvous/store.h transport/device.h)
  file(CONFIGURE OUTPUT ${gloo_headers}/gloo/${header} CONTENT "#include \\"${PROJECT_SOURCE_DIR}/cmake/gloo_types.h\\"\\n")
endforeach()
# NCCL's header lies beside the wheel; LibTorch's other packages have NCCL inside, and no header of it.
find_path(nccl_headers nccl.h HINTS ${TORCH_INSTALL_PREFIX}/../nvidia/nccl/include)

harness_library(libtorch
  ALSO ${PROJECT_BINARY_DIR}/generated/compile_script.cpp
    ${PROJECT_BINARY_DIR}/generated/lightning_loop.cpp
    $<IF:$<BOOL:${nccl_headers}>,nccl.cpp,nccl_none.cpp>
  BUT nccl.cpp nccl_none.cpp)
# Not fmt::fmt: it defines what other readers of the precompiled header lack.
target_link_libraries(harness_libtorch
  PUBLIC harness_core harness_support harness_machine harness_run harness_worker harness_cuda nlohmann_json::nlohmann_json
    torch_interface
  PRIVATE harness_results fmt::fmt-header-only warnings)
target_precompile_headers(harness_libtorch PRIVATE <ATen/ATen.h>)
set_source_files_properties(process_group.cpp PROPERTIES COMPILE_DEFINITIONS USE_C10D_GLOO INCLUDE_DIRECTORIES ${gloo_headers})
set_source_files_properties(nccl.cpp PROPERTIES COMPILE_DEFINITIONS USE_C10D_NCCL INCLUDE_DIRECTORIES "${nccl_headers}")
set_source_files_properties(process_group.cpp nccl.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
compile_together(harness_libtorch)
""")
REPLACED["harness/compare/CMakeLists.txt"] = body("""
# Results files and programs held against each other, exported, and kept as a history.
harness_library(compare)
target_link_libraries(harness_compare
  PUBLIC harness_core harness_support harness_results harness_catalogue harness_run
  PRIVATE harness_trace CLI11::CLI11 SQLite::SQLite3 fmt::fmt nlohmann_json::nlohmann_json pugixml::pugixml
    warnings)
compile_together(harness_compare)
""")
REPLACED["harness/pages/CMakeLists.txt"] = body("""
# Pages of steps and topics with what was measured, the course, and one HTML page of results: explain, learn, report.
include(${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake)
set(docs ${PROJECT_SOURCE_DIR}/docs)
embed_files(topics harness::pages harness/pages/topics.hpp Topic ${docs}/topics/*.txt STEM topic/)
embed_files(course_texts harness::pages harness/pages/course.hpp Embedded ${docs}/learn/*.txt STEM "")
embed_files(course_traces harness::pages harness/pages/course.hpp Embedded ${docs}/learn/traces/*.json FILENAME "")
embed_files(course_recordings harness::pages harness/pages/course.hpp Embedded ${docs}/learn/recordings/*.json FILENAME "")
embed_text(search_words harness::pages harness/pages/search.hpp ${CMAKE_CURRENT_SOURCE_DIR}/search_words.txt)
harness_library(pages
  ALSO ${PROJECT_BINARY_DIR}/generated/course_recordings.cpp
    ${PROJECT_BINARY_DIR}/generated/course_texts.cpp
    ${PROJECT_BINARY_DIR}/generated/course_traces.cpp
    ${PROJECT_BINARY_DIR}/generated/page_template.cpp
    ${PROJECT_BINARY_DIR}/generated/search_words.cpp
    ${PROJECT_BINARY_DIR}/generated/topics.cpp)
target_link_libraries(harness_pages
  PUBLIC harness_core harness_support harness_results harness_catalogue harness_trace harness_compare
  PRIVATE harness_machine harness_run CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json
    warnings)
compile_together(harness_pages)
""")
REPLACED["harness/programs/CMakeLists.txt"] = body("""
# The user's own programs: recorded (watch), against each other in fresh processes (versus), their knobs searched (tune).
# What runs inside a watched program's Python.
embed_files(recorder_files harness::programs harness/programs/recorder.hpp RecorderFile
  ${CMAKE_CURRENT_SOURCE_DIR}/recorder/*.py FILENAME "")
# What asks Optuna runs in the environment's Python.
embed_text(study_script harness::programs harness/programs/knob_search.hpp ${CMAKE_CURRENT_SOURCE_DIR}/tuneproof_study.py)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/optuna_wheel.cpp @ONLY CONTENT [[
#include "harness/programs/knob_search.hpp"

std::string_view harness::programs::optuna_wheel() { return "@optuna_wheels@"; }
]])

harness_library(programs
  ALSO ${PROJECT_BINARY_DIR}/generated/optuna_wheel.cpp
    ${PROJECT_BINARY_DIR}/generated/recorder_files.cpp
    ${PROJECT_BINARY_DIR}/generated/study_script.cpp)
target_link_libraries(harness_programs
  PUBLIC harness_core harness_support harness_machine harness_results harness_catalogue harness_trace harness_run harness_compare
  PRIVATE harness_pages CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json warnings)
compile_together(harness_programs)
""")

# --- tests --------------------------------------------------------------------------------------------------------------------
REPLACED["tests/harness/CMakeLists.txt"] = body("""
# A program of tests for each folder of harness/.
add_subdirectory(core)
add_subdirectory(support)
add_subdirectory(machine)
add_subdirectory(catalogue)
add_subdirectory(results)
add_subdirectory(trace)
add_subdirectory(run)
add_subdirectory(worker)
add_subdirectory(libtorch)
add_subdirectory(compare)
add_subdirectory(pages)
add_subdirectory(programs)
add_subdirectory(simulate)
""")
REPLACED["tests/harness/support/CMakeLists.txt"] = body("""
# A main() of their own: a ProcessLoader starts its own program as the worker.
test_program(tests_support OWN_MAIN ALSO main.cpp LINK harness_core harness_support fmt::fmt libdeflate)
catch_discover_tests(tests_support WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
""")
REPLACED["tests/harness/results/CMakeLists.txt"] = body("""
test_program(tests_results LINK harness_core harness_support harness_results)
catch_discover_tests(tests_results WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
""")
REPLACED["tests/harness/run/CMakeLists.txt"] = body("""
test_program(tests_run
  LINK harness_core harness_support harness_machine harness_results harness_catalogue harness_trace harness_run CLI11::CLI11
    nlohmann_json::nlohmann_json)
target_compile_definitions(tests_run PRIVATE TUNEPROOF_SOURCE_DIR=".")
add_dependencies(tests_run fake_worker)
catch_discover_tests(tests_run WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})

# A worker that crashes, hangs or talks nonsense on request; the tests of its parent start it.
add_executable(fake_worker fake_worker.cpp)
target_link_libraries(fake_worker PRIVATE harness_run warnings)
""")
REPLACED["tests/harness/libtorch/CMakeLists.txt"] = body("""
# Tests of what the harness does with LibTorch. A main() of their own: a Team starts its own program as the other ranks.
# Packages are made by a Python made up by the tests, so that no test waits for a compiler; those with a real one are slow.
test_program(tests_libtorch OWN_MAIN ALSO main.cpp trouble.cpp LINK harness_libtorch harness_support harness_cuda)
target_compile_options(tests_libtorch PRIVATE -fPIC)  # as the precompiled header
target_precompile_headers(tests_libtorch REUSE_FROM harness_libtorch)
# Stands in for the tool that listens to NVTX, which no machine without a GPU has.
add_library(fake_nvtx MODULE fake_nvtx.cpp)
target_link_libraries(fake_nvtx PRIVATE CUDA::nvtx3 warnings)
set_target_properties(fake_nvtx PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
test_in_parts(tests_libtorch 4 "~[gpu]~[package]")
test_in_parts(tests_libtorch 1 "[gpu]")
test_compiled(tests_libtorch "[package]")
""")
REPLACED["tests/harness/pages/CMakeLists.txt"] = body("""
test_program(tests_pages
  LINK harness_core harness_catalogue harness_run harness_trace harness_compare harness_pages build_info fmt::fmt
    nlohmann_json::nlohmann_json)
catch_discover_tests(tests_pages WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
""")
REPLACED["tests/harness/programs/CMakeLists.txt"] = body("""
test_program(tests_programs
  LINK harness_core harness_support harness_trace harness_programs build_info nlohmann_json::nlohmann_json)
catch_discover_tests(tests_programs WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
""")

# --- workloads ----------------------------------------------------------------------------------------------------------------
REPLACED["workloads/CMakeLists.txt"] = body("""
# Configurations of STGym's design space, and what the user asks a training for, as data: no LibTorch.
embed_files(shipped_configurations workloads::stgym::space workloads/stgym/space/shipped.hpp Shipped
  ${CMAKE_CURRENT_SOURCE_DIR}/stgym/configurations/*.json STEM "")
add_library(workloads_light STATIC
  ${PROJECT_BINARY_DIR}/generated/shipped_configurations.cpp
  config_option.cpp
  stgym/space/configuration_option.cpp
  stgym/space/data_option.cpp
  stgym/space/shipped.cpp
  stgym/space/read_configuration.cpp
  stgym/space/write_configuration.cpp
  settings/train_settings.cpp)
target_link_libraries(workloads_light PUBLIC harness_catalogue harness_support PRIVATE fmt::fmt warnings)
compile_together(workloads_light)

# Whole training loops, measured one change at a time; steps.txt lists the changes. OBJECT, so that no linker can drop a step.
include(${PROJECT_SOURCE_DIR}/cmake/steps.cmake)
read_steps(workloads rungs)
# Our own documentation is the text that the GPT learns where it is given no file.
file(GLOB own_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/topics/*.txt)
list(SORT own_pages)
embed_text(own_text workloads::gpt workloads/gpt/gpt_data.hpp ${own_pages})
add_library(workloads_steps OBJECT
  workloads_steps.cpp
  ${PROJECT_BINARY_DIR}/generated/own_text.cpp
  ${PROJECT_BINARY_DIR}/generated/workloads_steps.cpp
  ${rungs}
  # What ResNet-50, GPT and U-Net share, and the three.
  training/accuracy.cpp
  training/compiled_step.cpp
  training/data_parallel.cpp
  training/dataset.cpp
  training/floor.cpp
  training/growth.cpp
  training/host_products.cpp
  training/model_learner.cpp
  training/network.cpp
  training/optimizer.cpp
  training/ranks_forms.cpp
  training/ranks_trial.cpp
  training/size.cpp
  training/state.cpp
  training/train_job.cpp
  training/trainer.cpp
  training/training_course.cpp
  training/training_log.cpp
  training/trial.cpp
  gpt/gpt_data.cpp
  gpt/gpt_memory.cpp
  gpt/gpt_model.cpp
  gpt/gpt_rung.cpp
  resnet50/resnet50_data.cpp
  resnet50/resnet50_model.cpp
  resnet50/resnet50_rung.cpp
  unet/unet_data.cpp
  unet/unet_model.cpp
  unet/unet_rung.cpp
  # GraphSAGE with sampled neighbours.
  sage/batch_feed.cpp
  sage/captured_step.cpp
  sage/csr_graph.cpp
  sage/device_rows.cpp
  sage/device_sampler.cpp
  sage/neighbour_sampler.cpp
  sage/padded_sample.cpp
  sage/partitioned_features.cpp
  sage/read_graph.cpp
  sage/sage_model.cpp
  sage/sage_ranks_step.cpp
  sage/sage_ranks_trial.cpp
  sage/sage_trainer.cpp
  sage/sage_trial.cpp
  sage/sample_processes.cpp
  # STGym.
  stgym/data/batch.cpp
  stgym/data/cell_file.cpp
  stgym/data/csv.cpp
  stgym/data/graph_dataset.cpp
  stgym/data/metrics.cpp
  stgym/data/nearest_nodes.cpp
  stgym/data/synthetic.cpp
  stgym/graph_ranks_trial.cpp
  stgym/graph_train_job.cpp
  stgym/measure/graph_trial.cpp
  stgym/model/block_diagonal.cpp
  stgym/model/linear_products.cpp
  stgym/model/neighbour_sum.cpp
  stgym/model/node_classifier.cpp
  stgym/model/pool_by_segment.cpp
  stgym/model/pool_fused.cpp
  stgym/model/pool_in_place.cpp
  stgym/model/pooling.cpp
  stgym/model/published_model.cpp
  stgym/space_model/layers.cpp
  stgym/space_model/space_model.cpp
  stgym/train/compiled_classifier.cpp
  stgym/train/feeds.cpp
  stgym/train/graph_learner.cpp
  stgym/train/graph_loading.cpp
  stgym/train/graph_trainer.cpp
  stgym/train/graphed_steps.cpp
  stgym/train/mapped_dataset.cpp
  stgym/train/ranks_step.cpp
  stgym/train/resident_graphs.cpp
  stgym/train/torch_modes.cpp
  stgym/train/training_options.cpp)
target_link_libraries(workloads_steps
  PUBLIC harness_catalogue harness_libtorch harness_machine harness_results harness_worker workloads_light workloads_kernels
  PRIVATE fmt::fmt libpng nanoflann::nanoflann warnings)
target_precompile_headers(workloads_steps REUSE_FROM harness_libtorch)
compile_together(workloads_steps)

# Our own kernels, in a target that Torch's compiler flags do not reach; the architectures are ours.
add_library(workloads_kernels STATIC
  sage/gather_device.cu
  sage/sample_device.cu
  stgym/data/nearest_nodes_device.cu
  stgym/model/gathered_product_device.cu
  stgym/model/neighbour_sum_device.cu
  stgym/model/node_classifier_device.cu
  stgym/model/pool_ends_device.cu
  stgym/model/pool_fused_device.cu
  stgym/train/row_numbers_device.cu)
# Distances to the last bit as on the host, where ties are decided by node number too.
set_source_files_properties(stgym/data/nearest_nodes_device.cu PROPERTIES COMPILE_OPTIONS --fmad=false)
# It calls what the host's sampler calls.
set_source_files_properties(sage/sample_device.cu PROPERTIES COMPILE_OPTIONS --expt-relaxed-constexpr)
target_include_directories(workloads_kernels PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(workloads_kernels PUBLIC harness_cuda CUDA::cudart PRIVATE warnings)
# LibTorch brings the shared runtime; a static one beside it would keep streams and errors of its own.
set_target_properties(workloads_kernels PROPERTIES CUDA_RUNTIME_LIBRARY Shared)

# What each form's step costs, without the program around it: scripts/models_speed.py and scripts/sage_speed.py call them.
add_executable(models_step_cost EXCLUDE_FROM_ALL models_step_cost.cpp)
target_link_libraries(models_step_cost PRIVATE workloads_steps harness_machine warnings)
add_executable(sage_step_cost EXCLUDE_FROM_ALL sage_step_cost.cpp)
target_link_libraries(sage_step_cost PRIVATE workloads_steps harness_machine nlohmann_json::nlohmann_json warnings)
# A check of the naive form, not a part of the program: is it slow for the published reasons only?
add_executable(stgym_step_cost EXCLUDE_FROM_ALL stgym/measure/step_cost.cpp)
target_link_libraries(stgym_step_cost PRIVATE workloads_steps warnings)
""")

EDITS = [
    # --- CMake ----------------------------------------------------------------------------------------------------------------
    ("cmake/install.cmake", "/harness/own/tuneproof.hpp", "/app/tuneproof.hpp"),
    ("cmake/install.cmake", """    COMPONENT library FILES_MATCHING PATTERN "*.hpp")""",
     """    COMPONENT library FILES_MATCHING PATTERN "*.hpp" PATTERN cuda_surroundings.hpp EXCLUDE)  # that is the worker's"""),
    ("cmake/install_wheel.cmake", "/harness/watch/python/ DEST", "/harness/programs/recorder/ DEST"),
    ("cmake/embed_page.cmake", "/harness/page/assets", "/harness/pages/assets"),
    ("cmake/embed_page.cmake", "namespace harness::page {\n", "namespace harness::pages {\n"),
    ("cmake/embed_page.cmake", "}  // namespace harness::page\n", "}  // namespace harness::pages\n"),
    ("cmake/steps.cmake", '#include "@folder@/steps.hpp"', '#include "@folder@/@folder@_steps.hpp"'),
    ("cmake/install_programs.cmake", """  models_tests stgym_tests tests_compiled tests_gpu tests_libtorch tests_loader tests_parallel tests_ranks tests_steps
  tests_worker tests_workloads device_worker fake_nvtx)""", """  models_tests stgym_tests tests_gpu tests_libtorch tests_parallel tests_steps tests_support tests_worker tests_workloads
  device_worker fake_nvtx)"""),
    ("app/CMakeLists.txt", """add_library(tuneproof_library SHARED ${generated}/build_info.cpp)
add_dependencies(tuneproof_library build_info_text)
target_link_libraries(tuneproof_library PRIVATE harness_own harness_worker harness_core)
""", """add_library(tuneproof_library SHARED own_program.cpp ${generated}/build_info.cpp)
add_dependencies(tuneproof_library build_info_text)
target_link_libraries(tuneproof_library PRIVATE harness_worker harness_run harness_compare harness_pages harness_catalogue
  harness_machine harness_support harness_core CLI11::CLI11 fmt::fmt warnings)
"""),
    ("app/CMakeLists.txt", "  LINK_LIBRARY_OVERRIDE_harness_own WHOLE_ARCHIVE\n", ""),
    ("app/CMakeLists.txt", "tuneproof_host PRIVATE tuneproof_library harness_own)", "tuneproof_host PRIVATE tuneproof_library harness_worker)"),
    ("app/CMakeLists.txt", "tuneproof_pair PRIVATE tuneproof_library harness_own)", "tuneproof_pair PRIVATE tuneproof_library harness_worker)"),
    ("app/CMakeLists.txt", "tuneproof_library harness_own harness_cuda_worker)", "tuneproof_library harness_cuda)"),
    ("app/CMakeLists.txt", "tuneproof_library harness_own harness_torch_worker)", "tuneproof_library harness_libtorch)"),
    ("app/CMakeLists.txt", """  PUBLIC harness_catalogue harness_machine harness_page harness_watch
  PRIVATE harness_compare harness_support harness_trace harness_tune harness_versus CLI11::CLI11 fmt::fmt warnings)""",
     """  PUBLIC harness_catalogue harness_machine harness_pages harness_programs
  PRIVATE harness_compare harness_support harness_trace CLI11::CLI11 fmt::fmt warnings)"""),
    ("app/CMakeLists.txt", "PRIVATE command_line harness_watch build_info", "PRIVATE command_line harness_programs build_info"),
    ("app/CMakeLists.txt", "workloads_steps prices harness_ranks harness_torch_worker build_info", "workloads_steps prices harness_libtorch build_info"),
    ("app/CMakeLists.txt", """target_link_libraries(tuneproof PRIVATE command_line harness_doctor harness_loader harness_run_command harness_page
  harness_profile harness_run harness_selftest harness_simulate harness_teach harness_trace harness_train harness_tune harness_versus harness_watch microbench_claims microbench_sources prices_command
  prices_host workloads_configuration build_info CLI11::CLI11 fmt::fmt warnings)""",
     """target_link_libraries(tuneproof PRIVATE command_line harness_support harness_trace harness_run harness_pages harness_programs
  harness_simulate microbench_light prices_light workloads_light build_info CLI11::CLI11 fmt::fmt warnings)"""),
    ("microbench/CMakeLists.txt", """set(parallel_tips ${tips})
list(FILTER parallel_tips INCLUDE REGEX "^parallel/")
list(FILTER tips EXCLUDE REGEX "^parallel/")
""", ""),
    ("microbench/CMakeLists.txt", "  optimizer/parameters.cpp\n", "  optimizer/parameters.cpp\n  parallel/replica.cpp\n"),
    ("microbench/CMakeLists.txt", "PUBLIC harness_compiled harness_libtorch harness_lightning harness_machine harness_tensorboard microbench_kernels microbench_sources PRIVATE fmt::fmt warnings)",
     "PUBLIC harness_libtorch harness_machine harness_results microbench_kernels microbench_light PRIVATE fmt::fmt warnings)"),
    ("microbench/CMakeLists.txt", """# Those that run in several processes: only they know process groups.
add_library(microbench_parallel OBJECT
  parallel/replica.cpp
  ${parallel_tips})
target_link_libraries(microbench_parallel PUBLIC harness_ranks PRIVATE harness_libtorch fmt::fmt warnings)
target_link_libraries(microbench_steps PUBLIC harness_ranks INTERFACE $<TARGET_OBJECTS:microbench_parallel>)
target_precompile_headers(microbench_parallel REUSE_FROM harness_libtorch)
compile_together(microbench_parallel)

# What the processes of the loading tips make: without LibTorch, so that the light program can serve as one.
add_library(microbench_sources STATIC dataload/sources.cpp)
target_link_libraries(microbench_sources PUBLIC harness_loader harness_support PRIVATE warnings)

# What became of the other published claims.
add_library(microbench_claims STATIC claims.cpp)
target_link_libraries(microbench_claims PUBLIC harness_core PRIVATE warnings)
""", """# For the program that starts at once, without LibTorch: what became of the other published claims, and what the processes of
# the loading tips make, as one of which it serves.
add_library(microbench_light STATIC claims.cpp dataload/sources.cpp)
target_link_libraries(microbench_light PUBLIC harness_core harness_support PRIVATE warnings)
"""),
    ("prices/CMakeLists.txt", """# What things cost on this machine: Google Benchmark's rows, and what follows from them.
# The command, for the program that starts at once.
add_library(prices_command STATIC command.cpp of_steps.cpp)
target_link_libraries(prices_command PUBLIC harness_run PRIVATE warnings fmt::fmt CLI11::CLI11)

# Neither CUDA nor LibTorch nor Google Benchmark: tested alone.
""", """# What things cost on this machine: Google Benchmark's rows, and what follows from them.
# The command and the arithmetic, for the program that starts at once. Neither CUDA nor LibTorch nor Google Benchmark: tested alone.
"""),
    ("prices/CMakeLists.txt", "add_library(prices_host STATIC", "add_library(prices_light STATIC"),
    ("prices/CMakeLists.txt", "  taker.cpp\n", "  taker.cpp\n  command.cpp\n  of_steps.cpp\n"),
    ("prices/CMakeLists.txt", "target_link_libraries(prices_host PUBLIC harness_machine harness_support PRIVATE warnings fmt::fmt)",
     "target_link_libraries(prices_light PUBLIC harness_run harness_machine harness_support PRIVATE warnings fmt::fmt CLI11::CLI11)\ncompile_together(prices_light)"),
    ("prices/CMakeLists.txt", "  PUBLIC harness_libtorch harness_loader harness_ranks prices_command prices_device prices_host benchmark::benchmark",
     "  PUBLIC harness_libtorch prices_device prices_light benchmark::benchmark"),
    ("prices/CMakeLists.txt", "compile_together(prices_host prices_command)\n", ""),
    ("tests/prices/CMakeLists.txt", "LINK prices_command prices_host)", "LINK prices_light)"),
    ("tests/gpu/CMakeLists.txt", "prices_device prices_host", "prices_device prices_light"),
    ("tests/microbench/CMakeLists.txt", "PRIVATE microbench_parallel harness_ranks harness_libtorch Catch2", "PRIVATE microbench_steps Catch2"),
    ("tests/harness/compare/CMakeLists.txt", " harness_run harness_tensorboard harness_compare", " harness_run harness_compare"),
    ("tests/stand_in/rows/CMakeLists.txt", "harness_catalogue harness_loader Catch2", "harness_catalogue harness_support Catch2"),
    ("tests/stand_in/programs/CMakeLists.txt", 'stand_in_tests(tests_libtorch "[gpu]")', 'stand_in_tests(tests_libtorch "[gpu]~[ranks]")'),
    ("tests/stand_in/programs/CMakeLists.txt", 'COMMAND tests_ranks "[gpu]")', 'COMMAND tests_libtorch "[ranks][gpu]")'),
    ("tests/stand_in/CMakeLists.txt", '"[gpu]~[sameness]")', '"[gpu]~[sameness]~[ranks]")'),
    ("tests/workloads/training/CMakeLists.txt", "PRIVATE workloads_models harness_ranks fmt", "PRIVATE workloads_steps fmt"),
    ("tests/workloads/sage/CMakeLists.txt", "PRIVATE workloads_sage harness_ranks libdeflate", "PRIVATE workloads_steps libdeflate"),
    ("tests/workloads/stgym/CMakeLists.txt", "PRIVATE workloads_steps harness_ranks harness_trace", "PRIVATE workloads_steps harness_trace"),
    ("tests/workloads/stgym/space/CMakeLists.txt", "workloads_configuration", "workloads_light"),
    ("tests/workloads/settings/CMakeLists.txt", "workloads_configuration", "workloads_light"),
    ("scripts/fuzz.sh", "harness/results/{fingerprint,profile,results,round,row_json,stand_in,turned_rows}.cpp",
     "harness/results/{fingerprint,results,round,row_json,row_profile,stand_in,turned_rows}.cpp"),
    ("scripts/fuzz.sh", "harness/trace/{intern,json_text,text}.cpp", "harness/trace/{intern,json_text,trace_text}.cpp"),
    ("scripts/bundle/licenses.sh", "/harness/page/assets/", "/harness/pages/assets/"),
]

EDITS += [
    # --- a program of the user's own steps: app/ --------------------------------------------------------------------------------
    ("app/own_program.hpp", "namespace harness::own {", "namespace app {"),
    ("app/own_program.hpp", "}  // namespace harness::own", "}  // namespace app"),
    ("app/own_program.hpp", "int program_on(const worker::Ground& ground, int argc, char** argv, Steps steps, const OwnProgram& own);",
     "int program_on(const harness::worker::Ground& ground, int argc, char** argv, harness::Steps steps, const OwnProgram& own);"),
    ("app/own_program.cpp", "namespace harness::own {\nnamespace {\n", "namespace app {\n\nusing namespace harness;\n\nnamespace {\n"),
    ("app/own_program.cpp", "}  // namespace harness::own", "}  // namespace app"),
    ("app/tuneproof.hpp", "namespace harness::own {", "namespace tuneproof {"),
    ("app/tuneproof.hpp", "}  // namespace harness::own\n\nnamespace tuneproof = harness::own;\n", "}  // namespace tuneproof\n"),
    ("app/tuneproof.hpp", "  return checked_but_for_its_source(step);", "  return harness::checked_but_for_its_source(step);"),
    ("app/tuneproof.hpp", "core::fixed_work_side", "harness::fixed_work_side"),
    ("app/library_host.cpp", "int harness::own::program(int argc, char** argv, Steps steps, const char* build_type) {\n  return program_on(worker::host_ground(),",
     "int tuneproof::program(int argc, char** argv, Steps steps, const char* build_type) {\n  return app::program_on(harness::worker::host_ground(),"),
    ("app/library_cuda.cpp", "int harness::own::program(int argc, char** argv, Steps steps, const char* build_type) {\n  return program_on(cuda_ground(),",
     "int tuneproof::program(int argc, char** argv, Steps steps, const char* build_type) {\n  return app::program_on(harness::cuda_ground(),"),
    ("app/library_torch.cpp", "int harness::own::program(int argc, char** argv, Steps steps, const char* build_type) {\n  return program_on(torch_ground(),",
     "int tuneproof::program(int argc, char** argv, Steps steps, const char* build_type) {\n  return app::program_on(harness::torch_ground(),"),
    ("app/library_pair.cpp", "return own::program_on(", "return app::program_on("),
]
EACH = [("app/tuneproof.hpp", r"using core::", "using harness::core::")]

ARCH = "tests/architecture.test.py"
DOC = "docs/architecture.md"
EDITS += [
    (ARCH, 'ON_A_DEVICE = {"cuda", "libtorch", "compiled", "ranks", "cuda_worker", "torch_worker"}', 'ON_A_DEVICE = {"cuda", "libtorch"}'),
    (ARCH, "Folders of harness/ that know neither CUDA nor LibTorch are all but these.", "All folders of harness/ but these know neither CUDA nor LibTorch."),
    (ARCH, "test_LibTorch_is_seen_in_steps_workloads_prices_and_four_folders_only", "test_LibTorch_is_seen_in_steps_workloads_prices_and_one_folder_only"),
    (ARCH, '''"harness/libtorch/", "harness/libtorch/", "harness/libtorch/", "harness/libtorch/",
                   "tests/microbench/", "tests/workloads/", "tests/harness/libtorch/", "tests/harness/libtorch/", "tests/harness/libtorch/",
                   "tests/harness/worker/", "tests/gpu/", "stand_in/", "tests/stand_in/")''',
     '''"harness/libtorch/", "tests/microbench/", "tests/workloads/",
                   "tests/harness/libtorch/", "tests/harness/worker/", "tests/gpu/", "stand_in/", "tests/stand_in/")'''),
    (ARCH, "(libtorch|cuda|ranks|worker|cuda_worker|torch_worker)", "(libtorch|cuda|worker)"),
    (ARCH, '''                # The library's users write tuneproof::Step.
                of_users = "namespace tuneproof = harness::own;"
                self.assertNotRegex(text.replace(of_users, ""), r"(?m)^namespace \\w+ = ", name(path))
''', '''                self.assertNotRegex(text, r"(?m)^namespace \\w+ = ", name(path))
'''),
    (ARCH, '''        self.assertEqual(sorted(folders), sorted(FOLDERS))
''', '''        self.assertEqual(sorted(folders), sorted(FOLDERS))
        self.assertLessEqual(len(FOLDERS), 14, "a newcomer reads the list once: join what belongs together")
'''),
    (ARCH, '''    def test_sources_are_ASCII(self):
''', '''    def test_no_two_files_have_one_name(self):
        """A step is named by its id, and each workload has a table of rungs."""
        steps = {path for folder in ["microbench", "workloads"] for path in step_files(folder)} | set((ROOT / "microbench/selftest").glob("*.cpp"))
        at = {}
        for path in SOURCES:
            if not name(path).startswith("tests/") and path not in steps and path.stem != "rungs":
                self.assertEqual(at.setdefault(path.name, name(path)), name(path))

    def test_sources_are_ASCII(self):
'''),
    # --- documents ------------------------------------------------------------------------------------------------------------
    (DOC, '''app/               main.cpp: tuneproof, which starts at once; worker.cpp: tuneproof-worker, which has the steps;
 |                 library_*.cpp: the libraries for steps of the user's own, in C++ (examples/) and in Python (python/)
''', '''app/               main.cpp: tuneproof, which starts at once; worker.cpp: tuneproof-worker, which has the steps;
 |                 own_program.cpp, library_*.cpp: the libraries for steps of the user's own, in C++ (examples/) and in Python
 |                 (python/); tuneproof.hpp: their header
'''),
    (DOC, '''| `support` | text, units, JSON, files, processes, signals: one of each |
| `tensorboard` | event files that TensorBoard reads: scalars and text; a log beside a training |
| `lightning` | a small training in Python, in Lightning's loop or in a plain one |
| `loader` | batches from threads and processes |
''', '''| `support` | text, units, JSON, files, processes, signals: one of each; batches from threads and processes |
'''),
    (DOC, '''| `results` | the results file: rows, rounds, fingerprint; its writer and its reader |
| `catalogue` | all steps as data; what `main.cpp` passes to a command |
| `run` | selection of rows, rounds of worker processes, verdicts, the table; `list` |
| `worker` | inside a worker process: prepares and times one row after the other, on the host |
| `cuda` | owners of streams, events, buffers and graphs; the clock of events |
| `libtorch` | LibTorch in one process, answers, Kineto, captured graphs |
| `compiled` | functions that torch's compiler has compiled: packages made by its Python, kept, loaded |
| `ranks` | several processes that run a row together, over LibTorch's process groups |
| `cuda_worker`, `torch_worker` | the same on CUDA devices; the same in LibTorch, and under its profiler |
| `doctor` | what disturbs measurements on this machine; `doctor` |
| `selftest` | how often verdicts are wrong here; `selftest` |
| `trace` | reads a profiler's trace and judges it; `diagnose` |
| `profile` | rows under the profiler; `profile` |
| `run_command` | a whole session of rows, with what it profiles; `run` |
| `train` | one training of a workload with settings, as a plain program; `train` |
''', '''| `catalogue` | all steps as data; what `main.cpp` passes to a command |
| `results` | the results file: rows, rounds, fingerprint; its writer and its reader; event files that TensorBoard reads |
| `trace` | reads a profiler's trace and judges it; `diagnose` |
| `run` | all that starts workers: selection of rows, rounds, verdicts, the table, rows under the profiler, one training as a plain program, what disturbs measurements here, how often verdicts are wrong here; `run`, `list`, `profile`, `train`, `doctor`, `selftest` |
| `worker` | inside a worker process: prepares and times one row after the other, on the host |
| `cuda` | the same on CUDA devices; owners of streams, events, buffers and graphs; the clock of events |
| `libtorch` | the same in LibTorch, and under its profiler; answers, captured graphs; functions that torch's compiler has compiled; several processes that run a row together, over process groups; a small training in Python |
'''),
    (DOC, '''| `teach` | pages of steps and topics, the course; `explain`, `learn` |
| `page` | one HTML page of results, prices and traces; `report` |
| `watch` | a program of the user's: its steps recorded from inside its Python, and diagnosed; `watch` |
| `versus` | commands of the user's against each other, in fresh processes; `versus` |
| `tune` | search of the knobs of such a command, by Optuna, and the proof of what it claims; `tune` |
| `own` | a program of the user's own steps: the library that `find_package(tuneproof)` finds |
''', '''| `pages` | what is read: pages of steps and topics, the course, one HTML page of results, prices and traces; `explain`, `learn`, `report` |
| `programs` | the user's programs: their steps recorded from inside their Python and diagnosed; commands against each other, in fresh processes; the search of a command's knobs, by Optuna, and the proof of what it claims; `watch`, `versus`, `tune` |
'''),
    (DOC, "Each command has a folder of its own, so whoever knows the command knows the room. `microbench/`, `workloads/` and `prices/` stand\nbeside `harness/` since they hold what is measured, not how.",
     "The table names the room of each command; that of `prices` is `prices/`. `microbench/`, `workloads/` and `prices/` stand beside\n`harness/` since they hold what is measured, not how. No two files have one name, but for steps and tables of rungs."),
    (DOC, '''`tests/harness/` mirrors the folders, with one test program for each (`core` has a second one, `tests_simulation`). `cuda` is tested
in `tests/gpu/`; `cuda_worker` and `torch_worker` through `tests/harness/worker/`; `lightning`, `own` and `run_command` through the program.''',
     '''`tests/harness/` mirrors the folders, with one test program for each (`core` has a second one, `tests_simulation`). `cuda` is tested
in `tests/gpu/`; rows on a device and in LibTorch through `tests/harness/worker/`; commands through the program (`tests/program/`).'''),
    (DOC, "`tune/python/tuneproof_study.py`", "`programs/tuneproof_study.py`"),
    ("harness/programs/knob_search.hpp", "python/tuneproof_study.py", "tuneproof_study.py"),
    ("CONTRIBUTING.md", '''A command lives with its feature: `tuneproof diagnose` is `harness/trace/diagnose.{hpp,cpp}`, beside what it shows.
''', '''A command lives in the room of its subject: `tuneproof diagnose` is `harness/trace/diagnose.{hpp,cpp}`, beside what it shows.
[docs/architecture.md](docs/architecture.md) lists the rooms. A room is a library of all files of its folder, so a new file stands in no list.
'''),
    ("CONTRIBUTING.md", "in the feature's namespace. It adds a subcommand", "in the room's namespace. It adds a subcommand"),
    ("CONTRIBUTING.md", '''3. **List it:** the feature's folder is a library of all its files (a new feature: a folder with its own `CMakeLists.txt`, which
   links exactly the folders that its files include, as `harness/run/` does, added to `harness/CMakeLists.txt`, to what
   `tuneproof` links in `app/CMakeLists.txt`, and to the table of [docs/architecture.md](docs/architecture.md)); `add_NAME` in
   `app/main.cpp`; a line in [docs/commands.md](docs/commands.md).
4. **Test it** as its user calls it: `tests/program/NAME.test.py`, listed in `tests/CMakeLists.txt`; its parts in
   `tests/harness/FEATURE/` (a new feature: with a `CMakeLists.txt` like the others', added to `tests/harness/CMakeLists.txt`).
''', '''3. **Test it** as its user calls it, in `tests/program/NAME.test.py`; its parts in `tests/harness/ROOM/`, which needs no list.
4. **List it** in three places: `add_NAME` in `app/main.cpp` (`app/command_line.cpp` if it needs no step), a line in
   [docs/commands.md](docs/commands.md), its test in `tests/CMakeLists.txt`. Where a file is the first of its room to include
   another room, the room's `CMakeLists.txt` links that one too; a test says so. There are 14 rooms and no more: a new subject
   goes into the one that fits.
'''),
]

# Constants of one name in what is now one room.
for path, word, new in [("harness/run/profile.cpp", "footer", "profile_footer"),
                        ("harness/run/selftest_command.cpp", "footer", "selftest_footer"),
                        ("harness/programs/tune.cpp", "examples", "tune_examples"),
                        ("harness/programs/versus.cpp", "examples", "versus_examples")]:
    EACH.append((path, rf"(?<![.>\w]){word}\b(?=( =|\)))", new))
# Names that hide others, now that files of the room are compiled together and see ATen.
EACH += [("harness/libtorch/make_package.cpp", r"\btell\((?=order|const PackageOrder)", "tell_of("),
         ("harness/libtorch/package.cpp", r"\bdevice_of\(", "our_device_of(")]
# A header with one reader.
few = (root / "harness/core/few.hpp").read_text()
few_class = few[few.index("/// A few constants"):few.index("\n}  // namespace")]
git("rm", "-qf", "harness/core/few.hpp")
EDITS += [
    ("harness/core/step.hpp", '#include "harness/core/few.hpp"\n', ""),
    ("harness/core/step.hpp", "#include <cstddef>\n#include <cstdint>\n#include <functional>\n#include <span>\n",
     "#include <algorithm>\n#include <array>\n#include <concepts>\n#include <cstddef>\n#include <cstdint>\n#include <functional>\n#include <initializer_list>\n#include <ranges>\n#include <span>\n#include <stdexcept>\n"),
    ("harness/core/step.hpp", "/// One thing that is varied.", few_class + "\n/// One thing that is varied."),
]
EDITS += [
    ("workloads/training/README.md", "| `course.hpp` |", "| `training_course.hpp` |"),
    ("workloads/training/README.md", "| `learner.hpp` |", "| `model_learner.hpp` |"),
    ("workloads/stgym/README.md", "(`space/switches.hpp`)", "(`space/stgym_switches.hpp`)"),
]
EDITS += [("harness/libtorch/kineto.cpp", "using nlohmann::json;\n", "")]
EACH += [("harness/libtorch/kineto.cpp", r'(?<![\w:./"])json(?=&|::)', "nlohmann::json")]

# Constants that locals of what is now the same room would shadow.
EACH += [("harness/run/gpu_checks.cpp", r"(?<=constexpr unsigned )busy\b|(?<=>= )busy\b", "busy_percent"),
         ("harness/run/run_profile.cpp", r"(?<![.\w])columns\b", "figure_columns"),
         ("harness/run/self_test.cpp", r"(?<=constexpr int )indent\b|(?<=text, )indent\b", "lead_width"),
         ("harness/run/selftest_command.cpp", r"(?<![.\w])unlimited\b", "no_limits"),
         ("harness/pages/learner.cpp", r"(?<=constexpr auto )schema\b|(?<=!= )schema\b|(?<=\"schema\", )schema\b", "learner_schema")]

EACH += [("tests/harness/worker/CMakeLists.txt", r"harness_torch_worker", "harness_libtorch"),
         ("workloads/training/floor.cpp", r"(?<=const auto )place\b|(?<=[(, ])place(?=[,)])", "debug_place")]
