"""Translating with a tiny trained run."""

import io
import itertools
import os
import shutil
import signal
import threading
import warnings

import numpy as np
import pytest

import translator
from translator.base.errors import InputError
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays, save_arrays
from translator.text.sentences import LinePart, cut_to_fit
from translator.translation.options import TranslationOptions
from translator.translation.streaming import translate_lines
from translator.translation.translator import Translator

SENTENCES = ["The man sees the cat.", "The dog loves the house.", "The woman knows the book."]
GERMAN = ["Der Mann sieht die Katze.", "Der Hund liebt das Haus.", "Die Frau kennt das Buch."]


@pytest.mark.parametrize(
    "given",
    [SENTENCES, map(str, SENTENCES), dict.fromkeys(SENTENCES), io.StringIO("\n".join(SENTENCES))],
    ids=["list", "map", "keys", "file"],
)
def test_translations_come_in_the_order_of_any_sentences(tiny_translator, given):
    translations = tiny_translator.translate(given)
    assert [its.text for its in translations] == GERMAN
    assert [its.source for its in translations] == SENTENCES


@pytest.mark.parametrize(
    ("line", "text"),
    [
        *((blank, "") for blank in ("", "   ", "\t \t", "\u00a0", "\u200b\u200b", "\ufeff")),
        (" \u2003\x00", ""),
        *((same, same) for same in ("👩‍👩‍👧 🏳️‍🌈", "🙂🙂", "... ?!", "★ → ★", " (= ")),
        *(
            (f"{SENTENCES[0]}{space}{SENTENCES[1]}", f"{GERMAN[0]} {GERMAN[1]}")
            for space in ("\r", "\x0b", "\u2028", "\x85", "\n")
        ),
        (f"{SENTENCES[0]} 你好! {SENTENCES[1]}", f"{GERMAN[0]} 你好! {GERMAN[1]}"),
    ],
)
def test_a_line_stays_one_and_keeps_what_cannot_be_translated(tiny_translator, line, text):
    options = TranslationOptions(errors="replace")
    translations = tiny_translator.translate([SENTENCES[0], line, SENTENCES[1]], options)
    assert [its.text for its in translations] == [GERMAN[0], text, GERMAN[1]]


def test_other_casing_is_translated_as_an_ordinary_sentence(tiny_translator):
    sentence, german = SENTENCES[0], GERMAN[0]
    for text in (sentence.lower(), sentence.title(), sentence.upper()):
        [translation] = tiny_translator.translate(text)
        assert translation.source == text
        assert translation.text == (german.upper() if text.isupper() else german)
    raw = TranslationOptions(raw=True)
    [as_it_is] = tiny_translator.translate(sentence.upper(), raw)
    assert as_it_is.hypotheses[0].source_ids == tuple(
        tiny_translator.tokenizers.source.encode(sentence.upper())[0]
    )


@pytest.mark.parametrize(
    ("engine", "split"),
    [
        ("ctranslate2", True),
        ("ctranslate2", False),
        ("keras", True),
        pytest.param("keras", False, marks=pytest.mark.slow),
    ],
)
def test_what_opens_a_line_stays_and_the_rest_is_translated_alone(tiny_on, engine, split):
    model = tiny_on(engine)
    options = TranslationOptions(n_best=2, beam_size=2, split=split)
    marks = ("- ", "2) ", "  > -\t", "1. ", "[ ] ", "### ")[: 2 if engine == "keras" else None]
    [alone, *marked] = model.translate([SENTENCES[0], *(m + SENTENCES[0] for m in marks)], options)
    for mark, translation in zip(marks, marked):
        assert translation.source == mark + SENTENCES[0]
        texts = [hypothesis.text for hypothesis in translation.hypotheses]
        assert texts == [mark + hypothesis.text for hypothesis in alone.hypotheses]
        assert translation.hypotheses[0].ids == alone.hypotheses[0].ids
    prefix = TranslationOptions(prefix="Der Hund", split=split)
    [plain, with_mark] = model.translate([SENTENCES[0], f"- {SENTENCES[0]}"], prefix)
    assert with_mark.text == f"- {plain.text}"


def test_a_line_with_a_mark_has_the_attention_of_its_sentence(tiny_translator):
    for options in (TranslationOptions(), TranslationOptions(per_sentence=True)):
        both = tiny_translator.translate([SENTENCES[0], f"- {SENTENCES[0]}"], options)
        alone, marked = tiny_translator.attention(both)
        assert marked.source_tokens == alone.source_tokens
        assert np.allclose(marked.cross, alone.cross, atol=1e-5)


def test_an_aside_stands_in_the_translation_of_its_sentence(tiny_translator):
    lines = ["The man (In the house) sees the cat.", "The man sees the cat.", "(In the house)"]
    whole, main, aside = (each.text for each in tiny_translator.translate(lines))
    assert aside in whole
    assert whole.replace(f"{aside} ", "") == main
    options = TranslationOptions(per_sentence=True)
    assert [each.text for each in tiny_translator.translate(lines[0], options)] == [whole, aside]
    assert len(list(tiny_translator.attention(tiny_translator.translate(lines[0], options)))) == 2


def test_a_long_sentence_in_capitals_is_cut_and_written_in_capitals(tiny_translator):
    long = ", ".join(["the man sees the cat"] * 12)
    [lower], [capitals] = (tiny_translator.translate(text) for text in (long, long.upper()))
    assert lower.text[:3] == "Der"
    assert capitals.text == lower.text.upper()


def test_batch_and_alone_give_the_same(tiny_translator, tiny_corpus):
    sentences = (tiny_corpus / "test.en").read_text("utf-8").splitlines()
    together = tiny_translator.translate(sentences, TranslationOptions(beam_size=3, n_best=3))
    for sentence, translation in zip(sentences[:4], together):
        [alone] = tiny_translator.translate([sentence], TranslationOptions(beam_size=3, n_best=3))
        assert [h.text for h in alone.hypotheses] == [h.text for h in translation.hypotheses]
        for one, other in zip(alone.hypotheses, translation.hypotheses):
            assert one.score == pytest.approx(other.score, abs=1e-4)


def test_log_probability_is_the_model_s_own(tiny_translator):
    """The sum of a beam's steps equals one pass over the hypothesis, among what may be produced."""
    [translation] = tiny_translator.translate(
        SENTENCES[:1], TranslationOptions(beam_size=3, n_best=3)
    )
    [source] = tiny_translator.tokenizers.source.encode(SENTENCES[:1])
    target = tiny_translator.tokenizers.target
    forbidden = [target.start_id, target.padding_id, target.unknown_id, *target.control_ids]
    for hypothesis in translation.hypotheses:
        given = [target.start_id, *hypothesis.ids[:-1]]
        logits = np.array(tiny_translator.model((np.array([source]), np.array([given]))))[0]
        logits[:, forbidden] = -np.inf
        likely = logits - np.log(np.exp(logits.astype("float64")).sum(-1, keepdims=True))
        total = sum(likely[i, token] for i, token in enumerate(hypothesis.ids))
        assert hypothesis.log_probability == pytest.approx(total, abs=1e-4)


def test_max_length_bounds_the_tokens(tiny_translator):
    [translation] = tiny_translator.translate(SENTENCES[:1], TranslationOptions(max_length=3))
    assert translation.text == "Der Mann sieht"


def test_a_closed_stream_releases_its_lines(tiny_translator):
    read, closed = [], threading.Event()

    def lines():
        try:
            for number in itertools.count():
                read.append(number)
                yield SENTENCES[0]
        finally:
            closed.set()

    endless = lines()
    stream = translate_lines(tiny_translator, endless, TranslationOptions(beam_size=1))
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    del endless
    assert closed.wait(10)
    assert len(read) < 5000


def test_options_out_of_range_are_refused(tiny_translator):
    for options, message in [
        ({"beam_size": 0}, r"beam size: expected 1 to 179, found 0"),
        ({"beam_size": 180}, r"beam size: expected 1 to 179, found 180"),
        ({"beam_size": 2, "n_best": 3}, r"n-best: expected 1 to the beam size \(2\), found 3"),
        ({"n_best": 0}, r"n-best: expected 1 to"),
        ({"beam_size": 10**400}, "000; 4 is usual"),
        ({"prefix": GERMAN[0] * 3}, r"prefix: expected fewer than 23"),
        ({"length_penalty": -1.0}, r"length penalty: expected 0 to 10, found -1.0"),
        ({"length_penalty": float("nan")}, r"length penalty: expected 0 to 10, found nan"),
        ({"max_length": 24}, r"max length: expected 1 to 23 tokens"),
        ({"sample": True, "temperature": 0.0}, r"temperature: expected 0.001 to 100, found 0.0"),
        ({"sample": True, "temperature": 1e-46}, r"temperature: expected .*, found 1e-46"),
        ({"sample": True, "temperature": 101}, r"temperature: expected .*, found 101"),
        ({"sample": True, "temperature": float("nan")}, r"temperature: expected .*, found nan"),
        ({"sample": True, "top_k": 0}, r"top-k: expected at least 1, found 0; leave it out to"),
        ({"sample": True, "top_p": 1e-9}, r"top-p: expected 0.000001 to 1, found 1e-09"),
        ({"sample": True, "top_p": 1.5}, r"top-p: expected 0.000001 to 1, found 1.5"),
        ({"sample": True, "top_p": float("nan")}, r"top-p: expected .*, found nan; 0.9 is usual"),
        ({"sample": True, "n_best": 0}, r"n-best: expected 1 to 1024 samples, found 0"),
        ({"sample": True, "n_best": 1025}, r"n-best: expected 1 to 1024 samples, found 1025"),
    ]:
        with pytest.raises(InputError, match=message):
            tiny_translator.translate(SENTENCES, TranslationOptions(**options))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (" ".join(SENTENCES * 3), r"line 2: expected at most 24 tokens, .* found \d+"),
        ("你好", "line 2: expected en text, found only characters"),
    ],
)
def test_the_error_of_a_line_names_it(tiny_translator, line, message):
    with pytest.raises(InputError, match=message):
        tiny_translator.translate(
            [SENTENCES[0], line], TranslationOptions(split=False, errors="strict")
        )


def test_lines_of_several_sentences_are_translated_one_by_one(tiny_translator):
    line = f"{SENTENCES[0]}  {SENTENCES[1]} {SENTENCES[2]}"
    [translation] = tiny_translator.translate([line], TranslationOptions(n_best=2, beam_size=2))
    assert translation.text == f"{GERMAN[0]}  {GERMAN[1]} {GERMAN[2]}"
    best, second = translation.hypotheses
    assert best.score > second.score
    [plain] = tiny_translator.translate([line], TranslationOptions(beam_size=2))
    assert plain.hypotheses[0] == best
    alone = [
        t.hypotheses[0]
        for t in tiny_translator.translate(SENTENCES, TranslationOptions(beam_size=2))
    ]
    assert best.score == pytest.approx(sum(h.score for h in alone), abs=1e-4)
    assert best.log_probability == pytest.approx(sum(h.log_probability for h in alone), abs=1e-4)
    assert best.ids == sum((h.ids for h in alone), ())


def test_a_sentence_longer_than_the_model_takes_is_cut_and_reported(tiny_run):
    model = Translator(RunDirectory(tiny_run))
    long = "The man sees the cat, " * 5 + "the dog loves the house."
    [(_, [_, translation])] = translate_lines(model, [SENTENCES[0], long], file="text.en")
    encode = model.tokenizers.source.encode
    parts = cut_to_fit(LinePart(long, ""), lambda text: len(encode([text])[0]) <= 24)
    assert len(parts) > 1
    assert "".join(part.text + part.space for part in parts) == long
    alone = model.translate([part.text for part in parts])
    assert translation.text == " ".join(its.text for its in alone)
    [doubt] = [each.text for each in translation.doubts if "tokens" in each.text]
    assert doubt.startswith("a sentence of 38 tokens")
    assert "the model takes at most 24" in doubt


@pytest.mark.parametrize("engine", ["keras", "ctranslate2"])
def test_a_prefix_begins_the_line_and_not_each_sentence(tiny_on, engine):
    model = tiny_on(engine)
    [plain] = model.translate([SENTENCES[0]], TranslationOptions(prefix="Der Hund"))
    [two] = model.translate(
        [f"{SENTENCES[0]} {SENTENCES[2]}"], TranslationOptions(prefix="Der Hund")
    )
    assert plain.text.startswith("Der Hund")
    assert two.text == f"{plain.text} {GERMAN[2]}"


def test_control_characters_are_never_produced(tiny_translator):
    """Byte fallback could spell a line feed, and one line would become two."""
    target = tiny_translator.tokenizers.target
    assert len(target.control_ids) == 33
    assert "\n" in target.decode(target.control_ids)


def test_one_string_counts_as_a_list_of_one(tiny_translator):
    [translation] = tiny_translator.translate(SENTENCES[0])
    assert translation.text == GERMAN[0]
    assert tiny_translator.score(SENTENCES[0], GERMAN[0]) == tiny_translator.score(
        SENTENCES[:1], GERMAN[:1]
    )
    [record] = tiny_translator.attention_of_pairs(SENTENCES[0], GERMAN[0])
    assert record.source == SENTENCES[0]
    encode = tiny_translator.tokenizers.source.encode
    assert encode(SENTENCES[0]) == encode(SENTENCES[:1])


def test_what_is_no_option_and_pairs_of_different_numbers_are_refused(tiny_translator):
    with pytest.raises(InputError, match="options: expected TranslationOptions, found dict"):
        tiny_translator.translate("He", {"beam_size": 4})
    with pytest.raises(InputError, match="as many translations as sentences, found 1 for 3"):
        tiny_translator.score(SENTENCES, GERMAN[:1])


def test_a_sentence_is_tokenized_once(tiny_run, monkeypatch):
    model = translator.load(tiny_run)
    encoded = []
    encode = type(model.tokenizers.source).encode

    def count(tokenizer, sentences, **options):
        encoded.extend([sentences] if isinstance(sentences, str) else sentences)
        return encode(tokenizer, sentences, **options)

    monkeypatch.setattr(type(model.tokenizers.source), "encode", count)
    model.translate([" ".join(SENTENCES), SENTENCES[0]])
    assert sorted(filter(None, encoded)) == sorted([*SENTENCES, SENTENCES[0]])


def test_a_forked_process_is_told_to_load_the_run_itself(tiny_translator):
    assert tiny_translator.translate(SENTENCES[0])
    read, written = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork with threads
        child = os.fork()
    if child == 0:
        signal.alarm(60)  # ends this process if it waits forever
        try:
            tiny_translator.translate(SENTENCES[0])
        except InputError as error:
            os.write(written, str(error).encode())
        finally:
            os._exit(0)
    os.close(written)
    with os.fdopen(read) as answer:
        assert "expected the process that loaded this run" in answer.read()
    os.waitpid(child, 0)


def test_representations_are_short(tiny_translator):
    source = tiny_translator.tokenizers.source
    assert repr(source) == f"<SentencePieceTokenizer en, {source.size:,} ids>"
    [translation] = tiny_translator.translate(SENTENCES[0], TranslationOptions(n_best=2))
    [record] = tiny_translator.attention_of_pairs(SENTENCES[0], GERMAN[0])
    assert repr(translation).startswith(f"<Translation {SENTENCES[0]!r} to {GERMAN[0]!r}, score ")
    for value in (tiny_translator, tiny_translator.engine, tiny_translator.tokenizers, record):
        assert len(repr(value)) < 300 + len(str(tiny_translator.run.path))


@pytest.fixture
def run_copy(tiny_run, tmp_path):
    """A copy of the tiny run that may be spoilt, without its export."""
    without = shutil.ignore_patterns("ctranslate2")
    return shutil.copytree(tiny_run, tmp_path / "run", ignore=without)


def test_weights_that_do_not_fit_are_refused(run_copy):
    whole = load_arrays(run_copy / "weights.npz")
    name = "decoder/layer_2/feed_forward/inner/kernel"
    for spoilt, message in (
        ({**whole, name: whole[name][:, :5]}, rf"expected {name} of shape \(32, 64\), found shape"),
        ({k: v for k, v in whole.items() if k != name}, rf"expected {name} .* found nothing"),
        ({**whole, "more": np.ones(1)}, "found more, which this model does not have"),
    ):
        save_arrays(run_copy / "weights.npz", spoilt)
        with pytest.raises(InputError, match=message):
            translator.load(run_copy)


def test_damaged_and_missing_weights_are_refused(run_copy):
    weights = run_copy / "weights.npz"
    whole = weights.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"\x93NUMPY no archive", whole[100:]):
        weights.write_bytes(damaged)
        with pytest.raises(InputError, match="found a damaged file"):
            translator.load(run_copy)
    weights.unlink()
    with pytest.raises(InputError, match="expected the weights of a run, found none"):
        translator.load(run_copy)
