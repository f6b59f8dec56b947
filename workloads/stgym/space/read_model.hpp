#pragma once

#include "harness/support/field.hpp"

#include "workloads/stgym/space/configuration.hpp"

#include <vector>

namespace workloads::stgym::space {

/// The `model` of a configuration. Throws harness::BadInput with the field's path.
ModelConfig read_model(const harness::Field& field);

}  // namespace workloads::stgym::space
