"""``evaluate --test-set`` with sacreBLEU's sets, which are served on the loopback address."""

import hashlib
import io
import tarfile

import pytest
import sacrebleu
from sacrebleu.dataset import DATASETS

from tests.commands import refused, run

SENTENCES = ["The man loves the city.", "The woman sees the dog.", "The man loves the city."]
TRANSLATIONS = ["Der Mann liebt die Stadt.", "Die Frau sieht den Hund.", "Der Mann mag die Stadt."]
DATA = "newstest2014-deen-{}.{}.sgm"


def sgml(lines: list[str]) -> bytes:
    segments = "".join(f'<seg id="{i}">{line}</seg>\n' for i, line in enumerate(lines, 1))
    return f'<srcset setid="a"><doc docid="a"><p>\n{segments}</p></doc></srcset>\n'.encode()


@pytest.fixture
def wmt14(monkeypatch, tmp_path, loopback):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        for side, language, lines in (("src", "en", SENTENCES), ("ref", "de", TRANSLATIONS)):
            member = tarfile.TarInfo(f"test/{DATA.format(side, language)}")
            content = sgml(lines)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    loopback.content["/test-filtered.tgz"] = archive.getvalue()
    data = DATASETS["wmt14"]
    monkeypatch.setattr(data, "data", [f"{loopback.address}/test-filtered.tgz"])
    monkeypatch.setattr(data, "md5", [hashlib.md5(archive.getvalue()).hexdigest()])
    for name in ("_rawdir", "_outdir"):
        (tmp_path / name).mkdir()
        monkeypatch.setattr(data, name, str(tmp_path / name))
    return loopback


def test_a_set_of_sacrebleu_is_fetched_once_and_each_line_counts(capfd, tiny_run, wmt14):
    for _ in range(2):
        code, out, err = run(capfd, "evaluate", "--run", tiny_run, "--test-set", "wmt14")
        assert code == 0, err
    assert len(wmt14.requests) == 1
    assert "test:wmt14|lang:en-de|version:" in out
    assert "3 sentences in" in out
    given = run(capfd, "translate", "--run", tiny_run, *SENTENCES)[1].splitlines()
    expected = sacrebleu.corpus_bleu(given, [TRANSLATIONS]).score
    assert f"BLEU {expected:.2f}  nrefs:1|" in out


def test_what_cannot_be_fetched_is_one_line(capfd, tiny_run, wmt14, monkeypatch, tmp_path):
    asked = ("evaluate", "--run", tiny_run, "--test-set")
    monkeypatch.setattr(DATASETS["wmt14"], "md5", ["0"])
    assert "test-filtered.tgz, found other files; put its files into" in refused(
        capfd, *asked, "wmt14"
    )
    wmt14.content.clear()
    archive = next(path for path in (tmp_path / "_rawdir").iterdir() if path.suffix == ".tgz")
    archive.unlink()
    assert "found none (HTTP Error 404" in refused(capfd, *asked, "wmt14")
    assert "expected one of its directions, en-ja, ja-en, found a run from en to de" in refused(
        capfd, *asked, "wmt20/robust/set2"
    )
    assert "or one that sacreBLEU knows, such as wmt14, found 'wmt99'" in refused(
        capfd, *asked, "wmt99"
    )
