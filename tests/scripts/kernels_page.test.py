"""scripts/kernels_page.py on listings that are made up."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import kernels_page

MANGLED = "_ZN9workloads5stgym59_GLOBAL__N__9edf2abe_26_gathered_product_device_cu_e5f8b26516gathered_productENS0_15GatheredProductE"
OTHER = "_ZN9workloads5stgym53_GLOBAL__N__4cb4a597_20_pool_fused_device_cu_5ae54cce7forwardENS0_11PoolForwardIfEE"
RESOURCES = f"""Resource usage:
 Common:
  GLOBAL:0
 Function {MANGLED}:
  REG:128 STACK:8 SHARED:33792 LOCAL:0 CONSTANT[0]:408 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function {OTHER}:
  REG:40 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:408 TEXTURE:0 SURFACE:0 SAMPLER:0
"""
CODE = f"""
		Function : {MANGLED}
        /*0010*/                   HMMA.1688.F32.TF32 R4, R2, R3, R4 ;
        /*0020*/              @!P0 STL [R1], R8 ;
        /*0030*/                   LDL.64 R8, [R1] ;
        /*0040*/                   LDS.128 R8, [R1] ;
        /*0050*/              @!P0 BRA 0x80 ;                        /* 0x0000000000188947 */
        /*0060*/               @P1 BRA 0x30 ;                        /* 0xfffffff800401947 */
        /*0070*/                   BRA 0x70;                         /* 0xfffffffc00fc7947 */
		..........
		Function : {OTHER}
        /*0010*/                   FFMA R4, R2, R3, R4 ;
"""
FACTS = f"""
.nv.info.{MANGLED}
	<0x1>
	Attribute:	EIATTR_MAX_THREADS
	Format:	EIFMT_SVAL
	Value:	0x100 0x1 0x1 
.nv.info.{OTHER}
	<0x1>
	Attribute:	EIATTR_MAX_THREADS
	Format:	EIFMT_SVAL
	Value:	0x80 0x1 0x1 
.text.{OTHER}
"""
PAGE = """# Title

Text.

Compiler: none

## sm_80

| old |

## sm_90

| kept |
"""


class Kernels(unittest.TestCase):
    def setUp(self):
        self.found = kernels_page.kernels_in(RESOURCES, CODE, FACTS)

    def test_a_kernel_has_what_the_three_listings_say_of_it(self):
        self.assertEqual(list(self.found.values()), [
            kernels_page.Kernel("gathered_product_device", "gathered_product", 128, 33792, 8, threads=256, local=2, tensor=1, loop=4),
            kernels_page.Kernel("pool_fused_device", "forward", 40, 0, 0, threads=128)])

    def test_the_text_has_the_figures_of_the_kernels_that_it_names(self):
        said = "`forward`: 1 registers; `gathered_product`: 2 registers, 3 instructions for 96 HMMA"
        self.assertEqual(kernels_page.with_figures(said, list(self.found.values())),
                         "`forward`: 40 registers; `gathered_product`: 128 registers, 4 instructions for 96 HMMA")
        with self.assertRaisesRegex(kernels_page.Failure, "there is not: gone"):
            kernels_page.with_figures("`gone`: 1 registers", list(self.found.values()))

    def test_registers_shared_memory_and_blocks_bound_the_warps(self):
        large, small = self.found.values()
        ampere, turing = kernels_page.LIMITS[80], kernels_page.LIMITS[75]
        self.assertEqual(large.percent_of_warps(ampere), 25)  # 2 blocks of 8 warps, by registers, of 64
        self.assertEqual(large.percent_of_warps(turing), 25)  # 1 block, by shared memory, of 32 warps
        self.assertEqual(small.percent_of_warps(ampere), 75)  # 12 blocks of 4 warps, by registers
        small.registers = 16
        self.assertEqual(small.percent_of_warps(kernels_page.LIMITS[86]), 100)

    def test_a_table_takes_its_place_and_leaves_the_others(self):
        lines = kernels_page.table(list(self.found.values()), kernels_page.LIMITS[80])
        page = kernels_page.with_tables(PAGE, {80: lines, 120: ["| new |"]}, "nvcc 1.2")
        self.assertIn("Compiler: nvcc 1.2\n", page)
        self.assertIn("\n## sm_80\n\n| kernel |", page)
        self.assertNotIn("| old |", page)
        self.assertIn("\n## sm_90\n\n| kept |\n", page)
        self.assertTrue(page.endswith("\n## sm_120\n\n| new |\n"))
        self.assertEqual(kernels_page.with_tables(page, {80: lines, 120: ["| new |"]}, "nvcc 1.2"), page)


if __name__ == "__main__":
    unittest.main()
