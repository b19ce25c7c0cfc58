"""SentencePiece models whose pieces have the ids of a vocabulary file, and target tokens."""

import json

import pytest
import sentencepiece

from tests.letters import reader_of
from translator.base.errors import InputError
from translator.config.schema import TokenizerConfig
from translator.tokenizers.marian_tokenizer import MarianTokenizer
from translator.tokenizers.opening import open_tokenizers
from translator.tokenizers.words import words_of

TEXT = [*["The dog sees the cat. A bird sings. Two dogs run."] * 20, "Q"]


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    """A unigram model, as OPUS-MT has them."""
    path = tmp_path_factory.mktemp("model") / "source.spm"
    with open(path, "wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(TEXT),
            model_writer=file,
            vocab_size=40,
            model_type="unigram",
            hard_vocab_limit=False,
            minloglevel=2,
        )
    return path


@pytest.fixture(scope="module")
def vocabulary(model_file):
    """The pieces in another order than the model's, without the last one, with target tokens."""
    model = sentencepiece.SentencePieceProcessor(model_file=str(model_file))
    pieces = [model.id_to_piece(i) for i in range(3, model.get_piece_size())]
    names = ["</s>", "<unk>", *reversed(pieces[:-1]), ">>deu<<", ">>fra<<"]
    return {name: i for i, name in enumerate(names)}


@pytest.fixture
def tokenizer(model_file, vocabulary, tmp_path):
    (tmp_path / "vocab.json").write_text(json.dumps(vocabulary))
    return MarianTokenizer(model_file, tmp_path / "vocab.json", "en", has_start=False)


def test_ids_are_those_of_the_vocabulary(tokenizer, vocabulary, model_file):
    model = sentencepiece.SentencePieceProcessor(model_file=str(model_file))
    [ids] = tokenizer.encode("The dog sees the cat.")
    pieces = model.encode("The dog sees the cat.", out_type=str)
    assert ids == [*(vocabulary.get(piece, 1) for piece in pieces), 0]
    assert tokenizer.decode(ids) == "The dog sees the cat."
    assert tokenizer.piece_ids(tokenizer.pieces(ids)) == ids
    assert (tokenizer.end_id, tokenizer.unknown_id) == (0, 1)
    count = len(vocabulary)
    assert (tokenizer.padding_id, tokenizer.start_id) == (count, count + 1)
    assert (tokenizer.stored_size, tokenizer.size) == (count, count + 2)


def test_pieces_outside_the_vocabulary_are_unknown(tokenizer, vocabulary, model_file):
    model = sentencepiece.SentencePieceProcessor(model_file=str(model_file))
    left_out = model.id_to_piece(model.get_piece_size() - 1)
    assert left_out not in vocabulary
    [ids] = tokenizer.encode(left_out.replace("▁", " "))
    assert tokenizer.unknown_id in ids
    assert not tokenizer.spells([tokenizer.unknown_id, tokenizer.end_id])


def test_a_start_is_added_only_where_it_is_asked_for(model_file, tokenizer, tmp_path):
    started = MarianTokenizer(model_file, tmp_path / "vocab.json", "en")
    [plain], [framed] = tokenizer.encode("A bird"), started.encode("A bird")
    assert framed == [started.start_id, *plain]
    assert tokenizer.fingerprint != started.fingerprint


def test_a_target_token_begins_a_line(tokenizer, vocabulary):
    [ids], [plain] = tokenizer.encode(">>deu<< A bird sings."), tokenizer.encode("A bird sings.")
    assert ids == [vocabulary[">>deu<<"], *plain]
    assert tokenizer.decode(ids) == "A bird sings."
    pieces = tokenizer.pieces(ids)
    assert pieces[0] == ">>deu<<"
    assert words_of(pieces).texts == ("A", "bird", "sings.")
    with pytest.raises(InputError, match="knows .>>deu<<, >>fra<<., found >>xyz<<"):
        tokenizer.encode(">>xyz<< A bird")


def test_each_sentence_of_a_line_gets_its_target_token(tokenizer, vocabulary):
    reader = reader_of(tokenizer, errors="strict")
    line = reader.read(">>fra<< The dog sees. A bird sings.", "line 1")
    assert line.text.startswith(">>fra<<")
    assert [one.part.text for one in line.sentences] == ["The dog sees.", "A bird sings."]
    for sentence in line.sentences:
        [plain] = tokenizer.encode(sentence.part.text)
        assert sentence.ids == [vocabulary[">>fra<<"], *plain]
    assert reader.read(">>fra<< ", "line 2").sentences == ()
    with pytest.raises(InputError, match="line 3: expected a target token"):
        reader.read(">>xyz<< A bird", "line 3")
    [sentence] = reader.read("A bird", "line 4").sentences
    assert sentence.ids == tokenizer.encode("A bird")[0]


def test_unknown_target_tokens_are_passed_on_where_that_is_asked_for(tokenizer):
    reader = reader_of(tokenizer, errors="replace")
    line = reader.read(">>xyz<< A bird", "line 3")
    assert [one.passed_on for one in line.sentences] == [">>xyz<< A bird"]
    assert not any(one.ids for one in line.sentences)
    [notice] = line.notices
    assert notice.text.startswith("expected a target token that the model knows (>>deu<<, >>")
    assert notice.text.endswith("found >>xyz<<, left as it is")


def test_the_first_line_without_a_target_token_is_told_with_those_there_are(tokenizer):
    reader = reader_of(tokenizer)
    lines = [reader.read(text, "line 1") for text in ("", ">>deu<< A bird", "A bird", "A dog")]
    assert [len(line.notices) for line in lines] == [0, 0, 1, 0]
    assert "expected a target token (>>deu<<, >>fra<<) at the beginning" in lines[2].notices[0].text
    assert not reader_of(tokenizer, tags=("deu",)).read("A bird", "line 1").notices


def test_saved_tokenizers_are_the_same(model_file, vocabulary, tmp_path):
    settings = TokenizerConfig(
        name="marian",
        source_model=str(model_file),
        target_model=str(model_file),
        source_vocabulary=str(tmp_path / "v.json"),
        target_vocabulary=str(tmp_path / "v.json"),
        shared=True,
        source_start=False,
    )
    (tmp_path / "v.json").write_text(json.dumps(vocabulary), "utf-8")
    made = open_tokenizers(settings.model_paths, settings.vocabulary_paths, settings, ("en", "de"))
    made.save(tmp_path / "run")
    paths = [
        tuple(tmp_path / "run" / f"{side}.{ending}" for side in ("source", "target"))
        for ending in ("model", "vocabulary.json")
    ]
    again = open_tokenizers(*paths, settings, ("en", "de"))  # type: ignore[call-arg]
    assert [t.fingerprint for t in again] == [t.fingerprint for t in made]
    assert (again.source.has_start, again.target.has_start) == (False, True)
    assert again.source.encode("A bird") == made.source.encode("A bird")


def test_tags_and_missing_vocabularies_are_refused(model_file):
    with pytest.raises(ValueError, match="tags work only with sentencepiece and bpemb; marian's"):
        TokenizerConfig(name="marian", tags=["bt"])
    settings = TokenizerConfig(name="marian")
    with pytest.raises(InputError, match="expected source_vocabulary and target_vocabulary"):
        open_tokenizers((model_file, model_file), None, settings, ("en", "de"))


def test_other_files_are_no_vocabularies(model_file, tmp_path):
    for name, content, found in [
        ("v.json", "[1]", "an id for each piece, found something else"),
        ("v.json", "{", "an id for each piece, found something else"),
        ("v.json", b"\xff", "an id for each piece, found something else"),
        ("v.json", '{"</s>": -1}', "expected an id for '</s>', found -1"),
        ("v.json", '{"</s>": true}', "expected an id for '</s>', found True"),
        ("v.json", '{"</s>": 1, "<unk>": 1}', "a different id for each piece"),
        ("v.json", '{"</s>": 0}', "expected <unk> in the vocabulary, found none"),
    ]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
        with pytest.raises(InputError, match=found):
            MarianTokenizer(model_file, path, "en")
        with pytest.raises(InputError, match="expected a vocabulary file, found no such file"):
            MarianTokenizer(model_file, tmp_path / "missing.json", "en")
