"""The sections ``training`` and ``validation``."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from translator.config.model import MAX_BEAM_SIZE
from translator.config.section import Section, Share

MAX_UPDATES = 1_000_000_000  # a year at 30 a second


class ScheduleConfig(Section):
    """The learning rate over the updates of a run."""

    name: Literal["noam", "inverse_sqrt", "linear", "cosine", "constant", "custom"] = Field(
        default="noam",
        description="noam: the schedule of the Transformer's authors. inverse_sqrt: warm-up, then"
        " as 1/sqrt(update). linear, cosine: warm-up, then down to final_rate. constant: warm-up,"
        " then the same rate. custom: a schedule that you pass to translator.train in Python; the"
        " run stores it.",
    )
    learning_rate: float = Field(
        default=1.0,
        gt=0.0,
        le=1000.0,
        description="The highest rate. noam: the factor before d_model^-0.5. The default is for"
        " noam; every other schedule needs a value.",
    )
    warmup_steps: int = Field(
        default=4000, ge=0, le=MAX_UPDATES, description="Updates until the highest rate."
    )
    total_steps: int | None = Field(
        default=None,
        ge=1,
        le=MAX_UPDATES,
        description="linear and cosine: updates until the lowest rate. null: the whole training.",
    )
    final_rate: float = Field(
        default=0.0, ge=0.0, description="linear and cosine: the lowest rate."
    )

    @property
    def has_end(self) -> bool:
        """Whether the rate falls to a lowest rate."""
        return self.name in ("linear", "cosine")

    def is_zero_after(self, updates: int) -> bool:
        """Whether the rate is 0 after a number of updates and stays 0."""
        ends = self.total_steps is not None and not self.final_rate
        return ends and (self.total_steps or 0) <= updates

    def _problems(self) -> Iterator[str]:
        if self.name != "noam" and "learning_rate" not in self.model_fields_set:
            yield f"{self.name} needs learning_rate, the highest rate, such as 1e-3"
        if self.name in ("noam", "inverse_sqrt") and self.warmup_steps == 0:
            yield f"{self.name} needs warmup_steps of at least 1"
        if not self.has_end and (self.total_steps is not None or self.final_rate):
            yield f"{self.name} has no end: remove total_steps and final_rate"
        if self.total_steps is not None and self.total_steps <= self.warmup_steps:
            yield f"{self.name} needs total_steps above warmup_steps"
        if self.final_rate > self.learning_rate:
            yield "final_rate must not be above learning_rate"


class TrainingConfig(Section):
    """How long and how to train."""

    epochs: int = Field(
        default=30,
        ge=1,
        le=1_000_000,
        description="Passes over the training split, or parts of one; see updates_per_epoch.",
    )
    updates_per_epoch: int | None = Field(
        default=None,
        ge=1,
        le=MAX_UPDATES,
        description="For many pairs: a pass over them is divided into equal epochs of at most this"
        " many updates. null: an epoch is a pass.",
    )
    minutes: float | None = Field(
        default=None,
        gt=0.0,
        le=1e6,
        description="How long the whole training may take on this machine. A short trial measures"
        " the speed, and the program sets epochs so that it fits. null: train for epochs.",
    )
    seed: int = Field(
        default=1,
        ge=0,
        lt=2**31,
        description="Seed of the initial weights, dropout and the order of batches.",
    )
    init: Annotated[str | None, BeforeValidator(lambda init: None if init == "none" else init)] = (
        Field(
            default=None,
            description="A run, or a model that comes with the program, whose weights and"
            " tokenizers the training starts from, with a fresh optimiser and schedule; its model"
            " has the same sizes. auto: the model that comes with the program, if it has these"
            " languages and fits the other keys. null or none: random weights.",
        )
    )
    freeze: list[str] = Field(
        default=[],
        description="Parts of the model that are not trained, by name, such as encoder,"
        " shared_embedding or decoder/layer_1; needs init.",
    )
    backend: Literal["auto", "tensorflow", "jax"] = Field(
        default="auto",
        description="What Keras computes on. jax: always compiled, on one device or several; needs"
        " the extra jax-cuda, or jax for a CPU. auto: the environment's KERAS_BACKEND, otherwise"
        " jax on a GPU if it is installed with CUDA, otherwise tensorflow.",
    )
    devices: Literal["auto"] | Annotated[int, Field(ge=1, le=4096)] = Field(
        default="auto",
        description="jax: number of devices of this machine that share each batch; the losses are"
        " the same as on one device. On a CPU the devices are virtual, for tests. auto: all"
        " GPUs, or the CPU as one device.",
    )
    precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        default="auto",
        description="Precision of matrix products; weights are always float32. auto: on a GPU its"
        " half precision; on a CPU bfloat16 if that is faster (with AMX, and on AMD's processors"
        " with AVX-512 BF16), otherwise float32.",
    )
    data_parallel: Literal["auto"] | Annotated[int, Field(ge=1, le=1024)] = Field(
        default="auto",
        description="tensorflow: number of parts of a batch that are computed at the same time."
        " auto: one for each core, four at most.",
    )
    tensorboard: bool = Field(
        default=False,
        description="Also write scalars for TensorBoard; needs the extra tensorboard.",
    )
    label_smoothing: Share = Field(
        default=0.0,
        description="Share of the target's probability that is spread over the vocabulary.",
    )
    r_drop_alpha: float = Field(
        default=0.0,
        ge=0.0,
        le=1000.0,
        description="Weight of R-Drop: each pair goes through the model twice, and the divergence"
        " of the two predictions is added to the loss. The paper uses 5. Training takes"
        " twice the time. 0: off.",
    )
    r_drop_after: int = Field(
        default=0, ge=0, le=1_000_000, description="Number of epochs before R-Drop begins."
    )
    schedule: ScheduleConfig = Field(
        default=ScheduleConfig(), description="The learning rate over the updates."
    )
    ema_momentum: float | None = Field(
        default=None,
        gt=0.0,
        lt=1.0,
        description="Momentum of a moving average of the weights, such as 0.999; the average is"
        " validated and kept instead of the weights. null: no average.",
    )
    clip_grad_norm: float | None = Field(
        default=None,
        gt=0.0,
        le=1e9,
        description="Clip gradients to this norm over all weights together. null: no clipping.",
    )
    accumulation_steps: int = Field(
        default=1,
        ge=1,
        le=10_000,
        description="Batches whose gradients are summed up for one update.",
    )
    keep_last: int = Field(
        default=0,
        ge=0,
        le=10_000,
        description="How many of the latest validations keep their weights in snapshots/. From 2 on"
        " these are averaged at the end; the run keeps the average if it is better on validation.",
    )
    save_minutes: float = Field(
        default=10.0,
        gt=0.0,
        le=1e6,
        description="Minutes between checkpoints; a killed run loses at most this time.",
    )

    def r_drop_in(self, epoch: int) -> float:
        """The weight of R-Drop in an epoch; epochs are numbered from 0."""
        return self.r_drop_alpha if epoch >= self.r_drop_after else 0.0

    def _problems(self) -> Iterator[str]:
        if self.freeze and self.init is None:
            yield "freeze needs init, the run whose weights are kept"
        if self.updates_per_epoch is not None:
            if self.minutes is not None:
                yield "minutes chooses whole passes: leave out updates_per_epoch"
            if "epochs" not in self.model_fields_set:
                yield "updates_per_epoch needs epochs, the number of epochs"


class ValidationConfig(Section):
    """When a run is measured on the validation split, and which weights it keeps."""

    every_updates: int | None = Field(
        default=None,
        ge=1,
        le=MAX_UPDATES,
        description="Also validate after this many updates within an epoch. null: only at its end.",
    )
    every_epochs: int = Field(
        default=1,
        ge=1,
        le=1_000_000,
        description="Number of epochs between two validations; one more follows the last epoch.",
    )
    translate_every: int = Field(
        default=1,
        ge=0,
        le=1_000_000,
        description="Number of validations after which the validation split is translated, for"
        " BLEU, chrF and samples; also after the last epoch. 0: never.",
    )
    beam_size: int = Field(
        default=1,
        ge=1,
        le=MAX_BEAM_SIZE,
        description="Beam size of these translations; 1 is greedy.",
    )
    max_sentences: int | None = Field(
        default=1000,
        ge=1,
        le=1_000_000_000,
        description="Translate only this many sentences, from the first. null: all.",
    )
    samples: int = Field(
        default=3, ge=0, le=1_000_000, description="How many of the translations are printed."
    )
    metric: Literal["cross_entropy", "perplexity", "loss", "accuracy", "bleu", "chrf"] = Field(
        default="cross_entropy",
        description="The figure that decides which validation is the best; its weights are kept."
        " loss includes label smoothing; bleu and chrf need translate_every.",
    )
    patience: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="Stop after this many validations without a better one. null: never.",
    )

    def ends_of_rounds(self, count: int) -> list[int]:
        """In an epoch of ``count`` updates, the updates after which the run may be measured.

        No two of them are closer than half of ``every_updates``.
        """
        every = self.every_updates or count
        return [*range(every, count - every // 2, every), count]

    def _problems(self) -> Iterator[str]:
        if self.metric in ("bleu", "chrf") and not self.translate_every:
            yield f"metric: {self.metric} needs translate_every of at least 1"
        if self.every_updates is not None and self.every_epochs > 1:
            yield "every_updates validates within each epoch: leave every_epochs at 1"

    def follows(self, epoch: int, epochs: int) -> bool:
        """Whether there is a validation after an epoch.

        Args:
            epoch: its number, from 1.
        """
        return epoch % self.every_epochs == 0 or epoch == epochs
