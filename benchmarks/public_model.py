"""Measures an imported model of the size of OPUS-MT's, with random weights.

    python benchmarks/public_model.py

It makes an archive as OPUS-MT publishes it (6 layers, d_model 512, 8 heads, dff 2048, 58,101
pieces, 74 million parameters), converts it by CTranslate2's own converter, imports it, and prints
how long each takes, how fast both translate the same sentences, and how long the Keras model
takes to draw all 144 heads. Both translate in turns, and the fastest of each counts.
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.public_models import Shape, write_archive, write_tokenizers  # noqa: E402

SHAPE = Shape(6, 512, 8, 2048, vocab_size=58_101)
SENTENCES, BEAM_SIZE, LENGTH, ROUNDS = 100, 4, 16, 3


def main() -> None:
    """Prints the figures."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "opus-mt-en-de"
        folder.mkdir()
        write_tokenizers(folder)
        write_archive(folder, SHAPE)
        measure(folder, Path(name))


def measure(folder: Path, work: Path) -> None:
    """Converts, imports, translates and draws."""
    import ctranslate2
    from ctranslate2.converters import OpusMTConverter

    import translator
    from translator.addons.public_models.importing import import_model
    from translator.base.machine import ALL_CORES
    from translator.corpora.demo import load_demo_corpus
    from translator.search.engine import SearchOptions

    began = time.perf_counter()
    OpusMTConverter(str(folder)).convert(str(work / "plain"))
    say("CTranslate2's converter", began)
    began = time.perf_counter()
    run = import_model(folder, work / "run", "en", "de", print)
    say("translator import, with its export", began)
    plain = ctranslate2.Translator(str(work / "plain"), inter_threads=ALL_CORES, intra_threads=1)
    began = time.perf_counter()
    ours = translator.load(run.path, "ctranslate2")
    say("loading the run for CTranslate2", began)
    lines = [pair.source for pair in load_demo_corpus().train[:SENTENCES]]
    ids = ours.tokenizers.source.encode(lines)
    pieces = [ours.tokenizers.source.pieces(row[:-1]) for row in ids]
    options = SearchOptions(beam_size=BEAM_SIZE)

    def translate_plain() -> list[list[str]]:
        results = plain.translate_batch(
            pieces,
            beam_size=BEAM_SIZE,
            max_batch_size=-(-SENTENCES // ALL_CORES),
            max_decoding_length=LENGTH,
            disable_unk=True,
            return_end_token=True,
        )
        return [result.hypotheses[0] for result in results]

    def translate_imported() -> list[list[str]]:
        found = ours.engine.search(ids, [LENGTH] * len(ids), options)
        return [ours.tokenizers.target.pieces(best[0].ids) for best in found]

    times: dict[str, list[float]] = {"plain CTranslate2": [], "imported run": []}
    texts: list[Any] = []
    for _ in range(ROUNDS):
        for name, run_once in zip(times, (translate_plain, translate_imported)):
            began = time.perf_counter()
            texts.append(run_once())
            times[name].append(time.perf_counter() - began)
    best = {name: min(seconds) for name, seconds in times.items()}
    for name, seconds in best.items():
        print(f"{name}: {SENTENCES} sentences in {seconds:.2f} s, beam {BEAM_SIZE}")
    ratio = best["imported run"] / best["plain CTranslate2"]
    same = sum(one == other for one, other in zip(texts[0], texts[1]))
    print(f"ratio {ratio:.3f}; {same} of {SENTENCES} translations are the same tokens")
    draw(run.path, work)


def draw(run: Path, work: Path) -> None:
    """Loads the Keras model and draws every head of every layer, encoder, decoder and cross."""
    import translator
    from translator.base.figures import save_figure
    from translator.translation.options import TranslationOptions
    from translator.translation.records import KINDS

    model = translator.load(run, "ctranslate2")
    began = time.perf_counter()
    print(f"Keras model: {model.model.count_params():,} parameters")
    say("loading it", began)
    began = time.perf_counter()
    options = TranslationOptions(max_length=14)
    [record] = model.attention(model.translate(["The old man sees the house."], options))
    say("translating a sentence and reading its attention", began)
    for kind in KINDS:
        save_figure(translator.plot_attention(record, kind), work / f"{kind}.png")
    say(f"the same, and drawing {3 * record.encoder[:, :, 0, 0].size} heads", began)


def say(what: str, began: float) -> None:
    """Prints how long something took."""
    print(f"{what}: {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
