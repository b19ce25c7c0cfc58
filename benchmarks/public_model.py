"""Measures an imported model of the size of OPUS-MT's, with random weights.

    python benchmarks/public_model.py

It makes a model as OPUS-MT publishes it (6 layers, d_model 512, 8 heads, dff 2048, 58,101 pieces,
74 million parameters), converts Marian's archive of it by CTranslate2's own converter, imports the
folder of Hugging Face, and prints how long each takes, how fast both translate the same sentences,
and how long the Keras model takes to draw all 144 heads. Both translate in turns, and the fastest
of each counts.
"""

import functools
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import harness

import translator
from translator.addons.public_models.importing import import_model
from translator.base.figures import save_figure
from translator.base.machine import ALL_CORES
from translator.cli import errors_as_one_line
from translator.corpora.demo import load_demo_corpus
from translator.search.engine import SearchOptions
from translator.translation.options import TranslationOptions
from translator.translation.records import KINDS
from translator.translation.translator import Translator

sys.path.append(str(harness.ROOT))
from tests.public_models import (  # noqa: E402
    Shape,
    write_archive,
    write_hugging_face,
    write_tokenizers,
)

SHAPE = Shape(6, 512, 8, 2048, vocab_size=58_101)
SMALL = Shape(1, 16, 2, 16, vocab_size=400)
BEAM_SIZE, LENGTH = 4, 16


def main() -> None:
    """Converts, imports, translates and draws; prints the figures."""
    from ctranslate2.converters import OpusMTConverter

    parser = harness.Parser(__doc__, rounds=3)
    parser.add_argument("--sentences", type=int, default=100, help="(default: 100)")
    options = parser.parse(sentences=4, rounds=1)
    rows: list[harness.Row] = []

    def note(what: str, run: Callable[[], object]) -> None:
        rows.append([what, f"{harness.timed(run):.1f} s"])

    with tempfile.TemporaryDirectory() as name:
        work, folder = Path(name), Path(name) / "opus-mt-en-de"
        folder.mkdir()
        write_tokenizers(folder)
        for write in (write_archive, write_hugging_face):
            write(folder, SMALL if options.small else SHAPE)
        convert = functools.partial(OpusMTConverter(str(folder)).convert, str(work / "plain"))
        note("CTranslate2's own converter", convert)
        import_it = functools.partial(import_model, folder, work / "run", "en", "de", print)
        note("translator import, with its export", import_it)
        opened = translator.load(work / "run", "ctranslate2")
        rows += compare(opened, work / "plain", options.sentences, options.rounds)
        note("loading the Keras model", lambda: opened.model)
        rows.append(["its parameters", opened.model.count_params()])
        note("translating a sentence and drawing its heads", lambda: draw(opened, work))
    harness.show(options, "public-model", "A model of OPUS-MT's size", ["", ""], rows)


def compare(opened: Translator, plain: Path, count: int, rounds: int) -> list[harness.Row]:
    """Translates with CTranslate2's conversion and with the imported run in turns."""
    import ctranslate2

    model = ctranslate2.Translator(str(plain), inter_threads=ALL_CORES, intra_threads=1)
    ids = opened.tokenizers.source.encode([p.source for p in load_demo_corpus().test[:count]])
    pieces = [opened.tokenizers.source.pieces(row[:-1]) for row in ids]
    search = SearchOptions(beam_size=BEAM_SIZE)
    texts: dict[str, list[list[str]]] = {}

    def translate_plain() -> None:
        results = model.translate_batch(
            pieces,
            beam_size=BEAM_SIZE,
            max_batch_size=-(-count // ALL_CORES),
            max_decoding_length=LENGTH,
            disable_unk=True,
            return_end_token=True,
        )
        texts["plain"] = [result.hypotheses[0] for result in results]

    def translate_imported() -> None:
        found = opened.engine.search(ids, [LENGTH] * len(ids), search)
        texts["imported"] = [opened.tokenizers.target.pieces(best[0].ids) for best in found]

    variants = {
        f"{count} sentences, beam of {BEAM_SIZE}, converted by CTranslate2": translate_plain,
        "the same, imported": translate_imported,
    }
    timed = {name: functools.partial(harness.timed, run) for name, run in variants.items()}
    seconds = {name: min(found) for name, found in harness.in_turns(timed, rounds, 0).items()}
    same = sum(one == other for one, other in zip(texts["plain"], texts["imported"]))
    rows: list[harness.Row] = [[name, f"{taken:.2f} s"] for name, taken in seconds.items()]
    return [*rows, ["translations of the same tokens", f"{same} of {count}"]]


def draw(opened: Translator, work: Path) -> None:
    """Draws every head of every layer: encoder, decoder and cross-attention."""
    options = TranslationOptions(max_length=14)
    [record] = opened.attention(opened.translate(["The old man sees the house."], options))
    for kind in KINDS:
        save_figure(translator.plot_attention(record, kind), work / f"{kind}.png")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
