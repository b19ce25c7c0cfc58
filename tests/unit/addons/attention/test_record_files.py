"""Damaged files of records, and others, are refused in one line."""

import contextlib
import io
import json
import zipfile

import numpy as np
import pytest

from tests.explorer_records import explorer_records
from translator.addons.attention.record_files import load_records, save_records
from translator.base.errors import InputError

REFUSED = "maps.npz: expected a file that translator attention --save wrote .* found a damaged"


@pytest.fixture
def saved(tmp_path):
    save_records(tmp_path / "maps.npz", explorer_records())
    return tmp_path / "maps.npz"


def rewrite(path, change):
    """Writes the file again after ``change`` of its header, a dictionary, and its arrays."""
    with np.load(path) as file:
        arrays = dict(file)
    header = json.loads(str(arrays.pop("header")))
    change(header, arrays)
    np.savez(path, header=np.array(json.dumps(header)), **arrays)


def expect(path):
    with pytest.raises(InputError, match=REFUSED) as caught:
        list(load_records(path))
    assert str(caught.value).isprintable()


def test_paths_may_be_text_one_record_counts_as_a_list_of_one_and_all_else_is_refused(tmp_path):
    first = explorer_records()[0]
    record = first._replace(decoder=first.decoder[:1], cross=first.cross[:1])  # of fewer layers
    save_records(str(tmp_path / "one.npz"), record)
    [found] = load_records(str(tmp_path / "one.npz"))
    assert found.to_dict() == record.to_dict()
    with pytest.raises(InputError, match="record: expected an AttentionRecord, found list"):
        save_records(tmp_path / "wrong.npz", [explorer_records()])
    assert not (tmp_path / "wrong.npz").exists()
    message = "^records: expected a path, as a string or a Path, found int$"
    with pytest.raises(InputError, match=message):
        next(load_records(3))
    with pytest.raises(InputError, match=message):
        save_records(3, [])


def test_confidences_and_aligning_heads_come_back(saved):
    first, second, _ = load_records(saved)
    words = (("ein", 0.97), ("großer", 0.31), ("Direktor.", 0.5))
    assert (first.confidence, first.word_confidences) == (0.593, words)
    assert (second.confidence, second.word_confidences) == (None, ())
    heads = [(0, 1), (1, 2)]
    save_records(
        saved, [each._replace(aligning=head) for each, head in zip((first, second), heads)]
    )
    assert [found.aligning for found in load_records(saved)] == heads
    with zipfile.ZipFile(saved) as archive:  # hypotheses share the encoder's attention
        assert sum(name.endswith("encoder.npy") for name in archive.namelist()) == 1


def test_what_does_not_fit_is_refused(saved):
    whole = saved.read_bytes()
    for change in (
        lambda header, arrays: arrays.pop("1/cross"),
        lambda header, arrays: header["records"][0].update(cross="a\nb" * 99),
        lambda header, arrays: arrays["1/cross"].fill(2),
        lambda header, arrays: arrays["1/cross"].fill(np.nan),
        lambda header, arrays: arrays.update({"1/cross": np.ones((2, 3, 42))}),
        lambda header, arrays: arrays.update({"1/cross": arrays["1/cross"][:1]}),
        lambda header, arrays: arrays.update({"2/decoder": arrays["2/decoder"][:, :, 1:]}),
        lambda header, arrays: header["records"][1].update(source_tokens=["a"]),
        lambda header, arrays: header["records"][1].update(score="high"),
        lambda header, arrays: header["records"][1].update(aligning=["x"]),
        lambda header, arrays: header["records"][1].update(model={"x": "y"}),
        lambda header, arrays: header.update(format="x"),
        lambda header, arrays: header.update(version=2),
        lambda header, arrays: header.pop("records"),
    ):
        saved.write_bytes(whole)
        rewrite(saved, change)
        expect(saved)


def test_other_files_and_damaged_ones_are_refused(saved):
    whole = saved.read_bytes()
    array = io.BytesIO()
    np.save(array, np.ones(3))
    moved = whole[:-6] + b"\xff\xff\xff\x7f" + whole[-2:]  # the place of its list of members
    for content in (b"Attention is all you need.", b"", array.getvalue(), whole[:-100], moved):
        saved.write_bytes(content)
        expect(saved)
    texts = ("records", "[" * 100_000, '{"records": 1' + "0" * 5000 + "}", "[]")
    for header in (*map(np.array, texts), np.array([Trap()], object)):  # no pickle is read
        np.savez(saved, header=header)
        expect(saved)


class Trap:
    """What would be called if it were unpickled."""

    def __reduce__(self):
        return pytest.fail, ("a pickle was read",)


def test_no_damaged_byte_leads_to_another_error(saved):
    whole = saved.read_bytes()
    for seed in range(100):
        random, content = np.random.default_rng(seed), bytearray(whole)
        for place in random.integers(len(content), size=2):
            content[place] ^= 1 << random.integers(8)
        saved.write_bytes(content)
        with contextlib.suppress(InputError):
            list(load_records(saved))
