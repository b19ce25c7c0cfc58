"""What the benchmarks share: processes that are measured or asked, turns, the command line."""

import functools
import json
import resource
import sys

import pytest
from harness import Parser, Worker, command_line, in_turns, show, watch

from translator.base.errors import InputError


def test_time_and_memory_are_those_of_one_process_that_says_itself_why_it_fails(tmp_path):
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    size = own + 200 * 10**6
    large = watch([sys.executable, "-c", f"b'x' * {size}"], tmp_path)
    small = watch([sys.executable, "-c", "import time; time.sleep(1)"], tmp_path)
    assert size < large.peak < size + 10**8
    assert small.peak < own + 10**8
    assert 1 <= small.seconds < 20
    failing = "import sys; print('run: x', file=sys.stderr); sys.exit('translator: x: a run')"
    for program, said in ((failing, "x: a run"), ("raise SystemExit(3)", "exit code 3")):
        with pytest.raises(InputError, match=f"^{said}$"):
            watch([sys.executable, "-c", program], tmp_path)


def test_variants_take_turns_after_a_warm_up():
    order: list[str] = []

    def run(name: str) -> int:
        order.append(name)
        return len(order)

    variants = {name: functools.partial(run, name) for name in "ab"}
    assert in_turns(variants, 2) == {"a": [3, 5], "b": [4, 6]}
    assert order == list("ababab")
    assert in_turns(variants, 5, warm_up=0, minutes=0) == {"a": [7, 9], "b": [8, 10]}


@pytest.mark.parametrize("is_process", [True, False])
def test_a_worker_answers_and_says_in_one_line_why_it_cannot(is_process):
    worker = Worker(prepared_answers, 2, is_process=is_process)
    assert [worker.ask(number) for number in (3, 4)] == [6, 8]
    with pytest.raises(InputError, match=r"^TypeError: [^\n]*$"):
        worker.ask(None)
    worker.close()
    with pytest.raises(InputError, match="^expected a positive factor$"):
        Worker(prepared_answers, -1, is_process=is_process)


def prepared_answers(factor):
    if factor < 0:
        raise InputError("expected a positive factor\nmore")
    return lambda number: factor * (number + 0)


def test_a_result_replaces_the_one_of_its_name_and_keeps_the_note(tmp_path):
    file = tmp_path / "results.json"
    former = [{"name": "other", "rows": []}, {"name": "kept", "rows": [[1]], "note": "Quiet."}]
    file.write_text(json.dumps(former), "utf-8")
    options = Parser(None).parse_args(["--json", str(file), "--name", "kept"])
    show(options, "of-the-code", "Title", ["n"], [[2]])
    show(options, "second", "Title", ["n"], [[3]])
    other, kept, second = json.loads(file.read_text("utf-8"))
    assert other == former[0]
    assert (kept["name"], kept["rows"], kept["note"]) == ("kept", [[2]], "Quiet.")
    assert second["name"] == "second"


def test_the_command_is_said_without_its_file(monkeypatch):
    arguments = ["--run", "my run", "--json", "x.json", "--name", "x", "--rounds", "3"]
    monkeypatch.setattr(sys, "argv", ["/somewhere/benchmarks/decoding.py", *arguments])
    assert command_line() == "python benchmarks/decoding.py --run 'my run' --rounds 3"
