"""Lists removed parts of earlier versions and their replacements, for one-line errors."""

from typing import Any

# A name is a command, a command with an option or a file, a key, or a key with a removed value. The
# text says what to use instead.
GONE = {
    "decoding.replace_unknown": "placeholders copy unknown words, see tokenizer.masks",
    "align": "awesome-align or eflomal align words; translator heads says which heads align",
    "embeddings": "neighbours --projector FOLDER writes files for TensorBoard's projector",
    "film": "translator attention --film RUN --html PAGE.html shows it",
    "heads --gold": "awesome-align or eflomal measure alignments against gold files",
    "train --coordinator": "set the environment variables that docs/scaling.md names",
    "translate --min-length": "--length-penalty above 1 makes translations longer",
    "attention --min-length": "--length-penalty above 1 makes translations longer",
    "translate --format xliff": "the Translate Toolkit's xliff2po converts it to a .po file",
    "translate --format tmx": "a translation tool, such as OmegaT, reads it",
    "translate --format android": "a translation tool, such as OmegaT, reads it",
    "import decoder.yml": "transformers' convert_marian_to_pytorch converts it to their form",
    "data.bpe_dropout": "data.noise and model.dropout_rate help against overfitting",
    "name: cldr": "its names are in the phrasebook; set name: phrasebook",
    "name: mtdata": "mtdata echo ID > pairs.tsv writes its pairs; name this file under train",
    "corpus.synthetic": "name these files under corpora, with a weight and a tag",
    "corpus.cleaning.normalize_unicode": "characters are always composed",
    "corpus.cleaning.normalize_whitespace": "white space always becomes one space",
    "corpus.cleaning.drop_empty": "pairs with an empty side are always dropped",
    "corpus.cleaning.drop_unequal_numbers": "pairs with different numbers are dropped where the"
    " model sees 0 for every digit",
    "model.initializer": "kernels begin with Glorot's uniform values",
    "model.initializer_gain": "kernels begin with Glorot's uniform values",
    "tokenizer.vectors": "embeddings begin with random values",
    "training.adam_beta_1": "its value is 0.9, as in the paper",
    "training.adam_beta_2": "its value is 0.98, as in the paper",
    "training.adam_epsilon": "its value is 1e-9, as in the paper",
    "decoding.channel": "leave it out: a beam without it is less than one point worse",
    "training.jit_compile": "JAX always compiles, TensorFlow never does",
    "training.keep_best": "training.keep_last keeps the weights of the latest validations",
    "training.average": "training.keep_last=5 averages the weights of the last five validations",
    "average --best": "translator average RUN --last 5 averages the last five validations",
}
ALWAYS = {  # the fixed values that replace removed keys
    "corpus.synthetic": None,
    "corpus.cleaning.normalize_unicode": True,
    "corpus.cleaning.normalize_whitespace": True,
    "corpus.cleaning.drop_empty": True,
    "corpus.cleaning.drop_unequal_numbers": "auto",
    "data.bpe_dropout": 0.0,
    "training.adam_beta_1": 0.9,
    "training.adam_beta_2": 0.98,
    "training.adam_epsilon": 1e-9,
    "tokenizer.vectors": False,
    "model.initializer": "glorot_uniform",
    "model.initializer_gain": 1.0,
    "decoding.replace_unknown": False,
}
# A file is still read if its removed keys have these values. Keys that are not in ALWAYS had no
# effect on what a run learns, so a run is resumed with any of these values.
HARMLESS: dict[str, tuple[Any, ...]] = {
    **{name: (value,) for name, value in ALWAYS.items()},
    "decoding.channel": (None,),
    "training.jit_compile": ("auto", True, False),
    "training.keep_best": (0,),
    "training.average": ("none", "last"),
}
NAMES_OF_CORPORA = ("corpus.name.", "corpora.name.")


def gone_line(name: str) -> str | None:
    """The line for a user who asks for a removed name; None if the name was not removed."""
    known = ":".join(name.split(":")[:2])  # mtdata:ID without its ID
    return f"{known}: was removed in 0.3.0; {GONE[known]}" if known in GONE else None


def without_gone(values: Any, place: str = "") -> Any:
    """The configuration of a run without removed keys and corpora.

    A user's file with such keys is refused. A run with such keys is read, because translating does
    not need them.

    Args:
        values: the values of a section, of a list of sections, or of a key.
        place: the full name of the section or key, and a dot; empty for the whole configuration.
    """
    if isinstance(values, list):
        return [without_gone(entry, place) for entry in values]
    if isinstance(values, dict):
        return {
            key: without_gone(value, f"{place}{key}.")
            for key, value in values.items()
            if not place or gone_line(f"{place}{key}") is None  # it names a command
        }
    return "none" if place in NAMES_OF_CORPORA and gone_line(f"name: {values}") else values
