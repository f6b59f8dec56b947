// The GPT for torch's compiler.
#pragma once

#include <string_view>

namespace workloads::gpt {

/// training::CompiledWork::python of model.hpp's network.
std::string_view python();

}  // namespace workloads::gpt
