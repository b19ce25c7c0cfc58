"""The whole road on the bundled corpus: train, evaluate, translate, draw heat maps.

    python scripts/demo.py        (or: make demo)

What is done already is not done again.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import translator
from translator.base.files import whole_file
from translator.base.keras_startup import start_keras
from translator.cli import errors_as_one_line
from translator.cli.evaluating import print_scores
from translator.config.schema import Config
from translator.config.yaml_file import read_config
from translator.runs.directory import RunDirectory
from translator.translation.results import Translation
from translator.translation.translator import Translator

if TYPE_CHECKING:
    from translator.evaluation.run_evaluation import Evaluation

CONFIG = Path("configs/demo.yaml")
RUN = Path("checkpoints/demo")
SENTENCES = (
    "He admired her as a great director.",
    "I went to the shop to buy something to drink.",
    "Anthony Hopkins admired Michael Bay as a great director.",
)


def main() -> None:
    """Says what each stage does and how long it takes on two cores, and does it."""
    stage("1/4", "Train on the bundled corpus", "2 to 3 minutes")
    config = read_config(CONFIG)
    start_keras()
    train(config)

    stage("2/4", "Translate the held-out sentences and score them", "20 seconds")
    from translator.evaluation.run_evaluation import evaluate_split

    model = translator.load(RUN)
    result = evaluate_split(model, "test")
    print_scores(result)

    stage("3/4", "Translate three sentences", "2 seconds")
    translations = model.translate(SENTENCES)
    for translation in translations:
        print(f"  {translation.text}")

    stage("4/4", "Draw what every head looked at", "10 seconds")
    folder = draw(model, translations)
    summarise(result, translations, folder)


def stage(number: str, what: str, how_long: str) -> None:
    """Announces a stage."""
    print(f"\n[{number}] {what} (usually {how_long})", flush=True)


def train(config: Config) -> None:
    """Trains, goes on with a training that was interrupted, or sees that it is done."""
    from translator.training.state import read_progress
    from translator.training.trainer import train as train_run

    run = RunDirectory(RUN)
    if run.last.exists() and read_progress(run).epoch >= config.training.epochs:
        print(f"  {RUN} is trained already; remove it to train anew")
        return
    result = train_run(config, RUN, resume=run.marker.exists())
    if not result.finished:
        raise SystemExit("interrupted; make demo goes on from here")


def draw(model: Translator, translations: list[Translation]) -> Path:
    """Draws the last layer's heads and a sheet of all, and writes the explorer."""
    from translator.attention.drawing.heat_maps import plot_attention
    from translator.attention.page.explorer import explorer_html
    from translator.attention.views import View
    from translator.base.figures import save_figure

    folder = RUN / "attention"
    folder.mkdir(exist_ok=True)
    layer = model.config.model.num_layers
    records = list(model.attention(translations))
    pictures = {
        f"sentence-{record.sentence}-cross-layer-{layer}.png": (record, View(layer=layer))
        for record in records
    }
    pictures["sentence-1-cross-all-layers.png"] = (records[0], View())
    for name, (record, view) in pictures.items():
        save_figure(plot_attention(record, view), folder / name)
        print(f"  {folder / name}")
    explorer = folder / "explorer.html"
    with whole_file(explorer) as file:
        file.write(explorer_html(records).encode())
    print(f"  {explorer}  (open it in a browser)")
    return folder


def summarise(result: "Evaluation", translations: list[Translation], folder: Path) -> None:
    """Ends with what there is now and what to type next."""
    print("\nBLEU of each phenomenon, on sentences never seen in training:\n")
    cells = [f"{name:<21} {scores.bleu:>5.1f}" for name, scores in result.phenomena.items()]
    rows = -(-len(cells) // 3)
    for row in range(rows):
        print("  " + "    ".join(cells[row::rows]))
    print(f"\nAll {result.scores.sentences:,} together: BLEU {result.scores.bleu:.1f}.\n")
    for translation in translations:
        print(f"  {translation.source}\n  → {translation.text}")
    print(f"""
Heat maps lie in {folder}/. Next, type for instance:

  source .venv/bin/activate
  translator translate "The old woman has seen the dog."
  translator attention "{SENTENCES[0]}" --html explorer.html
  translator heads {RUN}
  translator evaluate
  translator demo-pairs --count 10 --alignment
""")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
