"""Data sets that mtdata lists, which are served on the loopback address, laid out as theirs."""

import gzip
import io
import json
import random
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.loopback import LoopbackServer
from translator.base.errors import InputError
from translator.base.extras import missing_package
from translator.config.yaml_file import validate_config
from translator.corpora import describe_corpora, fingerprint, load_corpus
from translator.corpora.mtdata import fetch_listed
from translator.corpora.registry import is_at_hand, read_corpus

PAIRS = [(f"Ein Hund sieht {i} Katzen.", f"A dog sees {i} cats.") for i in range(200)]
GERMAN, ENGLISH = ("".join(f"{pair[side]}\n" for pair in PAIRS).encode() for side in (0, 1))
TSV = "".join(f"{german}\t{english}\tdoc-1\n" for german, english in PAIRS).encode()
TMX = "<tmx version='1.4'><header/><body>{}</body></tmx>".format(
    "".join(
        f"<tu><tuv xml:lang='en'><seg>{english}</seg></tuv>"
        f"<tuv xml:lang='de'><seg>{german}</seg></tuv></tu>"
        for german, english in PAIRS
    )
)
COMMAND = """
import pathlib, shutil, sys
assert sys.argv[1:] == ["index"], sys.argv
shutil.copy({source!r}, {target!r})
"""


def tarred(members: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    return content.getvalue()


def zipped(members: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return content.getvalue()


SIDES = {"sides/x.de": GERMAN, "sides/x.en": ENGLISH, "sides/y.en": b"?\n"}
SERVED = {
    "/v10.de-en.tsv.gz": gzip.compress(TSV),
    "/matrix.tsv.gz": gzip.compress(
        "".join(f"1.{i}\t{german}\t{english}\n" for i, (german, english) in enumerate(PAIRS))
        .encode()
    ),
    "/newstest.en": ENGLISH,
    "/newstest.de": GERMAN,
    "/sides.tgz": tarred(SIDES),
    "/sides.zip": zipped(SIDES),
    "/units.zip": zipped({"tmx/de-en.tmx": TMX.encode(), "README": b"ELRC"}),
}  # fmt: skip
LISTED = {  # the entries of each form that mtdata has, without the address
    "Statmt-europarl-10-deu-eng": ("/v10.de-en.tsv.gz", {"ext": "tsv.gz", "cite": ["koehn"]}),
    "Facebook-matrix-1-deu-eng": ("/matrix.tsv.gz", {"ext": "tsv.gz", "cols": [1, 2]}),
    "StanfordNLP-news-1-eng-deu": (["/newstest.en", "/newstest.de"], {"ext": "txt"}),
    "Statmt-dev-1-deu-eng": (
        "/sides.tgz",
        {"ext": "tgz", "in_ext": "txt", "in_paths": ["sides/x.de", "*/x.en"], "is_archive": True},
    ),
    "OPUS-sides-v1.2-deu-eng": (
        "/sides.zip",
        {"ext": "zip", "in_ext": "txt", "in_paths": ["*.de", "*x.en"], "is_archive": True},
    ),
    "ELRC-units-1-deu-eng": (
        "/units.zip",
        {"ext": "zip", "in_ext": "tmx", "in_paths": ["*.tmx"], "is_archive": True},
    ),
    "Statmt-both-1-deu-eng": (
        "/sides.zip",
        {"ext": "zip", "in_ext": "txt", "in_paths": ["*.de", "*.en"], "is_archive": True},
    ),
    "Statmt-test-1-deu-eng": ("/sides.tgz", {"ext": "tgz", "in_ext": "sgm", "in_paths": ["a.sgm"]}),
    "Flores-same-1-deu-eng": (
        "/sides.tgz",
        {"ext": "tgz", "in_ext": "txt", "in_paths": ["sides/x.de", "sides/x.de"]},
    ),
}  # fmt: skip
READ = [*LISTED][:6]


@pytest.fixture
def mtdata(monkeypatch, tmp_path, own_home):
    """A package as mtdata's is laid out, whose list names a server, and that server."""
    server = LoopbackServer()
    server.content |= SERVED
    lines = []
    for did, (place, facts) in LISTED.items():
        one = isinstance(place, str)
        url = server.address + place if one else [server.address + each for each in place]
        filename = f"{did.split('-')[1]}.{facts['ext']}"
        lines.append(json.dumps({"did": did, "url": url, "filename": filename, **facts}))
    index = tmp_path / "index" / "mtdata.index.0.5.1.jsonl"
    (tmp_path / "lines").write_text("\n".join(lines) + "\n", "utf-8")
    for name, text in {
        "mtdata/__init__.py": "",
        "mtdata/__main__.py": COMMAND.format(
            source=str(tmp_path / "lines"), target=str(index)
        ),
        "mtdata/resource/refs.bib": "@book{other,\n  title = {No}\n}\n"
        "@inproceedings{koehn,\n  title = {Europarl}\n}\n",
        "mtdata-0.5.1.dist-info/METADATA": "Name: mtdata\nVersion: 0.5.1\n",
    }.items():  # fmt: skip
        path = tmp_path / "packages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    monkeypatch.setenv("MTDATA", str(tmp_path / "index"))
    yield server
    server.stop()


def config_of(did: str, source: str = "en", target: str = "de", **corpus: object):
    values = {"name": f"mtdata:{did}", "source_language": source, "target_language": target}
    config = {"corpus": {**values, **corpus}, "data": {"batch_size": 8}}
    return validate_config(config, "test").corpus


def test_data_sets_of_each_form_are_fetched_once_and_read_in_both_directions(mtdata):
    for did in READ:
        config = config_of(did)
        assert not is_at_hand(config), did
        assert [*read_corpus(config)["train"]] == [pair[::-1] for pair in PAIRS], did
        asked = len(mtdata.requests)
        assert is_at_hand(config), did
        assert [*read_corpus(config_of(did, "German", "eng"))["train"]] == PAIRS, did
        assert len(mtdata.requests) == asked, did
    assert "mtdata" not in sys.modules


def test_what_was_fetched_needs_neither_mtdata_nor_a_network(mtdata, tmp_path, monkeypatch):
    config = config_of("Statmt-dev-1-deu-eng")
    before = fingerprint(config)
    (tmp_path / "packages/mtdata-0.5.1.dist-info/METADATA").unlink()
    mtdata.stop()
    assert fingerprint(config) == before
    corpus = load_corpus(config)
    assert len(corpus.train) + len(corpus.validation) + len(corpus.test) == len(PAIRS)


def test_own_files_may_be_held_out(mtdata, tmp_path):
    path = tmp_path / "dev.tsv"
    path.write_text("A dog sees 7 cats.\tEin Hund sieht 7 Katzen.\n", "utf-8")
    corpus = load_corpus(config_of("ELRC-units-1-deu-eng", validation={"tsv": str(path)}))
    assert len(corpus.validation) == 1
    assert len(corpus.train) == len(PAIRS) - 1


def test_corpora_lists_what_was_fetched_with_what_to_cite(mtdata, own_home):
    fetch_listed("mtdata:Statmt-europarl-10-deu-eng")
    facts = dict(describe_corpora())
    assert "mtdata list -id" in facts["mtdata:ID"]["pairs"]
    found = facts["mtdata:Statmt-europarl-10-deu-eng"]
    folder = own_home / "corpora/mtdata/Statmt-europarl-10-deu-eng"
    assert found["cached"] == f"yes, {folder}"
    assert found["licence"] == f"see {mtdata.address}/v10.de-en.tsv.gz"
    cited = Path(found["cite"]).read_text("utf-8")
    assert "title = {Europarl}" in cited
    assert "{No}" not in cited


def test_without_mtdata_one_line_says_what_to_install(own_home):
    with pytest.raises(ModuleNotFoundError) as error:
        fetch_listed("mtdata:Statmt-europarl-10-deu-eng")
    assert "pip install 'keras-translator[mtdata]' adds it" in str(missing_package(error.value))
    assert not [*own_home.rglob("*europarl*")]


@pytest.mark.parametrize(
    ("did", "message"),
    [
        ("Statmt-other-1-deu-eng", "expected an id of .*jsonl, found none such; mtdata list -id"),
        ("Statmt-test-1-deu-eng", "found sgm in a.sgm; see whether mtdata echo Statmt-test-1-deu"),
        ("Flores-same-1-deu-eng", "a file for each side, found txt in sides/x.de"),
        ("Statmt-both-1-deu-eng", r"one file \*.en in the archive, found sides/x.en, sides/y"),
    ],
)
def test_what_cannot_be_read_is_one_line(mtdata, did, message):
    with pytest.raises(InputError, match=message) as error:
        fetch_listed(f"mtdata:{did}")
    assert "\n" not in str(error.value)
    assert not is_at_hand(config_of(did))


def test_a_damaged_archive_and_a_web_page_are_one_line(mtdata, own_home):
    text = random.Random(1).randbytes(1 << 16)
    mtdata.content["/sides.tgz"] = tarred({"sides/x.de": text, "sides/x.en": text})[:-40_000]
    mtdata.content["/v10.de-en.tsv.gz"] = b"<!DOCTYPE html><html><body>Moved</body></html>\n"
    with pytest.raises(
        InputError, match="dev.tgz: expected a whole .*, found one cut short, damaged or with"
    ):
        fetch_listed("mtdata:Statmt-dev-1-deu-eng")
    with pytest.raises(
        InputError, match="v10.de-en.tsv.gz: expected sentence pairs, found a web page; try"
    ):
        fetch_listed("mtdata:Statmt-europarl-10-deu-eng")
    assert [path.name for path in own_home.rglob("europarl*")] == []


def test_a_list_that_mtdata_cannot_write_is_one_line(mtdata, tmp_path):
    (tmp_path / "packages/mtdata/__main__.py").write_text("raise ValueError('no disk')", "utf-8")
    with pytest.raises(InputError, match="jsonl: expected mtdata index to write it, .*: no disk"):
        fetch_listed("mtdata:Statmt-europarl-10-deu-eng")


def test_names_and_languages_are_checked_before_anything_is_fetched(mtdata):
    for name in ("Statmt-europarl-10-deu", "../a-b-1-deu-eng", "Statmt-a-1-deu-eng/x"):
        with pytest.raises(InputError, match="or a data set of two languages that mtdata lists"):
            config_of(name)
    with pytest.raises(InputError, match="deu-eng has the languages de and en, found en and fr"):
        config_of("Statmt-europarl-10-deu-eng", "en", "fr")
    with pytest.raises(InputError, match="brings its own sentences"):
        config_of("Statmt-europarl-10-deu-eng", train={"tsv": "a.tsv"})
    assert mtdata.requests == []
