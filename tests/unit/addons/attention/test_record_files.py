"""Hostile and damaged files of records are refused in one line, before memory is filled."""

import contextlib
import io
import itertools
import json
import math
import tracemalloc
import zipfile

import numpy as np
import pytest

from tests.explorer_records import explorer_records
from translator.addons.attention import record_files
from translator.addons.attention.record_files import load_records, save_records
from translator.base.errors import InputError

REFUSED = "maps.npz: expected what translator attention --save writes, .* found a damaged"


@pytest.fixture
def saved(tmp_path):
    """A file of three records."""
    save_records(tmp_path / "maps.npz", explorer_records())
    return tmp_path / "maps.npz"


def test_one_record_counts_as_a_list_of_one(tmp_path):
    record = explorer_records()[0]
    save_records(tmp_path / "one.npz", record)
    assert [found.hypothesis for found in load_records(tmp_path / "one.npz")] == [record.hypothesis]


def test_what_is_not_a_record_is_not_saved(tmp_path):
    with pytest.raises(InputError, match="record: expected an AttentionRecord, found list"):
        save_records(tmp_path / "wrong.npz", [explorer_records()])
    assert not (tmp_path / "wrong.npz").exists()


def rewrite(path, change):
    """Writes the file again after ``change`` of its header, a dictionary, and its arrays."""
    with np.load(path) as file:
        arrays = dict(file)
    header = json.loads(str(arrays.pop("header")))
    change(header, arrays)
    np.savez(path, header=np.array(json.dumps(header)), **arrays)


def declared_array(shape, dtype="<f4") -> bytes:
    """The header of an array without its data."""
    file = io.BytesIO()
    values = {"descr": dtype, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_2_0(file, values)
    return file.getvalue()


def replace_member(path, name, parts):
    """Replaces a file in the archive; parts are written one after the other."""
    with zipfile.ZipFile(path) as archive:
        kept = {entry: archive.read(entry) for entry in archive.namelist() if entry != name}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in kept.items():
            archive.writestr(entry, content)
        with archive.open(name, "w", force_zip64=True) as member:
            for part in parts:
                member.write(part)


def refuse_within(path, megabytes):
    """Expects a refusal that needs little memory."""
    tracemalloc.start()
    with pytest.raises(InputError, match=REFUSED):
        list(load_records(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < megabytes * 2**20


def test_wrong_values_of_a_record_are_named(saved):
    not_finite = (10**400, math.nan, math.inf, -math.inf, "x", "0.5", True, None, [1])
    not_from_1 = (0, -1, 10**100, 1.0, True, "1", None)
    whole = saved.read_bytes()
    for names, values, reason in (
        (("score", "log_probability"), not_finite, "is not a finite number"),
        (("sentence", "rank"), not_from_1, "is not a number from 1"),
        (("confidence",), (1.5, "much"), ""),
        (("word_confidences",), (3, [["a", -0.1]], [[1, 0.5]], [["a"]]), ""),
    ):
        for name, value in itertools.product(names, values):
            saved.write_bytes(whole)
            wrong = {name: value}
            rewrite(saved, lambda header, _, wrong=wrong: header["records"][1].update(wrong))
            with pytest.raises(InputError, match=f"{REFUSED}.*: {name} of record 2 {reason}"):
                next(load_records(saved))


def test_confidences_come_back_and_old_files_have_none(saved):
    first, second, _ = load_records(saved)
    assert (first.confidence, first.word_confidences) == (
        0.593,
        (("ein", 0.97), ("großer", 0.31), ("Direktor.", 0.5)),
    )
    assert (second.confidence, second.word_confidences) == (None, ())

    def remove(header, arrays):
        for entry in header["records"]:
            del entry["confidence"], entry["word_confidences"]

    rewrite(saved, remove)
    assert {found.confidence for found in load_records(saved)} == {None}
    assert {found.word_confidences for found in load_records(saved)} == {()}


def test_a_hypothesis_appears_once(saved, tmp_path):
    rewrite(saved, lambda header, arrays: header["records"][1].update(rank=1))
    with pytest.raises(InputError, match="record 2 is hypothesis 1 of sentence 1, which an"):
        next(load_records(saved))
    first = explorer_records()[0]
    with pytest.raises(InputError, match="expected each hypothesis once, found hypothesis 1"):
        save_records(tmp_path / "twice.npz", [first, first])
    of_another = first._replace(model=first.model._replace(name="another"))
    another = first._replace(source="Another sentence that is the first of its call.")
    save_records(tmp_path / "three.npz", [first, of_another, another])
    assert len(list(load_records(tmp_path / "three.npz"))) == 3


def test_the_error_says_what_is_wrong(saved, tmp_path):
    def expect(reason):
        with pytest.raises(InputError, match=f"{REFUSED} or another file: {reason}; wr") as caught:
            list(load_records(saved))
        assert str(caught.value).isprintable()

    whole = saved.read_bytes()
    replace_member(saved, "1/cross.npy", [declared_array((10**6, 10**6, 6, 7))])
    expect("the array '1/cross' is too large")
    replace_member(saved, "1/cross.npy", [declared_array((2, 3, 6, 8))])
    expect("the array '1/cross' has a wrong shape or type")
    replace_member(saved, "1/cross.npy", [declared_array((2, 3, 6, 7)), b"1234"])
    expect("the array '1/cross' has a wrong length")
    rewrite_from = [
        (lambda header, arrays: arrays.pop("1/cross"), "the array '1/cross' is missing"),
        (
            lambda header, arrays: header["records"][0].update(cross="a\nb" * 99),
            r"the array 'a\\nb.* is missing",
        ),
        (
            lambda header, arrays: arrays["1/cross"].fill(2),
            "record 1 has cross attention outside 0 to 1",
        ),
        (lambda header, arrays: header.update(format="x"), "it has another format"),
    ]
    for change, reason in rewrite_from:
        saved.write_bytes(whole)
        rewrite(saved, change)
        expect(reason)
    for change in (
        lambda _, arrays: arrays.update({"1/encoder": arrays["1/encoder"][:1]}),
        lambda _, arrays: arrays["1/cross"].fill(np.nan),
        lambda header, _: header["records"][0]["source_tokens"].__setitem__(1, None),
    ):
        saved.write_bytes(whole)
        rewrite(saved, change)
        expect(".*")
    saved.write_text("Attention is all you need.")
    expect(".*")
    saved.write_bytes(whole)
    rewrite(saved, lambda header, _: header.update(version=2))
    with pytest.raises(InputError, match="expected records of version 1, found 2"):
        list(load_records(saved))
    np.savez(saved, header=np.array('{"records": 1' + "0" * 5000 + "}"))
    expect("a number in its header is too long")
    np.savez(saved, header=np.array("records"))
    expect("its header is not JSON")
    saved.write_bytes(whole[:-100])
    expect("its zip archive cannot be read")


def test_a_deeply_nested_header_is_refused(saved):
    for depth in (100_000, 1_000_000):
        np.savez(saved, header=np.array("[" * depth + "]" * depth))
        with pytest.raises(InputError, match=REFUSED):
            list(load_records(saved))


def test_arrays_of_another_size_are_refused_before_they_are_read(saved):
    zeros = [bytes(2**20)] * 64
    too_large = (2, 3, 6, 40_000), (2, 3, 40_000, 7), (10**6, 10**6, 6, 7)
    for shape in (*too_large, (0, 3, 6, 7), (-1, 3, 6, 7), (6, 7), ()):
        replace_member(saved, "1/cross.npy", [declared_array(shape), *zeros])
        refuse_within(saved, 8)


def test_sizes_count_also_where_the_tokens_fit_them(saved):
    """A short header may name very many tokens."""

    def change(header, arrays):
        del header["records"][1:]
        header["records"][0]["source_tokens"] = ["a"] * 100_000

    rewrite(saved, change)
    zeros = [bytes(2**20)] * 64
    replace_member(saved, "1/encoder.npy", [declared_array((2, 3, 100_000, 100_000)), *zeros])
    refuse_within(saved, 40)


def test_arrays_of_another_type_are_refused(saved):
    for dtype in ("<i8", "<c16", "<U9", "|O"):
        replace_member(saved, "1/cross.npy", [declared_array((2, 3, 6, 7), dtype), bytes(10_000)])
        with pytest.raises(InputError, match=REFUSED):
            list(load_records(saved))


def test_no_damaged_byte_leads_to_another_error(saved):
    whole = saved.read_bytes()
    for seed in range(150):
        random, content = np.random.default_rng(seed), bytearray(whole)
        for place in random.integers(len(content), size=2):
            content[place] ^= 1 << random.integers(8)
        saved.write_bytes(content)
        with contextlib.suppress(InputError):
            list(load_records(saved))


def test_a_huge_header_is_refused_before_it_is_read(saved):
    spaces = (" " * 2**18).encode("utf-32-le")
    parts = [declared_array((), f"<U{2**18 * 128}"), *[spaces] * 128]
    replace_member(saved, "header.npy", parts)
    assert saved.stat().st_size < 2**20
    refuse_within(saved, 8)


def test_a_header_of_many_records_is_read(saved, monkeypatch):
    """It compresses well, but not as well as zeros or spaces."""

    def change(header, arrays):
        first = header["records"][0]
        header["records"] = [{**first, "rank": rank} for rank in range(1, 301)]

    rewrite(saved, change)
    with zipfile.ZipFile(saved) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, each in content.items():
            archive.writestr(name, each)
    monkeypatch.setattr(record_files, "MAX_HEADER_BYTES", 0)
    assert next(load_records(saved)).sentence == 1


def test_records_describe_themselves_without_their_arrays(saved):
    shown = repr(next(load_records(saved)))
    assert shown == (
        "AttentionRecord('a great director.' → 'ein großer <b>Direktor</b>.', 2 layers, 3 heads,"
        " 7 source and 7 target tokens, sentence 1, rank 1, score -0.2500)"
    )


def test_paths_may_be_text(saved):
    save_records(str(saved), explorer_records()[:1])
    assert len(list(load_records(str(saved)))) == 1


def test_what_is_not_a_path_is_refused():
    message = "^records: expected a path, as a string or a Path, found int$"
    with pytest.raises(InputError, match=message):
        next(load_records(3))
    with pytest.raises(InputError, match=message):
        save_records(3, [])
