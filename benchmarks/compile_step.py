"""Compiles updates for an H100 without such a GPU, and counts their kernels and memory.

    pip install ".[jax-cuda]"
    python benchmarks/compile_step.py

It needs three packages of that extra: jax-cuda12-plugin, jax-cuda12-pjrt and nvidia-cuda-nvcc-cu12.
Without a device, XLA cannot try kernels, so a GPU may use other kernels for matrix products. All
inputs and outputs of a kernel are counted whole, even if it reads only a part.
"""

import functools
import math
import os
import re
from typing import Any, NamedTuple, cast

import harness

from translator.base.errors import InputError
from translator.base.keras_startup import start_keras
from translator.cli import errors_as_one_line
from translator.config.schema import Config
from translator.config.yaml_file import validate_config
from translator.tokenizers.subword import Tokenizer, Tokenizers

CUDNN = 90800  # the version, as in XLA's description below
# The card as XLA describes it; compute capability 9.0, CUDA C++ Programming Guide, table 27.
H100 = """
gpu_device_info {
  cuda_compute_capability { major: 9 }
  core_count: 132 fpus_per_core: 128 clock_rate_ghz: 1.98
  memory_bandwidth: 3352000000000 device_memory_size: 84929347584 l2_cache_size: 52428800
  threads_per_warp: 32 threads_per_block_limit: 1024 threads_per_core_limit: 2048
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
  shared_memory_per_block: 49152 shared_memory_per_block_optin: 232448
  shared_memory_per_core: 233472
  registers_per_block_limit: 65536 registers_per_core_limit: 65536
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 8 }
runtime_version { major: 12 minor: 9 }
device_description_str: "NVIDIA H100 80GB HBM3"
"""
BYTES = {"pred": 1, "s8": 1, "u8": 1, "bf16": 2, "f16": 2, "f32": 4, "s32": 4, "u32": 4, "s64": 8,
         "u64": 8}  # fmt: skip
NO_WORK = frozenset(("parameter", "constant", "get-tuple-element", "tuple", "bitcast"))
INSTRUCTION = re.compile(r"  (?:ROOT )?%(\S+) = (\(.*?\)|\S+) ([a-z-]+)\(([^)]*)\)")
ARRAY = re.compile(r"\b([a-z]+\d*)\[([\d,]*)\]")


class Update(NamedTuple):
    """An update of a model: sizes as in `ModelConfig`, V of each side, and the batch."""

    num_layers: int
    d_model: int
    num_heads: int
    dff: int
    vocab_size: int
    sentences: int
    length: int
    is_tied: bool = True

    @property
    def config(self) -> Config:
        """The configuration of the training."""
        schedule = {"name": "constant", "learning_rate": 1e-4, "warmup_steps": 1}
        model = {key: getattr(self, key) for key in ("num_layers", "d_model", "num_heads", "dff")}
        values = {
            "corpus": {"name": "demo"},  # it is not read
            "tokenizer": {"shared": self.is_tied, "vocab_size": self.vocab_size},
            "data": {"max_length": self.length, "batch_tokens": self.sentences * self.length},
            "model": model | ({"tied_embeddings": "all"} if self.is_tied else {}),
            "training": {
                "backend": "jax",
                "devices": 1,
                "precision": "bfloat16",
                "schedule": schedule,
            },
        }
        return validate_config(values, "compile_step.py")


UPDATES = {
    "tutorial": Update(4, 128, 8, 512, 10000, 256, 16, is_tied=False),
    "base": Update(6, 512, 8, 2048, 32000, 512, 32),
    "base-of-64": Update(6, 512, 8, 2048, 32000, 256, 64),
}
TINY = {"tiny": Update(1, 16, 2, 16, 300, 4, 8)}


def main() -> None:
    """Compiles the updates and prints a row for each."""
    options = harness.Parser(__doc__).parse()
    os.environ["JAX_PLATFORMS"] = "cpu"  # where the model is made
    os.environ["JAX_SKIP_CUDA_CONSTRAINTS_CHECK"] = "1"  # this asks for a driver
    start_keras("jax")
    import jax

    device = jax.devices("cpu")[0] if options.small else find_h100()
    updates = TINY if options.small else UPDATES
    rows = [[name, *compile_update(update, device)] for name, update in updates.items()]
    columns = ["", "arrays", "kernels", "GB", "GB held"]
    machine = "" if options.small else f"NVIDIA H100, not run; JAX {jax.__version__}"
    title = "One update, compiled for an H100"
    harness.show(options, "compiled-updates", title, columns, rows, "bfloat16", machine)


def find_h100() -> Any:
    """The description of an H100.

    Raises:
        InputError: JAX's plugin for CUDA is not installed.
    """
    from jax._src.cudnn import fused_attention_stablehlo as attention
    from jax.experimental import topologies

    for asked in ("check_cudnn_version", "check_compute_capability"):  # neither is here
        setattr(attention, asked, lambda *_: CUDNN)
    describe = functools.partial(topologies.get_topology_desc, platform="cuda")
    try:
        return describe(target_config=H100, topology="1x1x1").devices[0]
    except NotImplementedError:
        raise InputError(
            'expected JAX with its plugin for CUDA, found none; pip install ".[jax-cuda]"'
        ) from None


def compile_update(update: Update, device: Any) -> harness.Row:
    """Compiles an update as a training does.

    Returns:
        The arrays that it takes, its kernels, the GB that these read and write, and the memory that
        it needs besides weights and batch.
    """
    import jax
    from jax.sharding import SingleDeviceSharding

    from translator.training.backends.jax import JaxBackend, pack
    from translator.training.settings import begin_settings

    ids = cast(Tokenizer, harness.Ids(update.vocab_size))
    backend = JaxBackend(begin_settings(update.config), Tokenizers(ids, ids))

    def there(each: Any, dtype: Any = None) -> Any:
        shape = each if isinstance(each, tuple) else each.shape
        return jax.ShapeDtypeStruct(
            shape, dtype or each.dtype, sharding=SingleDeviceSharding(device)
        )

    kinds = ([there(variable) for variable in variables] for variables in backend.kinds)
    state = jax.tree.map(there, tuple(jax.eval_shape(pack, values) for values in kinds))
    side = there((update.sentences, update.length), "int32")
    arguments = state, (((side, side), side),), there((), "int32")
    compiled = backend.lower(*arguments).compile()
    kernels, size = read_kernels(compiled.as_text())
    held = compiled.memory_analysis().temp_size_in_bytes
    return [len(jax.tree.leaves(arguments)), kernels, round(size / 1e9, 2), round(held / 1e9, 2)]


def read_kernels(text: str) -> tuple[int, int]:
    """How many kernels a compiled program starts, and the bytes that they read and write.

    Args:
        text: of ``jax.stages.Compiled.as_text``, of one device and without loops.
    """
    sizes: dict[str, int] = {}
    kernels = total = 0
    for name, arrays, operation, arguments in INSTRUCTION.findall(text.partition("\nENTRY ")[2]):
        shapes = ((dtype, filter(None, shape.split(","))) for dtype, shape in ARRAY.findall(arrays))
        sizes[name] = sum(BYTES.get(dtype, 0) * math.prod(map(int, s)) for dtype, s in shapes)
        if operation not in NO_WORK:
            kernels += 1
            total += sizes[name] + sum(sizes[arg] for arg in re.findall(r"%([\w.-]+)", arguments))
    return kernels, total


if __name__ == "__main__":
    with errors_as_one_line():
        main()
