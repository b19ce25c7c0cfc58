"""What a compiled program does, read from texts like those of XLA."""

import pytest

SUM = """
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %added = f32[] add(%a, %b)
}
"""


def read(text: str) -> list[tuple[str, int, int, int]]:
    """Operation, bytes, operations and times of each kernel."""
    from kernels import read_kernels

    return [(each.instruction.operation, *each[1:4]) for each in read_kernels(SUM + text)]


def test_a_kernel_reads_its_arguments_and_writes_what_it_gives():
    """Parameters, constants and other names of an array are no kernels."""
    found = read("""
%fused (p: f32[4,8], q: bf16[8]) -> (f32[4,8], f32[4]) {
  %p = f32[4,8]{1,0} parameter(0)
  %q = bf16[8]{0} parameter(1)
  %wide = f32[8]{0} convert(%q)
  %rows = f32[4,8]{1,0} broadcast(%wide), dimensions={1}
  %product = f32[4,8]{1,0} multiply(%p, %rows)
  %zero = f32[] constant(0)
  %total = f32[4]{0} reduce(%product, %zero), dimensions={1}, to_apply=%sum
  ROOT %both = (f32[4,8]{1,0}, f32[4]{0}) tuple(%product, %total)
}

ENTRY %main (x: f32[4,8], y: bf16[8]) -> f32[32] {
  %x = f32[4,8]{1,0} parameter(0), metadata={op_name="x"}
  %y = bf16[8]{0:T(128)} parameter(1)
  %both = (f32[4,8]{1,0}, f32[4]{0}) fusion(%x, %y), kind=kLoop, calls=%fused, metadata={op_name="jit(step)/norm/mul"}
  %first = f32[4,8]{1,0} get-tuple-element(%both), index=0
  ROOT %flat = f32[32]{0} bitcast(%first)
}
""")  # noqa: E501
    assert found == [("fusion", 4 * (32 + 4) + 4 * 32 + 2 * 8, 0, 1)]


@pytest.mark.parametrize(
    ("inside", "elements"),
    [
        ("%found = bf16[3,8]{1,0} gather(%table, %ids), offset_dims={1}", 24),
        ("%w = f32[100,8]{1,0} convert(%table)\n  %found = bf16[3,8]{1,0} gather(%w, %ids)", 24),
        ("%found = bf16[3,8]{1,0} slice(%table), slice={[0:3], [0:8]}", 24),
        ("%all = bf16[100,8]{1,0} negate(%table)\n"
         "  %found = bf16[3,8]{1,0} gather(%table, %ids)", 800),
        ("%w = f32[100,8]{1,0} exponential(%table)\n"
         "  %found = bf16[3,8]{1,0} gather(%w, %ids)", 800),
    ],
)  # fmt: skip
def test_of_a_table_only_what_is_looked_up_is_read(inside, elements):
    """All of it, where it is needed in another way as well."""
    found = read(f"""
%fused (table: bf16[100,8], ids: s32[3,1]) -> bf16[3,8] {{
  %table = bf16[100,8]{{1,0}} parameter(0)
  %ids = s32[3,1]{{1,0}} parameter(1)
  {inside}
}}

ENTRY %main (t: bf16[100,8], i: s32[3,1]) -> bf16[3,8] {{
  %t = bf16[100,8]{{1,0}} parameter(0)
  %i = s32[3,1]{{1,0}} parameter(1)
  ROOT %rows = bf16[3,8]{{1,0}} fusion(%t, %i), kind=kLoop, calls=%fused
}}
""")
    assert found == [("fusion", 2 * 24 + 2 * elements + 3 * 4, 0, 1)]


def test_products_are_counted_within_kernels_and_apart():
    found = read("""
%gemm (p: bf16[64,32], q: bf16[32,16]) -> f32[64,16] {
  %p = bf16[64,32]{1,0} parameter(0)
  %q = bf16[32,16]{1,0} parameter(1)
  ROOT %product = f32[64,16]{1,0} dot(%p, %q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

ENTRY %main (x: bf16[64,32], y: bf16[32,16]) -> f32[3,16,16] {
  %x = bf16[64,32]{1,0} parameter(0)
  %y = bf16[32,16]{1,0} parameter(1)
  %z = f32[64,16]{1,0} fusion(%x, %y), kind=kCustom, calls=%gemm
  %b = f32[3,64,16]{2,1,0} broadcast(%z), dimensions={1,2}
  ROOT %batched = f32[3,16,16]{2,1,0} dot(%b, %b), lhs_batch_dims={0}, lhs_contracting_dims={1}
}
""")
    assert [each[2] for each in found] == [2 * 64 * 32 * 16, 0, 2 * 3 * 64 * 16 * 16]


def test_a_loop_starts_its_kernels_as_often_as_it_turns():
    found = read("""
%body (state: (s32[], f32[8])) -> (s32[], f32[8]) {
  %state = (s32[], f32[8]{0}) parameter(0)
  %i = s32[] get-tuple-element(%state), index=0
  %x = f32[8]{0} get-tuple-element(%state), index=1
  %y = f32[8]{0} negate(%x)
  ROOT %next = (s32[], f32[8]{0}) tuple(%i, %y)
}

%condition (state: (s32[], f32[8])) -> pred[] {
  %state = (s32[], f32[8]{0}) parameter(0)
  %i = s32[] get-tuple-element(%state), index=0
  %n = s32[] constant(5)
  ROOT %less = pred[] compare(%i, %n), direction=LT
}

ENTRY %main (x: f32[8]) -> (s32[], f32[8]) {
  %x = f32[8]{0} parameter(0)
  %zero = s32[] constant(0)
  %start = (s32[], f32[8]{0}) tuple(%zero, %x)
  ROOT %end = (s32[], f32[8]{0}) while(%start), condition=%condition, body=%body, backend_config={"known_trip_count":{"n":"5"}}
}
""")  # noqa: E501
    assert found == [("compare", 1 + 4 + 4, 0, 5), ("negate", 64, 0, 5)]


def test_sums_over_devices_count_where_they_start():
    from kernels import read_kernels, sums_of_devices

    kernels = read_kernels(
        SUM
        + """
ENTRY %main (x: f32[8], y: bf16[4], z: bf16[2]) -> (f32[8], bf16[4], bf16[2]) {
  %x = f32[8]{0} parameter(0)
  %y = bf16[4]{0} parameter(1)
  %z = bf16[2]{0} parameter(2)
  %begun = f32[8]{0} all-reduce-start(%x), replica_groups={{0,1}}, to_apply=%sum
  %both = (bf16[4]{0}, bf16[2]{0}) all-reduce(%y, %z), replica_groups={{0,1}}, to_apply=%sum
  %y2 = bf16[4]{0} get-tuple-element(%both), index=0
  %z2 = bf16[2]{0} get-tuple-element(%both), index=1
  %done = f32[8]{0} all-reduce-done(%begun)
  %later = f32[8]{0} negate(%done)
  ROOT %all = (f32[8]{0}, bf16[4]{0}, bf16[2]{0}) tuple(%later, %y2, %z2)
}
"""
    )
    assert [each.bytes for each in kernels] == [64, 24, 64]
    assert [each.beside for each in kernels] == [24, 0, 0]
    assert sums_of_devices(kernels) == {"f32": 32, "bf16": 12}


def test_the_origin_is_what_jax_names():
    from kernels import read_kernels

    [kernel] = read_kernels("""
ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0), metadata={op_name="state[0]"}
  ROOT %y = f32[8]{0} negate(%x), metadata={op_name="jit(step)/norm/neg" source_line=3}
}
""")
    assert kernel.instruction.origin == "jit(step)/norm/neg"
