// ResNet-50 for torch's compiler.
#pragma once

#include <string_view>

namespace workloads::resnet50 {

/// training::CompiledWork::python of model.hpp's network.
std::string_view python();

}  // namespace workloads::resnet50
