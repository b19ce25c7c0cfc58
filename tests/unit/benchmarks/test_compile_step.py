"""What a compiled program does, read from a text like those of XLA."""

from compile_step import read_kernels


def test_kernels_read_their_arguments_and_write_what_they_give():
    """Parameters, constants and other names of an array are no kernels."""
    assert read_kernels("""
%fused (p: f32[4,8], q: bf16[8]) -> (f32[4,8], f32[4]) {
  %p = f32[4,8]{1,0} parameter(0)
  ROOT %inner = f32[4,8]{1,0} negate(%p)
}

ENTRY %main (x: f32[4,8], y: bf16[8]) -> f32[32] {
  %x = f32[4,8]{1,0} parameter(0), metadata={op_name="x"}
  %y = bf16[8]{0} parameter(1)
  %both = (f32[4,8]{1,0}, f32[4]{0}) fusion(%x, %y), kind=kLoop, calls=%fused, metadata={op_name="a"}
  %first = f32[4,8]{1,0} get-tuple-element(%both), index=0
  %drawn = u32[2]{0} fusion(), kind=kLoop, calls=%fused
  ROOT %flat = f32[32]{0} bitcast(%first)
}
""") == (2, 4 * (32 + 4) + 4 * 32 + 2 * 8 + 8)  # noqa: E501
