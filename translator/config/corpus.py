"""The section ``corpus``: where sentence pairs come from, how they are cleaned and split."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from translator.base.files import path_below_home
from translator.base.languages import language_facts
from translator.base.texts import quoted
from translator.config.section import Section

CORPORA = ("demo", "phrasebook", "tatoeba", "multi30k", "multi30k-tokenized", "files")
NONE = "none"
OPUS = "opus:"
OF_OPUS = re.compile(rf"{OPUS}[\w.-]+-v[\w.-]+")


def _check_name(name: str) -> str:
    if name not in (*CORPORA, NONE) and OF_OPUS.fullmatch(name) is None:
        if name.startswith(OPUS):
            raise ValueError(
                "expected a corpus of OPUS and its version, such as opus:News-Commentary-v16, found"
                f" {quoted(name)}; https://opus.nlpl.eu lists names and versions"
            )
        raise ValueError(
            f"expected {', '.join(CORPORA)} or a corpus of OPUS such as opus:News-Commentary-v16,"
            f" found {quoted(name)}"
        )
    return name


CorpusName = Annotated[str, AfterValidator(_check_name)]


class PairFilesConfig(Section):
    """The files of one split: one file of pairs, or two files with one sentence on each line."""

    tsv: str | None = Field(
        default=None,
        description="A file of pairs: TSV, CSV, JSONL, TMX, Parquet, or a zip archive of one such"
        " file or of both sides; plain or packed. null: source and target name the files. csv is"
        " another name of this key. A file name can replace this section.",
    )
    source: str | None = Field(
        default=None,
        description="A file with one source sentence on each line, plain or packed. null: see tsv.",
    )
    target: str | None = Field(
        default=None,
        description="A file with a translation on each line, plain or packed. null: see tsv.",
    )

    @model_validator(mode="before")
    @classmethod
    def _read_other_forms(cls, values: Any) -> Any:
        if isinstance(values, str):
            return {"tsv": values}
        if isinstance(values, dict) and "csv" in values:
            if "tsv" in values:
                raise ValueError("expected tsv or csv, found both; leave out one of them")
            return {"tsv" if key == "csv" else key: value for key, value in values.items()}
        return values

    @property
    def paths(self) -> tuple[Path, ...]:
        """The TSV file alone, or the source file and the target file."""
        names = (self.tsv, self.source, self.target)
        return tuple(path_below_home(name, "corpus") for name in names if name is not None)

    def _problems(self) -> Iterator[str]:
        if (self.tsv is None) == (self.source is None and self.target is None):
            yield "expected either tsv, or source and target"
        if (self.source is None) != (self.target is None):
            yield "expected both source and target"


class FilesConfig(PairFilesConfig):
    """The files of a training split, and which columns of a table are its sides."""

    columns: list[int] | list[str] | None = Field(
        default=None,
        description="The columns of source and target in tsv: two numbers from 1, or two names."
        " They also apply to validation and test files of more than two columns. null: names in a"
        " header row decide, such as en and German; if there are none, the first two columns.",
    )

    def _problems(self) -> Iterator[str]:
        yield from super()._problems()
        if self.columns is not None:
            if self.tsv is None:
                yield "columns: expected tsv, found source and target, which have no columns"
            is_low = any(isinstance(column, int) and column < 1 for column in self.columns)
            if is_low or len(self.columns) != 2 or len(set(self.columns)) != 2:
                yield f"columns: expected two different columns from 1, found {self.columns}"


class SplitConfig(Section):
    """The shares of a corpus that are held out, if it has no splits of its own.

    The hash of a pair's normalised English sentence (of its source sentence, if no side is
    English) decides its split, so all translations of a sentence stay together.
    """

    validation: float = Field(
        default=0.01, gt=0.0, lt=0.5, description="Share of the sentences for the validation split."
    )
    test: float = Field(
        default=0.01, gt=0.0, lt=0.5, description="Share of the sentences for the test split."
    )


class CleaningConfig(Section):
    """Which sentence pairs are dropped. Pairs with an empty side are always dropped.

    If the model sees every digit as 0, pairs whose sides have different numbers
    are also dropped: they would teach the model to change numbers. Characters are composed
    (Unicode NFC), and each stretch of white space becomes one space. The files themselves are not
    changed. Your own validation and test files are only normalised, so that scores stay comparable.
    """

    drop_duplicates: bool = Field(
        default=True, description="Keep only the first of several equal training pairs."
    )
    drop_held_out: bool = Field(
        default=True,
        description="Drop a training pair if one of its sides, normalised, is also in the"
        " validation or test split.",
    )
    max_length_ratio: float | None = Field(
        default=9.0,
        ge=1.0,
        le=1e6,
        description="Drop a training pair if the tokens of its longer side, divided by the tokens"
        " of the shorter side, exceed this number. null: keep them.",
    )


class CorpusConfig(Section):
    """Where the sentence pairs come from, and how they are cleaned and split."""

    name: CorpusName = Field(
        default="files",
        description="demo, phrasebook: come with the program. tatoeba, multi30k,"
        " multi30k-tokenized: downloaded once; translator corpora lists them. opus:NAME-VERSION:"
        " a corpus of OPUS in any languages, downloaded once. files: your own files, which"
        " the keys train, validation and test name. none: no sentences, as for an imported model.",
    )
    source_language: str = Field(
        default="en",
        min_length=1,
        max_length=40,
        description="Code or English name of the language to translate from; x-NAME for a language"
        " without a code.",
    )
    target_language: str = Field(
        default="de",
        min_length=1,
        max_length=40,
        description="Code or English name of the language to translate into.",
    )
    train: FilesConfig | None = Field(
        default=None,
        description="The files of the training split, for name: files: FILE, {tsv: FILE} or"
        " {source: FILE, target: FILE}.",
    )
    validation: PairFilesConfig | None = Field(
        default=None,
        description="The files of the validation split. null: a share of the training files is"
        " held out, see split.",
    )
    test: PairFilesConfig | None = Field(
        default=None,
        description="The files of the test split. null: if there are no validation files, a share"
        " of the training files is held out, see split; otherwise there is no test split.",
    )
    tokenized: bool = Field(
        default=False,
        description="Whether spaces separate words and punctuation already, as in"
        " multi30k-tokenized; BLEU then counts the words as they are.",
    )
    split: SplitConfig = Field(
        default=SplitConfig(),
        description="Shares of a corpus that are held out, if it has no splits of its own.",
    )
    cleaning: CleaningConfig = Field(
        default=CleaningConfig(), description="Which pairs are dropped."
    )

    @property
    def languages(self) -> tuple[str, str]:
        """The source language and the target language, as the configuration has them."""
        return self.source_language, self.target_language

    @property
    def split_paths(self) -> dict[str, tuple[Path, ...]]:
        """The files of ``train``, ``validation`` and ``test``; leaves out splits without files."""
        splits = {"train": self.train, "validation": self.validation, "test": self.test}
        return {split: files.paths for split, files in splits.items() if files is not None}

    @property
    def is_of_opus(self) -> bool:
        """Whether it is a corpus of OPUS."""
        return self.name.startswith(OPUS)

    @property
    def is_unknown(self) -> bool:
        """Whether the program knows nothing about its pairs: for files and OPUS."""
        return self.name == "files" or self.is_of_opus

    @property
    def own_languages(self) -> tuple[str, str] | None:
        """The corpus's two languages; None if all languages are possible."""
        return None if self.is_unknown or self.name == NONE else ("en", "de")

    @property
    def is_tokenized(self) -> bool:
        """Whether the text already has spaces between words and punctuation."""
        return self.tokenized or self.name == "multi30k-tokenized"

    def _problems(self) -> Iterator[str]:
        if self.name == "files":
            if self.train is None:
                yield "name: files needs the files of train"
        elif self.train is not None or (self.split_paths and not self.is_of_opus):
            has = "no sentences" if self.name == "none" else "its own sentences"
            yield f"{self.name} has {has}: remove the files or set name: files"
        own, codes = self.own_languages, [language_facts(name).code for name in self.languages]
        has_variant = any(set("-_") & set(language) for language in self.languages)
        are_same = codes[0] == codes[1] and not has_variant
        if are_same or self.source_language == self.target_language:
            both = " and ".join(self.languages)
            yield f"expected two languages, found {both}, which are the same"
        if own is not None and set(own) != set(codes):
            yield (
                f"{self.name} has the languages {' and '.join(own)}, found"
                f" {' and '.join(self.languages)}; set these languages, or use name: files with"
                " your own files"
            )


class MixedCorpusConfig(Section):
    """A further corpus, whose training pairs are mixed into those of ``corpus``.

    It has the same languages and the same cleaning. Held-out sentences of ``corpus`` and of this
    corpus are not trained on. Without a tag it is used like ``corpus``: vocabularies, capitals and
    names are learnt from both corpora, and its pairs also teach noise, marks and placeholders.
    """

    name: CorpusName = Field(default="files", description="Its name; see corpus.name.")
    train: FilesConfig | None = Field(default=None, description="Its files, for name: files.")
    weight: float = Field(
        gt=0.0,
        le=1000.0,
        description="The number of its pairs in an epoch, as a multiple of the training pairs of"
        " corpus. Each epoch draws other pairs.",
    )
    tag: str | None = Field(
        default=None,
        description="A tag of tokenizer.tags, such as bt, to put before each of its source"
        " sentences. null: no tag.",
    )

    @property
    def is_learnt_from(self) -> bool:
        """Whether words are learnt from it. A tag means that the corpus is of another kind."""
        return self.tag is None

    def _problems(self) -> Iterator[str]:
        if self.train is None and self.name == "files":
            yield "expected files in train for name: files, found none; add train or change name"
        elif self.train is not None and self.name != "files":
            yield f"expected no train for name: {self.name}, found train; remove train or name"
