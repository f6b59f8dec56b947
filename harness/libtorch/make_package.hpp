// A package out of the cache, or made by Python's torch and kept there. No LibTorch.
#pragma once

#include "harness/core/setup.hpp"

#include <filesystem>
#include <vector>

namespace harness::inline libtorch {

/// Of a tensor that the function takes.
struct InputShape {
  std::string type;  // "float32"
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> varies = {};  // dimensions that the package takes in any size
  bool channels_last = false;             // of four dimensions, the second lies innermost
};

enum class CompileMode { normal, max_autotune };

/// What to compile, and for what.
struct PackageOrder {
  std::string step;    // that it is for: "compile/pointwise_chain"
  std::string source;  // Python text that defines step(*tensors) and returns a tuple of tensors
  std::vector<InputShape> inputs;
  Device device;
  CompileMode mode = CompileMode::normal;
  int threads = 1;
};

/// The torch that will load the package.
struct PythonTorch {
  std::string version;            // "2.11.0"
  std::filesystem::path library;  // one of its libraries; its Python lies nearby where it is a Python's
};

/// A finished package.
struct Made {
  std::filesystem::path package;
  double seconds = 0;  // that compiling took, the start of Python included
};

/// The package of the order: of the same source, shapes, threads, torch, compiler and CPU as one that was
/// made before, or a new one, which it tells on standard error. Runs make packages one after the other: where
/// another one is at it, this one says that it waits. What ends this process on the way leaves no package,
/// and the next one that is made removes what was unfinished. One that is damaged, that is not the one its
/// note speaks of, or that was brought from elsewhere is made again. Throws Skip where nothing can be
/// compiled or kept here.
Made make_package(const PackageOrder& order, const PythonTorch& torch);

/// The text of scripts/compile_step.py.
std::string_view compile_script();

}  // namespace harness::inline libtorch
