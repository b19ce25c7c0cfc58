"""The configuration of a run, validated.

Every section of its YAML file is a class, and every key a field with its type,
range, default and description; see `translator.config.yaml_file`.
"""

from collections.abc import Iterator, Mapping
from types import NoneType
from typing import Any

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from translator.base.errors import InputError
from translator.base.texts import listed, quoted
from translator.config.automatic import (
    mark_missing_keys,
    plain_values,
    take_out_automatic,
)
from translator.config.corpus import CorpusConfig, MixedCorpusConfig
from translator.config.encoding import DataConfig, TokenizerConfig
from translator.config.model import DecodingConfig, ModelConfig
from translator.config.section import Section, describe_problem
from translator.config.training import ScheduleConfig, TrainingConfig, ValidationConfig

__all__ = [
    "Config",
    "CorpusConfig",
    "DataConfig",
    "MixedCorpusConfig",
    "ModelConfig",
    "ScheduleConfig",
    "TokenizerConfig",
    "TrainingConfig",
]


class Config(Section):
    """The whole configuration of a run.

    Args:
        values: the content of a YAML file, as a dictionary. The program chooses the values of
            missing keys.
        **sections: more sections, such as ``training={"minutes": 30}``.

    Raises:
        InputError: a key is unknown, or a value has the wrong type or is out of range.
    """

    corpus: CorpusConfig = Field(
        description="Where the sentence pairs come from, and how they are cleaned and split."
    )
    corpora: list[MixedCorpusConfig] = Field(
        default=[],
        description="Further corpora to train on.",
    )
    tokenizer: TokenizerConfig = Field(
        default=TokenizerConfig(), description="How text becomes subword ids."
    )
    data: DataConfig = Field(description="How encoded pairs become batches.")
    model: ModelConfig = Field(
        default=ModelConfig(), description="The size and shape of the Transformer."
    )
    training: TrainingConfig = Field(
        default=TrainingConfig(), description="How long and how to train."
    )
    validation: ValidationConfig = Field(
        default=ValidationConfig(),
        description="How often a run is measured, and which weights are stored.",
    )
    decoding: DecodingConfig = Field(
        default=DecodingConfig(),
        description="How to search for translations; options replace these keys.",
    )

    film: list[str] = Field(
        default=[],
        max_length=20,
        description="Sentences whose attention is stored at some updates of the training, for"
        " translator attention --film. Each is in the validation or test split, or has a"
        " translation after a tab.",
    )

    _automatic: frozenset[str] = PrivateAttr(default=frozenset())

    def __init__(self, values: Mapping[str, Any] | None = None, /, **sections: Any) -> None:
        if not isinstance(values, (Mapping, NoneType)):
            raise InputError(
                f"config: expected a dictionary of sections, found {type(values).__name__};"
                " read_config reads a file"
            )
        marked = mark_missing_keys(plain_values({**(values or {}), **sections}))
        try:
            super().__init__(**marked)
        except ValidationError as error:
            raise InputError(f"config: {describe_problem(error, Config)}") from None

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # model_validate passes by

    @property
    def automatic(self) -> frozenset[str]:
        """The keys whose values the program still has to choose, such as ``model.dff``."""
        return self._automatic

    def with_values(self, values: Mapping[str, Any]) -> "Config":
        """The configuration with other values.

        Args:
            values: new values by the full names of their keys, such as ``model.dff``.
        """
        sections = self.model_dump(exclude_unset=True)  # missing keys stay missing
        for name, value in values.items():
            *path, key = name.split(".")
            section = sections
            for part in path:
                section = section.setdefault(part, {})
            section[key] = value
        changed = Config.model_validate(sections)
        changed._automatic = self._automatic - values.keys()
        return changed

    @model_validator(mode="wrap")
    @classmethod
    def _take_out_automatic(
        cls, values: Any, validate: ModelWrapValidatorHandler["Config"]
    ) -> "Config":
        if not isinstance(values, dict):
            return validate(values)
        sections, automatic = take_out_automatic(values)
        config = validate(sections)
        config._automatic = automatic
        return config

    def _problems(self) -> Iterator[str]:
        if self.model.tied_embeddings == "all" and not self.tokenizer.shared:
            yield (
                "model.tied_embeddings: all needs one vocabulary: set tokenizer.shared: true"
                " or model.tied_embeddings: target"
            )
        # missing tags come from the initial run, and are checked when that run is known
        is_known = self.training.init is None or "tags" in self.tokenizer.model_fields_set
        tags, advice = self.tokenizer.tags, "add it to tokenizer.tags"
        if self.training.init:
            advice = "leave the tag out, or train without training.init"
        for number, mixed in enumerate(self.corpora):
            if is_known and mixed.tag is not None and mixed.tag not in tags:
                yield (
                    f"corpora.{number}.tag: expected a tag of tokenizer.tags ({listed(tags)}),"
                    f" found {quoted(mixed.tag)}; {advice}"
                )
        longest = self.data.max_length - 1  # the start token does not count
        if self.decoding.max_length is not None and self.decoding.max_length > longest:
            yield (
                f"decoding.max_length ({self.decoding.max_length}) must stay below"
                f" data.max_length ({self.data.max_length}); lower it, or set both"
            )
