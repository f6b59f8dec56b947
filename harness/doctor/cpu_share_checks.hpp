// Who else has a share of this host's CPUs: other processes, the container's quota, the hypervisor.
#pragma once

#include "harness/doctor/doctor.hpp"
#include "harness/machine/system_files.hpp"

namespace harness::doctor {

Check load(const SystemFiles& files);
Check quota(const SystemFiles& files);
Check affinity(const SystemFiles& files);
Check steal(const SystemFiles& files);
Check virtual_machine(const SystemFiles& files);

}  // namespace harness::doctor
