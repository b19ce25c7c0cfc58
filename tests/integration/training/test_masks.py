"""A run with masks end to end: what training saw as masks is put back in translations."""

import itertools

import pytest

import translator
from tests.builders import SIDES, quiet
from translator.config.yaml_file import validate_config
from translator.tokenizers.masks import MASKS
from translator.tokenizers.training import train_stand_in
from translator.training.start import train
from translator.translation.drafting import draft_line
from translator.translation.options import TranslationOptions

NAMES = ("Anna", "Bert", "Clara", "David", "Emma", "Fritz", "Greta", "Hugo", "Ida", "Karl", "Lena")
VERBS = (("has", "hat"), ("sees", "sieht"), ("wants", "will"))
THINGS = (("dogs", "Hunde"), ("books", "Bücher"), ("houses", "Häuser"))
NUMBERS = ("12", "35", "48", "1,250")


def named_pairs() -> list[tuple[str, str]]:
    """Sentences with names and numbers; none of them is said twice."""
    triples = itertools.product(VERBS, THINGS, NUMBERS)
    return [
        (f"{name} {verb[0]} {number} {thing[0]}.",
         f"{name} {verb[1]} {number.replace(',', '.')} {thing[1]}.")
        for (verb, thing, number), name in zip(triples, itertools.cycle(NAMES))
    ]  # fmt: skip


@pytest.fixture(scope="module", params=["sentencepiece", "bpemb"])
def masked_run(request, tmp_path_factory, copy_of_trained):
    """A finished run of a small vocabulary, in which nothing can be learnt but masks."""
    folder = tmp_path_factory.mktemp("masked")
    text = "".join(f"{source}\t{target}\n" for source, target in named_pairs())
    (folder / "pairs.tsv").write_text(text, "utf-8")
    files = {"tsv": str(folder / "pairs.tsv")}
    tokenizer = {
        "sentencepiece": {"vocab_size": 330, "shared": True},
        "bpemb": {"name": "bpemb", "vocab_size": 1000}
        | {f"{side}_model": str(folder / f"{side}.model") for side in SIDES},
    }[request.param]
    for side, sentences in zip(SIDES, zip(*named_pairs())):
        (folder / f"{side}.model").write_bytes(train_stand_in(sentences, 150))
    values = {
        "corpus": {"train": files, "validation": files, "cleaning": {"drop_held_out": False}},
        "tokenizer": tokenizer | {"masks": 0.9},
        "data": {"max_length": 24, "batch_size": 6},
        "model": {"num_layers": 2, "d_model": 32, "num_heads": 2, "dff": 64},
        "training": {
            "epochs": 36,
            "schedule": {"name": "constant", "learning_rate": 4e-3, "warmup_steps": 10},
        },
    }
    config = validate_config(values, "test")
    return copy_of_trained(
        f"masked-{request.param}", lambda run_dir: train(config, run_dir, report=quiet)
    )


@pytest.mark.parametrize("engine", ["keras", "ctranslate2"])
def test_names_and_numbers_that_training_never_saw_are_carried(masked_run, engine):
    model = translator.load(masked_run, engine=engine)
    lines = ["Zacharias has 4,711 books.", "Quentin sees 99 dogs. Olga wants 1.5 houses."]
    found = model.translate(lines, TranslationOptions(beam_size=2))
    words = [each.hypotheses[0].text.split() for each in found]
    for line, carried in zip(words, (("Zacharias", "4.711"), ("Quentin", "99", "Olga", "1,5"))):
        assert [line.count(word) for word in carried] == [1] * len(carried), line


def test_drafts_have_what_masks_stand_for(masked_run):
    model = translator.load(masked_run, engine="ctranslate2")
    line = model.make_reader().read("Quentin sees 99 dogs.", "line 1")
    *_, last = draft_line(model, line, TranslationOptions())
    assert "Quentin" in last
    assert not any(character in MASKS for character in last)


def test_attention_of_given_pairs_is_read_with_masks(masked_run):
    model = translator.load(masked_run)
    [record] = model.attention_of_pairs(["Olga has 99 dogs."], ["Olga hat 99 Hunde."])
    assert {"⟨1⟩", "⟨#1⟩"} <= {*record.source_tokens} & {*record.target_tokens}
    good, bad = model.score(
        ["Olga has 99 dogs."] * 2, ["Olga hat 99 Hunde.", "Olga hat 99 Häuser."]
    )
    assert good.log_probability > bad.log_probability
