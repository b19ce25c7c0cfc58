"""The configuration of a run, validated.

Every section of its YAML file is a class here and every key a field with its
type, range and default; see `translator.config.yaml_file`.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Fraction = Annotated[float, Field(ge=0.0, lt=1.0)]
Positive = Annotated[int, Field(ge=1)]

BPEMB_DIMENSIONS = (25, 50, 100, 200, 300)  # of its vectors; 300 alone for all languages in one


class Section(BaseModel):
    """A section of the YAML file: immutable, strict about types and key names."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class FilesConfig(Section):
    """Sentence pairs in files of the user's own, plain or ``.gz``.

    Either ``tsv`` (source TAB target, further columns ignored) or two aligned
    files, ``source`` and ``target``.
    """

    tsv: str | None = None
    source: str | None = None
    target: str | None = None

    @property
    def paths(self) -> tuple[Path, ...]:
        """The TSV file alone, or the source file and the target file."""
        names = (self.tsv, self.source, self.target)
        return tuple(Path(name).expanduser() for name in names if name is not None)

    @model_validator(mode="after")
    def _one_form(self) -> "FilesConfig":
        if (self.tsv is None) == (self.source is None and self.target is None):
            raise ValueError("expected either tsv, or source and target")
        if (self.source is None) != (self.target is None):
            raise ValueError("expected both source and target")
        return self


class SplitConfig(Section):
    """How much of a corpus without splits of its own is held out, as shares of its sentences."""

    validation: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.01
    test: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.01


class CleaningConfig(Section):
    """What is put right in sentence pairs, and which pairs are dropped."""

    normalize_unicode: bool = True
    normalize_whitespace: bool = True
    drop_empty: bool = True
    drop_duplicates: bool = True
    drop_held_out: bool = True
    max_length_ratio: Annotated[float, Field(ge=1.0)] | None = 9.0
    drop_unequal_numbers: Literal["auto"] | bool = "auto"


class CorpusConfig(Section):
    """Where the sentence pairs come from, and how they are cleaned and split."""

    name: Literal["demo", "tatoeba", "multi30k", "multi30k-tokenized", "files"] = "files"
    source_language: Annotated[str, Field(min_length=1)] = "en"
    target_language: Annotated[str, Field(min_length=1)] = "de"
    train: FilesConfig | None = None
    validation: FilesConfig | None = None
    test: FilesConfig | None = None
    tokenized: bool = False
    split: SplitConfig = SplitConfig()
    cleaning: CleaningConfig = CleaningConfig()

    @property
    def files(self) -> dict[str, FilesConfig]:
        """The files of each split that has some: of ``train``, ``validation`` and ``test``."""
        splits = {"train": self.train, "validation": self.validation, "test": self.test}
        return {split: files for split, files in splits.items() if files is not None}

    @property
    def is_tokenized(self) -> bool:
        """Whether words and punctuation stand apart in the text already."""
        return self.tokenized or self.name == "multi30k-tokenized"

    @model_validator(mode="after")
    def _files_are_named(self) -> "CorpusConfig":
        if self.name == "files":
            if self.train is None:
                raise ValueError("name: files needs the files of train")
        elif self.train or self.validation or self.test:
            raise ValueError(
                f"{self.name} brings its own sentences: remove the files or set name: files"
            )
        return self

    @model_validator(mode="after")
    def _languages_differ(self) -> "CorpusConfig":
        if self.source_language == self.target_language:
            raise ValueError(f"expected two languages, found {self.source_language} twice")
        return self


class TokenizerConfig(Section):
    """How text becomes subword ids."""

    name: Literal["sentencepiece", "bpemb"] = "sentencepiece"
    source_model: str | None = None
    target_model: str | None = None
    vocab_size: Annotated[int, Field(ge=300)] = 8000
    shared: bool = False
    zero_digits: bool = False
    vectors: bool = False
    stand_in: Literal["none", "source", "target", "both"] = "none"

    @model_validator(mode="after")
    def _models_come_in_pairs(self) -> "TokenizerConfig":
        if self.shared and self.source_model != self.target_model:
            raise ValueError("a shared vocabulary has one model: name the same file twice or none")
        if (self.source_model is None) != (self.target_model is None):
            raise ValueError("expected both source_model and target_model, or neither")
        return self

    @model_validator(mode="after")
    def _bpemb_has_zeros_anyway(self) -> "TokenizerConfig":
        if self.name == "bpemb" and self.zero_digits:
            raise ValueError(
                "zero_digits is for name: sentencepiece; BPEmb's models see zeros anyway"
            )
        return self

    @model_validator(mode="after")
    def _vectors_and_stand_ins_are_of_bpemb(self) -> "TokenizerConfig":
        if self.name == "sentencepiece" and (self.vectors or self.stand_in != "none"):
            key = "vectors" if self.vectors else "stand_in"
            raise ValueError(f"{key} is for name: bpemb")
        if self.vectors and (self.source_model or self.stand_in != "none"):
            raise ValueError("vectors belong to BPEmb's own models: remove the models or stand_in")
        if self.stand_in != "none" and (self.shared or self.source_model):
            raise ValueError("stand_in takes the place of one of BPEmb's two models, not of others")
        return self


class DataConfig(Section):
    """How encoded pairs become batches."""

    max_length: Annotated[int, Field(ge=3)] = 64
    bpe_dropout: Fraction = 0.0
    batch_tokens: Positive | None = None
    batch_size: Positive | None = None

    @model_validator(mode="after")
    def _one_measure(self) -> "DataConfig":
        if (self.batch_tokens is None) == (self.batch_size is None):
            raise ValueError("expected exactly one of batch_tokens and batch_size")
        if self.batch_tokens is not None and self.batch_tokens < self.max_length:
            raise ValueError(
                f"batch_tokens ({self.batch_tokens}) must hold one sentence of"
                f" max_length ({self.max_length}) tokens"
            )
        return self


class ModelConfig(Section):
    """The size and shape of the Transformer; the defaults are the tutorial's."""

    num_layers: Positive = 4
    d_model: Annotated[int, Field(ge=2, multiple_of=2)] = 128
    num_heads: Positive = 8
    head_dim: Positive | None = None
    dff: Positive = 512
    dropout_rate: Fraction = 0.1
    attention_dropout_rate: Fraction = 0.0
    activation_dropout_rate: Fraction = 0.0
    activation: Literal["relu", "gelu", "silu"] = "relu"
    normalize_first: bool = False
    initializer: Literal["glorot_uniform", "glorot_normal", "lecun_normal", "he_normal"] = (
        "glorot_uniform"
    )
    initializer_gain: Annotated[float, Field(gt=0.0)] = 1.0
    tied_embeddings: Literal["none", "target", "all"] = "none"

    @model_validator(mode="after")
    def _heads_fit(self) -> "ModelConfig":
        if self.head_dim is None and self.d_model % self.num_heads:
            raise ValueError(
                f"num_heads ({self.num_heads}) must divide d_model ({self.d_model})"
                " where no head_dim is given"
            )
        return self


class ScheduleConfig(Section):
    """The learning rate over the updates of a run."""

    name: Literal["noam", "inverse_sqrt", "linear", "cosine", "constant"] = "noam"
    learning_rate: Annotated[float, Field(gt=0.0)] = 1.0
    warmup_steps: Annotated[int, Field(ge=0)] = 4000
    total_steps: Positive | None = None
    final_rate: Annotated[float, Field(ge=0.0)] = 0.0

    @property
    def has_end(self) -> bool:
        """Whether it falls to a lowest rate."""
        return self.name in ("linear", "cosine")

    @model_validator(mode="after")
    def _rate_is_given(self) -> "ScheduleConfig":
        if self.name != "noam" and "learning_rate" not in self.model_fields_set:
            raise ValueError(f"{self.name} needs learning_rate, its highest, such as 1e-3")
        return self

    @model_validator(mode="after")
    def _steps_make_sense(self) -> "ScheduleConfig":
        if self.name in ("noam", "inverse_sqrt") and self.warmup_steps == 0:
            raise ValueError(f"{self.name} needs warmup_steps of at least 1")
        if not self.has_end and (self.total_steps is not None or self.final_rate):
            raise ValueError(f"{self.name} falls to no end: remove total_steps and final_rate")
        if self.total_steps is not None and self.total_steps <= self.warmup_steps:
            raise ValueError(f"{self.name} needs total_steps above warmup_steps")
        if self.final_rate > self.learning_rate:
            raise ValueError("final_rate must not be above learning_rate")
        return self


class TrainingConfig(Section):
    """How long and how to train."""

    epochs: Positive = 30
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 1
    precision: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    jit_compile: Literal["auto"] | bool = "auto"
    data_parallel: Literal["auto"] | Positive = "auto"
    tensorboard: bool = False
    label_smoothing: Fraction = 0.0
    r_drop_alpha: Annotated[float, Field(ge=0.0)] = 0.0
    r_drop_after: Annotated[int, Field(ge=0)] = 0
    schedule: ScheduleConfig = ScheduleConfig()
    ema_momentum: Annotated[float, Field(gt=0.0, lt=1.0)] | None = None
    clip_grad_norm: Annotated[float, Field(gt=0.0)] | None = None
    accumulation_steps: Positive = 1
    keep_last: Annotated[int, Field(ge=0)] = 0
    keep_best: Annotated[int, Field(ge=0)] = 0
    average: Literal["none", "last", "best"] = "none"
    save_minutes: Annotated[float, Field(gt=0.0)] = 10.0
    adam_beta_1: Fraction = 0.9
    adam_beta_2: Fraction = 0.98
    adam_epsilon: Annotated[float, Field(gt=0.0)] = 1e-9

    @model_validator(mode="after")
    def _averages_are_of_what_is_kept(self) -> "TrainingConfig":
        key = f"keep_{self.average}"
        if self.average != "none" and getattr(self, key) < 2:
            raise ValueError(f"average: {self.average} needs {key} of at least 2")
        return self


class ValidationConfig(Section):
    """When a training is measured on the validation split, and what follows from it."""

    every_updates: Positive | None = None
    translate_every: Annotated[int, Field(ge=0)] = 0
    beam_size: Positive = 1
    max_sentences: Positive | None = None
    samples: Annotated[int, Field(ge=0)] = 3
    metric: Literal["cross_entropy", "perplexity", "loss", "accuracy", "bleu", "chrf"] = (
        "cross_entropy"
    )
    patience: Positive | None = None

    @model_validator(mode="after")
    def _metric_is_measured(self) -> "ValidationConfig":
        if self.metric in ("bleu", "chrf") and not self.translate_every:
            raise ValueError(f"metric: {self.metric} needs translate_every of at least 1")
        return self


class DecodingConfig(Section):
    """What ``translate`` does when no option says otherwise."""

    beam_size: Positive = 4
    length_penalty: Annotated[float, Field(ge=0.0)] = 1.0
    max_length: Positive | None = None


class Config(Section):
    """The whole configuration of a run."""

    corpus: CorpusConfig
    tokenizer: TokenizerConfig = TokenizerConfig()
    data: DataConfig
    model: ModelConfig = ModelConfig()
    training: TrainingConfig = TrainingConfig()
    validation: ValidationConfig = ValidationConfig()
    decoding: DecodingConfig = DecodingConfig()

    @model_validator(mode="after")
    def _tying_needs_one_vocabulary(self) -> "Config":
        if self.model.tied_embeddings == "all" and not self.tokenizer.shared:
            raise ValueError(
                "model.tied_embeddings: all needs one vocabulary: set tokenizer.shared: true"
                " or model.tied_embeddings: target"
            )
        return self

    @model_validator(mode="after")
    def _vectors_fit_the_model(self) -> "Config":
        dimensions = (300,) if self.tokenizer.shared else BPEMB_DIMENSIONS
        if self.tokenizer.vectors and self.model.d_model not in dimensions:
            raise ValueError(
                f"tokenizer.vectors: BPEmb's have {', '.join(map(str, dimensions))} dimensions,"
                f" found model.d_model {self.model.d_model}; set it to one of those that is even,"
                " and model.num_heads to a divisor of it"
            )
        return self

    @model_validator(mode="after")
    def _translations_fit_the_model(self) -> "Config":
        longest = self.data.max_length - 1  # start is no token of a translation
        if self.decoding.max_length is not None and self.decoding.max_length > longest:
            raise ValueError(
                f"decoding.max_length ({self.decoding.max_length}) must stay below"
                f" data.max_length ({self.data.max_length})"
            )
        return self
