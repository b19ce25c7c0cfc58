"""The whole road on the bundled corpus: train, evaluate, translate, draw heat maps.

    python scripts/demo.py        (or: make demo)

What is done already is not done again.
"""

from pathlib import Path

from translator.config import read_config
from translator.run import RunDirectory
from translator.startup import start_keras

CONFIG = Path("configs/demo.yaml")
RUN = Path("checkpoints/demo")
SENTENCES = (
    "He admired her as a great director.",
    "I went to the shop to buy something to drink.",
    "Anthony Hopkins admired Michael Bay as a great director.",
)


def main() -> None:
    """Says what each stage does and how long it takes on two cores, and does it."""
    stage("1/4", "Train on the bundled corpus", "3 minutes")
    config = read_config(CONFIG)
    start_keras()
    train(config)

    stage("2/4", "Translate the held-out sentences and score them", "20 seconds")
    import translator
    from translator.cli import print_evaluation
    from translator.evaluation import evaluate_split

    model = translator.load(RUN)
    result = evaluate_split(model, "test")
    print_evaluation(result)

    stage("3/4", "Translate three sentences", "2 seconds")
    translations = model.translate(SENTENCES)
    for translation in translations:
        print(f"  {translation.source}\n  {translation.text}\n")

    stage("4/4", "Draw what every head looked at", "10 seconds")
    folder = draw(model, translations)
    summarise(result, translations, folder)


def stage(number, what, how_long) -> None:
    """Announces a stage."""
    print(f"\n[{number}] {what} (usually {how_long})", flush=True)


def train(config) -> None:
    """Trains, goes on with a training that was interrupted, or sees that it is done."""
    from translator.training.checkpoint import read_position
    from translator.training.trainer import train as train_run

    run = RunDirectory(RUN)
    begun = run.last.exists()
    if begun and read_position(run.last).epoch >= config.training.epochs:
        print(f"  {RUN} is trained already; remove it to train anew")
        return
    result = train_run(config, RUN, resume=begun)
    if not result.finished:
        raise SystemExit("interrupted; make demo goes on from here")


def draw(model, translations) -> Path:
    """Draws the last layer's heads, cross-attention of each sentence and the rest of one."""
    from translator.attention.plots import plot_heads, save_figure

    folder = RUN / "attention"
    folder.mkdir(exist_ok=True)
    layer = model.config.model.num_layers
    for number, translation in enumerate(translations, start=1):
        record = model.attention(translation.source, translation.hypotheses[0])
        for kind in ("cross", "encoder", "decoder") if number == 1 else ("cross",):
            path = folder / f"sentence-{number}-{kind}-layer-{layer}.png"
            save_figure(plot_heads(record, kind, layer), path)
            print(f"  {path}")
    return folder


def summarise(result, translations, folder) -> None:
    """Ends with what there is now and what to type next."""
    weakest = min(result.phenomena.items(), key=lambda item: item[1].bleu)
    print(f"""
Done. BLEU {result.scores.bleu:.1f} and chrF {result.scores.chrf:.1f} on\
 {result.scores.sentences:,} sentences never seen in training;
the weakest of {len(result.phenomena)} phenomena is {weakest[0]} with BLEU {weakest[1].bleu:.1f}.
""")
    for translation in translations:
        print(f"  {translation.source}\n  → {translation.text}")
    print(f"""
Heat maps lie in {folder}/. Next, type for instance:

  source .venv/bin/activate
  translator translate "The old woman has seen the dog." --run {RUN}
  translator attention "{SENTENCES[0]}" --run {RUN} --kind cross --layer 4 --out maps.png
  translator demo-pairs --count 10 --alignment
  translator train --help
""")


if __name__ == "__main__":
    main()
