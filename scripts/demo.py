"""Translates with the models that come with the program, then shows how to make such a model.

    python scripts/demo.py        (or: make demo)

It trains a small model on the bundled corpus, evaluates it, translates with it and draws heat maps.
It does not repeat a finished training.
"""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from translator import load, plot_attention
from translator.base import machine
from translator.base.files import whole_file
from translator.base.languages import language_facts
from translator.cli import errors_as_one_line
from translator.cli.evaluating import print_scores
from translator.config.schema import Config
from translator.config.yaml_file import read_config
from translator.runs.choosing import shipped_models
from translator.runs.directory import RunDirectory
from translator.translation.results import Translation
from translator.translation.translator import Translator

if TYPE_CHECKING:
    from translator.evaluation.run_evaluation import Evaluation

CONFIG = Path("configs/demo.yaml")
RUN = Path("checkpoints/demo")
MINUTES, WORK = 2.5, 600.0  # of the training: minutes on any processor, GFLOPS times minutes
EVERYDAY = {  # by source language
    "en": (
        "Good morning.",
        "Where is the nearest hospital?",
        "I'll call you back in ten minutes.",
    ),
    "de": (
        "Guten Morgen.",
        "Wo ist das nächste Krankenhaus?",
        "Ich rufe dich in zehn Minuten zurück.",
    ),
}
SENTENCES = (
    "He admired her as a great director.",
    "I went to the shop to buy something to drink.",
    "Anthony Hopkins admired Michael Bay as a great director.",
)


def main() -> None:
    """Announces and runs each stage."""
    machine.is_program = True
    show_shipped_models()
    stage("1/3", f"Train on the bundled corpus: about {estimate_minutes():.0f} minutes here")
    config = read_config(CONFIG)
    train(config)

    stage("2/3", "Translate the held-out sentences and score them")
    from translator.evaluation.run_evaluation import evaluate_split

    translator = load(RUN)
    result = evaluate_split(translator, "test")
    print_scores(result)

    stage("3/3", "Translate three sentences, and draw what every head looked at")
    translations = translator.translate(SENTENCES)
    folder = draw(translator, translations)
    summarise(result, translations, folder)


def show_shipped_models() -> None:
    """Translates everyday sentences with each model that comes with the program."""
    for name in shipped_models():
        translator = load(name)
        source = translator.config.corpus.source_language
        languages = [language_facts(code).name for code in translator.config.corpus.languages]
        print(f"\nThe model {name} comes with the program and knows everyday {languages[0]}:\n")
        for translation in translator.translate(EVERYDAY.get(source, ())):
            print(f"  {translation.source}\n  → {translation.text}")
        print(f"\n  For more, into {languages[1]}: translator translate --from {source}")
    print(
        "\nHow to make such a model: the demo now trains a small model, which knows only the"
        "\nsentences of the bundled corpus's grammar."
    )


def estimate_minutes() -> float:
    """The minutes that the training takes, from one second of multiplying matrices."""
    matrix, products = np.ones((1024, 1024), np.float32), 0
    began = time.perf_counter()
    while (seconds := time.perf_counter() - began) < 1:
        matrix @ matrix
        products += 1
    return MINUTES + WORK / (2e-9 * 1024**3 * products / seconds)


def stage(number: str, what: str) -> None:
    """Announces a stage."""
    print(f"\n[{number}] {what}", flush=True)


def train(config: Config) -> None:
    """Trains, or resumes an interrupted training; does nothing if training is complete."""
    from translator.training.start import train as train_run
    from translator.training.state import read_progress

    run = RunDirectory(RUN)
    if run.last.exists() and read_progress(run).epoch >= config.training.epochs:
        print(f"  {RUN} is already trained; remove it to train again")
        return
    result = train_run(config, RUN, resume=run.record.exists())
    if not result.finished:
        raise SystemExit("interrupted; make demo will continue")


def draw(translator: Translator, translations: list[Translation]) -> Path:
    """Draws the last layer's heads and a sheet of all heads, and writes the explorer."""
    from translator.addons.attention.page import explorer_html, film_html
    from translator.addons.attention.record_files import load_film
    from translator.addons.page.offline_page import save_figure

    folder = RUN / "attention"
    folder.mkdir(exist_ok=True)
    layer = translator.config.model.num_layers
    records = list(translator.attention(translations))
    pictures = {
        f"sentence-{record.sentence}-cross-layer-{layer}.png": plot_attention(record, layer=layer)
        for record in records
    }
    pictures["sentence-1-cross-all-layers.png"] = plot_attention(records[0])
    for name, figure in pictures.items():
        save_figure(figure, folder / name)
        print(f"  {folder / name}")
    explorer = folder / "explorer.html"
    with whole_file(explorer) as file:
        file.write(explorer_html(records).encode())
    print(f"  {explorer}  (open it in a browser)")
    film = folder / "film.html"
    with whole_file(film) as file:
        file.write(film_html(load_film(RunDirectory(RUN).film)).encode())
    print(f"  {film}  (how the heads developed)")
    return folder


def summarise(result: "Evaluation", translations: list[Translation], folder: Path) -> None:
    """Prints the scores, the translations and commands to try next."""
    print("\nBLEU of each phenomenon, on sentences never seen in training:\n")
    cells = [f"{name:<21} {scores.bleu:>5.1f}" for name, scores in result.phenomena.items()]
    rows = -(-len(cells) // 3)
    for row in range(rows):
        print("  " + "    ".join(cells[row::rows]))
    print(f"\nAll {result.scores.sentences:,} sentences: BLEU {result.scores.bleu:.1f}.\n")
    for translation in translations:
        print(f"  {translation.source}\n  → {translation.text}")
    print(f"""
{RUN} knows only the grammar of its corpus, which has 771 lemmas. It answers
any other text with nonsense. Without --run, the model that comes with the program translates.

The heat maps are in {folder}/. Commands to try next:

  source .venv/bin/activate
  translator translate --run {RUN} "The old woman has seen the dog."
  translator attention --run {RUN} "{SENTENCES[0]}" --html explorer.html
  translator explain --run {RUN} "{SENTENCES[0]}" --html head.html
  translator heads {RUN} --ablate --out worth.png
  translator evaluate --run {RUN}
""")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
