"""Compiles updates for H100s without having one, and counts what they do there.

    pip install ".[jax-cuda]"; python benchmarks/compile_step.py
    python benchmarks/compile_step.py --model base --devices 8 --show 20

Of the packages of that extra it needs three: jax-cuda12-plugin, jax-cuda12-pjrt and
nvidia-cuda-nvcc-cu12. Without a device XLA tries no kernels out, so those of matrix products are
not the ones that a GPU would choose; times are modelled by the card's bandwidth.
"""

import functools
import itertools
import os
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import harness
import kernels

from translator.base.errors import InputError
from translator.base.keras_startup import start_keras
from translator.cli import errors_as_one_line
from translator.config.schema import Config
from translator.config.yaml_file import validate_config
from translator.tokenizers.subword import Tokenizer, Tokenizers

BANDWIDTH = 3.352e12  # bytes a second of an H100 SXM, NVIDIA's data sheet
NVLINK = 450e9  # bytes a second in each direction, likewise
CUDNN = 90800  # the version, as XLA is told below
# The same card as XLA describes it; compute capability 9.0, CUDA C++ Programming Guide, table 27.
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


class Ids(NamedTuple):
    """All that a model needs to know of a tokenizer."""

    size: int
    padding_id: int = 0


class Update(NamedTuple):
    """An update of a model.

    Attributes:
        model: `ModelConfig`'s sizes.
        vocab_size: V of each side.
        sentences: of a device.
        length: the tokens of a side.
        training: other keys of this section.
    """

    model: dict[str, Any]
    vocab_size: int
    sentences: int
    length: int
    training: dict[str, Any] = {}

    @property
    def config(self) -> Config:
        """The configuration of the training."""
        tied = self.model.get("tied_embeddings") == "all"
        schedule = {"name": "constant", "learning_rate": 1e-4, "warmup_steps": 1}
        training = {"backend": "jax", "devices": 1, "precision": "bfloat16", "schedule": schedule}
        values = {
            "corpus": {"name": "demo"},  # it is not read
            "tokenizer": {"shared": tied, "vocab_size": self.vocab_size},
            "data": {"max_length": self.length, "batch_tokens": self.sentences * self.length},
            "model": self.model,
            "training": training | self.training,
        }
        return validate_config(values, "compile_step.py")


def sizes(layers: int, d_model: int, heads: int, dff: int, **more: Any) -> dict[str, Any]:
    """The keys of a model's sizes."""
    return {"num_layers": layers, "d_model": d_model, "num_heads": heads, "dff": dff, **more}


TUTORIAL = Update(sizes(4, 128, 8, 512), 10000, 256, 16)
MULTI30K = {"tied_embeddings": "all", "normalize_first": True, "dropout_rate": 0.3}
UPDATES = {
    "tutorial": TUTORIAL,
    "tutorial-of-4-batches": TUTORIAL._replace(training={"accumulation_steps": 4}),
    "multi30k": Update(sizes(4, 128, 4, 512, **MULTI30K), 6000, 128, 16, {"label_smoothing": 0.1}),
    "base": Update(sizes(6, 512, 8, 2048, tied_embeddings="all"), 32000, 512, 32),
    "base-of-64": Update(sizes(6, 512, 8, 2048, tied_embeddings="all"), 32000, 256, 64),
    "big": Update(sizes(6, 1024, 16, 4096, tied_embeddings="all"), 32000, 512, 32),
}
TINY = Update(sizes(1, 16, 2, 16), 300, 4, 8)


class Compiled(NamedTuple):
    """A compiled update.

    Attributes:
        kernels: of a device.
        temporary: bytes beside weights and batch.
        arrays: that it takes.
    """

    kernels: list[kernels.Kernel]
    temporary: int
    arrays: int

    def total(self, name: str) -> int:
        """The sum of a figure of all kernels."""
        return sum(getattr(each, name) * each.times for each in self.kernels)

    @property
    def starts(self) -> int:
        """Kernels that are started."""
        return sum(each.times for each in self.kernels)


def main() -> None:
    """Compiles the updates and prints a row for each."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--model", nargs="+", choices=UPDATES, default=list(UPDATES))
    parser.add_argument("--devices", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--show", type=int, default=0, metavar="N", help="the N largest origins")
    options = parser.parse(model=[], devices=[1])
    os.environ["JAX_PLATFORMS"] = "cpu"  # where the model is made
    os.environ["JAX_SKIP_CUDA_CONSTRAINTS_CHECK"] = "1"  # which asks for a driver
    start_keras("jax")
    import jax

    rows: list[harness.Row] = []
    updates = {name: UPDATES[name] for name in options.model} or {"tiny": TINY}
    for (name, update), count in itertools.product(updates.items(), options.devices):
        compiled = compile_update(update, find_devices(count, options.small))
        rows.append(make_row(name, count, compiled))
        show_origins(compiled, options.show)
    columns = ["", "GPUs", "arrays", "kernels", "TFLOP", "GB", "GB held", "ms by GB",
               "MB summed", "ms of sums", "waited for"]  # fmt: skip
    title = "One update of each device, compiled for H100s; times are modelled"
    machine = "" if options.small else f"NVIDIA H100, not run; JAX {jax.__version__}"
    harness.show(options, "compiled-updates", title, columns, rows, "bfloat16", machine)


def find_devices(count: int, on_cpu: bool) -> Sequence[Any]:
    """Descriptions of H100s, or this machine's CPU.

    Raises:
        InputError: JAX's plugin for CUDA is not installed.
    """
    import jax
    from jax._src.cudnn import fused_attention_stablehlo as attention
    from jax.experimental import topologies

    if on_cpu:
        return cast(Sequence[Any], jax.devices("cpu")[:count])
    for asked in ("check_cudnn_version", "check_compute_capability"):  # neither is here
        setattr(attention, asked, lambda *_: CUDNN)
    describe = functools.partial(topologies.get_topology_desc, platform="cuda")
    try:
        return cast(Sequence[Any], describe(target_config=H100, topology=f"1x1x{count}").devices)
    except NotImplementedError:
        raise InputError(
            'expected JAX with its plugin for CUDA, found none; pip install ".[jax-cuda]"'
        ) from None


def compile_update(update: Update, devices: Sequence[Any]) -> Compiled:
    """Compiles an update as `fit` does it.

    Args:
        update: of each device.
        devices: that share it.
    """
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    from translator.training.compilation import make_training_model
    from translator.training.packed_state import pack_state
    from translator.training.resolution import resolve

    ids, config = cast(Tokenizer, Ids(update.vocab_size)), resolve(update.config)
    model = make_training_model(config, Tokenizers(ids, ids))
    mesh = Mesh(np.array(devices), ("batch",))
    whole, shared = (NamedSharding(mesh, PartitionSpec(*axes)) for axes in ((), ("batch",)))

    def on_all(each: Any) -> Any:
        return jax.ShapeDtypeStruct(each.shape, each.dtype, sharding=whole)

    shape = update.sentences * len(devices), update.length
    ids_of_side = jax.ShapeDtypeStruct(shape, "int32", sharding=shared)
    kinds = (
        model.trainable_variables,
        model.non_trainable_variables,
        model.optimizer.variables,
        model.metrics_variables,
    )
    state = jax.tree.map(on_all, jax.eval_shape(pack_state, [list(map(on_all, k)) for k in kinds]))
    batches = (((ids_of_side, ids_of_side), ids_of_side),) * config.training.accumulation_steps
    data = (batches,)
    compiled = jax.jit(model.train_step, donate_argnums=0).lower(state, data).compile()
    found = kernels.read_kernels(compiled.as_text())
    arrays = len(jax.tree.leaves((state, data)))
    return Compiled(found, compiled.memory_analysis().temp_size_in_bytes, arrays)


def make_row(name: str, devices: int, compiled: Compiled) -> harness.Row:
    """The line of the table."""
    size, operations = compiled.total("bytes"), compiled.total("operations")
    sums = kernels.sums_of_devices(compiled.kernels)
    summing, waiting = ms_of_sums(compiled.kernels, devices)
    return [
        name,
        devices,
        compiled.arrays,
        compiled.starts,
        round(operations / 1e12, 2),
        round(size / 1e9, 2),
        round(compiled.temporary / 1e9, 2),
        round(1000 * size / BANDWIDTH, 2),
        ", ".join(f"{size / 1e6:.1f} {dtype}" for dtype, size in sums.items()),
        *((round(summing, 2), round(waiting, 2)) if devices > 1 else ("", "")),
    ]


def ms_of_sums(found: Sequence[kernels.Kernel], devices: int) -> tuple[float, float]:
    """How long a ring of devices would take for its sums, and for what no kernel hides of them.

    The kernels that run meanwhile take as long as their bytes do.
    """
    summing = waiting = 0.0
    for each in kernels.sums(found):
        size = sum(array.bytes for array in each.instruction.arrays)
        taken = 2000 * size * (devices - 1) / devices / NVLINK
        summing += taken * each.times
        waiting += max(taken - 1000 * each.beside / BANDWIDTH, 0.0) * each.times
    return summing, waiting


def show_origins(compiled: Compiled, count: int) -> None:
    """Prints where most of the bytes come from: functions, and layers of whatever number."""
    found: dict[str, list[int]] = {}
    for each in compiled.kernels:
        origin = re.sub(r"\d+", "N", each.instruction.origin) or each.instruction.operation
        sums = found.setdefault(origin, [0, 0])
        sums[0] += each.bytes * each.times
        sums[1] += each.times
    largest = sorted(found.items(), key=lambda item: -item[1][0])[:count]
    for origin, (size, times) in largest:
        print(f"{size / 1e9:8.3f} GB {times:5d} kernels  {origin}")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
