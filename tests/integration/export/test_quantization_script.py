"""The script that measures what quantization changes."""

import re
import runpy
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "quantization.py"


def test_both_engines_are_compared_with_and_without_quantization(tiny_run, monkeypatch, capsys):
    arguments = [str(SCRIPT), "--run", str(tiny_run), "--limit", "6", "--attention", "3"]
    arguments += ["--split", "validation"]
    monkeypatch.setattr(sys, "argv", arguments)
    runpy.run_path(str(SCRIPT))["main"]()
    printed = capsys.readouterr().out
    for engine in ("ctranslate2", "keras"):
        assert re.search(rf"whole +{engine} +100\.00%  BLEU \d", printed)
        assert re.search(rf"rounded +{engine} +\d+\.\d+%  BLEU \d", printed)
    for kind in ("encoder", "decoder", "cross"):
        [numbers] = re.findall(rf"{kind} +mean difference (\S+), largest (\S+), same", printed)
        mean, largest = map(float, numbers)
        assert 0 < mean < largest < 0.3
