"""The sections ``tokenizer`` and ``data``: how text becomes ids, and ids become batches."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from translator.base.files import path_below_home
from translator.base.texts import quoted
from translator.config.section import Section, Share

TAG_NAME = re.compile(r"(?!(?:s|unk|pad)$|0x)[A-Za-z0-9][\w-]{0,39}", re.ASCII)  # <0x41> is a byte
MAX_TAGS = 1000
MASKED_SHARE = 0.15  # the usual default


def _paths(source: str, target: str) -> tuple[Path, Path]:
    return path_below_home(source, "tokenizer"), path_below_home(target, "tokenizer")


class TokenizerConfig(Section):
    """How text becomes subword ids.

    With all defaults, the demo corpus uses its two bundled models.
    """

    name: Literal["sentencepiece", "bpemb", "marian"] = Field(
        default="sentencepiece",
        description="sentencepiece: BPE trained on the training split, cased, with byte fallback."
        " bpemb: BPEmb's models, downloaded; lower-case, every digit written as 0. marian: your own"
        " SentencePiece models, whose pieces have the ids of vocabulary files, as in OPUS-MT.",
    )
    source_model: str | None = Field(
        default=None,
        description="Your own SentencePiece model for the source language. null: trained or"
        " downloaded, as name says.",
    )
    target_model: str | None = Field(
        default=None,
        description="The model for the target language; give both models or neither.",
    )
    source_vocabulary: str | None = Field(
        default=None,
        description="marian: the file with the ids of the source language's pieces, as JSON.",
    )
    target_vocabulary: str | None = Field(
        default=None,
        description="marian: the file for the target language; with shared: true the same file.",
    )
    source_start: bool = Field(
        default=True,
        description="Whether encoded source sentences begin with the start token, as target"
        " sentences always do. Marian's models have no such start.",
    )
    vocab_size: int = Field(
        default=8000,
        ge=300,
        le=1_000_000,  # the largest that BPEmb has
        description="Number of pieces of each model, special tokens included. bpemb: one of the"
        " sizes that BPEmb has for the language.",
    )
    shared: bool = Field(
        default=False,
        description="Use one vocabulary for both languages. bpemb: its multilingual model.",
    )
    zero_digits: bool = Field(
        default=False,
        description="sentencepiece: show the model 0 for every digit, as BPEmb does; translate"
        " puts the digits of the source back.",
    )
    tags: list[str] = Field(
        default=[],
        description="Names of tags such as bt or news, at most 1,000. If a source line begins with"
        " <bt> and a space, both become one token, which vocab_size does not count. Translating"
        " reads tags there, too, and does not print them. Not for name: marian.",
    )
    masks: Share | None = Field(
        default=None,
        description="Share of the training pairs that are added a second time with placeholders"
        " for names, numbers and other words of both sides. Above 0 the model has 18 more tokens,"
        " the placeholders ⟨1⟩ to ⟨9⟩ and ⟨#1⟩ to ⟨#9⟩; it sees new names and numbers as"
        f" placeholders, in training and in translating. null: {MASKED_SHARE}; without"
        " placeholders (0) for name: marian, and if the run in training.init has none.",
    )
    stand_in: Literal["none", "source", "target", "both"] = Field(
        default="none",
        description="bpemb: sides that may get a replacement. If BPEmb's file for such a side"
        " cannot be downloaded, the program trains a model on the corpus with BPEmb's settings.",
    )

    @property
    def masks_digits(self) -> bool:
        """Whether the model is shown 0 for every digit."""
        return self.zero_digits or self.name == "bpemb"

    @property
    def model_paths(self) -> tuple[Path, Path] | None:
        """The user's own models of the source and the target language; None if none are named."""
        if self.source_model is None or self.target_model is None:
            return None
        return _paths(self.source_model, self.target_model)

    @property
    def vocabulary_paths(self) -> tuple[Path, Path] | None:
        """The vocabulary files of both sides; None if none are named."""
        if self.source_vocabulary is None or self.target_vocabulary is None:
            return None
        return _paths(self.source_vocabulary, self.target_vocabulary)

    def _problems(self) -> Iterator[str]:
        if self.name == "marian":
            yield from self._problems_of_marian()
        elif self.source_vocabulary or self.target_vocabulary:
            yield "source_vocabulary and target_vocabulary are for name: marian"
        has_one_model = self.shared and self.name != "marian"
        if has_one_model and self.source_model != self.target_model:
            yield "a shared vocabulary has one model: name the same file twice, or no file"
        if (self.source_model is None) != (self.target_model is None):
            yield "expected both source_model and target_model, or neither"
        if self.name == "bpemb" and self.zero_digits:
            yield "zero_digits is for name: sentencepiece; BPEmb's models always read digits as 0"
        if self.name != "bpemb" and self.stand_in != "none":
            yield "stand_in is for name: bpemb"
        if self.stand_in != "none" and (self.shared or self.source_model):
            yield (
                "stand_in replaces one of BPEmb's two models: remove shared, source_model and"
                " target_model"
            )

    def _problems_of_marian(self) -> Iterator[str]:
        if (self.source_vocabulary is None) != (self.target_vocabulary is None):
            yield "expected both source_vocabulary and target_vocabulary, or neither"
        if (self.vocabulary_paths is None) != (self.model_paths is None):
            yield "name: marian needs models and vocabularies of both sides, or neither"
        if self.shared and self.source_vocabulary != self.target_vocabulary:
            yield "a shared vocabulary is one file: name it twice"
        if self.zero_digits:
            yield "zero_digits is for name: sentencepiece"
        if self.masks:
            yield "masks work only with sentencepiece and bpemb; marian has no placeholders"
        if self.tags:
            yield (
                "tags work only with sentencepiece and bpemb; marian's own tags, such as >>deu<<,"
                " are in its vocabulary"
            )

    @field_validator("tags")
    @classmethod
    def _check_tags(cls, tags: list[str]) -> list[str]:
        if len(tags) > MAX_TAGS:
            raise ValueError(f"expected at most {MAX_TAGS:,} names, found {len(tags):,}")
        for name in tags:
            if not TAG_NAME.fullmatch(name):
                raise ValueError(
                    "expected names of at most 40 letters and digits, - and _, without < and >, and"
                    f" not of special tokens (s, unk, pad, 0x...), found {quoted(name)}"
                )
            if tags.count(name) > 1:
                raise ValueError(f"expected each name once, found {name} again")
        return tags


class DataConfig(Section):
    """How encoded pairs become batches."""

    max_length: int = Field(
        default=64,
        ge=3,
        le=16_384,  # the memory of attention grows with its square
        description="The most tokens of a side, start and end included. Longer pairs are dropped"
        " from training; translate splits longer sentences.",
    )
    noise: Share = Field(
        default=0.0,
        description="Share of the training pairs that are added a second time as people type them:"
        " without final marks, or with sources that lack apostrophes, umlauts or ß.",
    )
    marks: Share = Field(
        default=0.0,
        description="Share of the training pairs that are added a second time with marks on both"
        " sides: quotation marks or brackets around words and their translations; dashes or"
        " brackets around an aside; a colon between two pairs. Copies of two to five pairs in one"
        " line teach longer texts. Above 0, a new tokenizer has pieces for such marks.",
    )
    word_pairs: bool = Field(
        default=False,
        description="Also train on words and short phrases with their translations, cut out of the"
        " training pairs. So the model can translate them alone, too.",
    )
    truecase: bool = Field(
        default=False,
        description="Show the model the first word of a source sentence as it is written within"
        " sentences, such as cancel for Cancel. So it has the same pieces everywhere.",
    )
    batch_tokens: int | None = Field(
        default=None,
        ge=1,
        le=10_000_000,  # several times the largest batches that have been published
        description="The most tokens of a batch, padding included: its sentences times the tokens"
        " of its longest side. null: batch_size decides. If both keys are missing: auto.",
    )
    batch_size: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="Number of sentences of a batch. null: batch_tokens decides.",
    )

    def _problems(self) -> Iterator[str]:
        if (self.batch_tokens is None) == (self.batch_size is None):
            yield "expected exactly one of batch_tokens and batch_size"
        if self.batch_tokens is not None and self.batch_tokens < self.max_length:
            yield (f"batch_tokens ({self.batch_tokens}) is below max_length ({self.max_length})")
