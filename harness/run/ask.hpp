#pragma once

#include "harness/core/setup.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace harness::run {

/// What the worker prints for `--probe`: one JSON object, see harness/machine/probe.hpp. Throws BadInput, one
/// sentence that says what to do, where the worker is missing, finds no LibTorch, dies or does not answer.
std::string ask_probe(const std::filesystem::path& worker, const Device& device);

/// What the worker prints for `--selftest-catalogue`: the pairs, as the text that parse_catalogue reads.
/// Throws as above.
std::string ask_selftest_pairs(const std::filesystem::path& worker);

/// What the worker prints for `--catalogue`. Throws BadInput as above.
std::string ask_catalogue(const std::filesystem::path& worker);

/// The environment of every worker: Kineto stays silent without a GPU, and libraries that start threads
/// before LibTorch is told how many start as many.
std::vector<std::string> worker_environment(int threads);

}  // namespace harness::run
