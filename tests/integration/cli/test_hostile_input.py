"""Wrong input for `train`: an error of one line, exit code 2, nothing lost, and a second try."""

import zipfile

from tests import commands
from tests.builders import write_config
from translator.corpora import registry
from translator.tokenizers import bpemb_download

GOOD = [
    f"The cat number {i} sees {i * 7} dogs.\tDie Katze {i} sieht {i * 7} Hunde." for i in range(90)
]


def refused(capfd, folder, corpus: str, *options: str, **sections: str) -> str:
    """The line by which `train` refuses; no run is left behind."""
    config = write_config(folder, corpus, **sections)
    line = commands.refused(capfd, "train", config, "--run", folder / "run", *options)
    assert not (folder / "run").exists()
    assert not list(folder.glob("*.part"))
    return line


def test_what_cannot_be_downloaded_is_one_line_and_a_second_try_goes_on(
    capfd, tmp_path, loopback, monkeypatch, own_home
):
    address = f"{loopback.address}/deu-eng.zip"
    monkeypatch.setattr(registry, "TATOEBA", registry.TATOEBA._replace(address=address))
    monkeypatch.setattr(bpemb_download, "BPEMB", loopback.address)
    bpemb = "{name: bpemb, vocab_size: 10000}"
    assert "found the answer 404" in refused(capfd, tmp_path, "{name: tatoeba}", tokenizer=bpemb)
    with zipfile.ZipFile(tmp_path / "good.zip", "w") as archive:
        archive.writestr("deu.txt", "\n".join(GOOD))
    loopback.content["/deu-eng.zip"] = (tmp_path / "good.zip").read_bytes()
    corpus = "{name: tatoeba, split: {validation: 0.1, test: 0.1}}"
    said = refused(capfd, tmp_path, corpus, tokenizer=bpemb)
    assert "en.wiki.bpe.vs10000.model: expected the file, found the answer 404" in said
    loopback.stop()  # the corpus is there by now
    said = refused(capfd, tmp_path, corpus, tokenizer=bpemb)
    assert "en.wiki.bpe.vs10000.model: expected to download it, found no connection" in said
    assert "--set tokenizer.stand_in=source" in said
    code, _, said = commands.run(
        capfd, "train", write_config(tmp_path, corpus, bpemb), "--run", tmp_path / "run",
        "--set", "tokenizer.stand_in=both",
    )  # fmt: skip
    assert code == 2
    assert "no more pieces than the text has, found 10000; use at most 65" in said
