"""Measures the server on the loopback address: speed, lost or mixed-up answers, memory.

    python benchmarks/server.py
    python benchmarks/server.py --requests 20000 --clients 20

Several clients send sentences of the demo corpus; each client waits for its answer before it sends
the next sentence. Every answer is compared with the translation of the same model without a server.
The first tenth of the requests warms the server up.
"""

import concurrent.futures
import http.client
import json
import re
import subprocess
import time

import harness
from translating import precision_of

import translator
from translator.cli import errors_as_one_line
from translator.corpora.demo import load_demo_corpus

Answer = tuple[int, str, float]  # the number of its text, the translation, seconds


def main() -> None:
    """Prints the figures."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", default="en-de", help="a run or a shipped model from English")
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--clients", type=int, default=20)
    options = parser.parse(requests=20, clients=2)
    pairs = load_demo_corpus().test
    texts = [pairs[i % len(pairs)].source for i in range(options.requests)]
    distinct = list(dict.fromkeys(texts))
    opened = translator.load(options.run)
    expected = {found.source: found.text for found in opened.translate(distinct)}
    command = [*harness.PROGRAM, "serve", options.run, "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        address = read_address(process)
        first = max(1, len(texts) // 10)
        warm = ask_all(address, texts[:first], options.clients)
        memory = [harness.read_memory(process.pid)]
        began = time.perf_counter()
        answers = ask_all(address, texts[first:], options.clients)
        seconds = time.perf_counter() - began
        memory.append(harness.read_memory(process.pid))
    finally:
        process.terminate()
        process.communicate()
    right = [text == expected[asked] for asked, (_, text, _) in zip(texts, warm + answers)]
    times = sorted(taken for _, _, taken in answers)
    harness.show(
        options,
        "serving",
        f"Requests over the loopback address, {options.run}",
        ["requests", "clients", "lost or mixed up", "answers a second", "median",
         "95th percentile", "memory after a tenth, at the end"],
        [[options.requests, options.clients, options.requests - sum(right),
          round(len(answers) / seconds), f"{times[len(times) // 2]:.3f} s",
          f"{times[int(0.95 * (len(times) - 1))]:.3f} s",
          ", ".join(f"{taken / 1e6:.0f} MB" for taken in memory)]],
        precision_of(opened),
    )  # fmt: skip


def read_address(process: "subprocess.Popen[str]") -> tuple[str, int]:
    """The host and port that the server prints."""
    for line in process.stderr or ():
        if found := re.search(r"http://([^/:]+):(\d+)/", line):
            return found[1], int(found[2])
    raise SystemExit("the server ended before it printed its address")


def ask_all(address: tuple[str, int], texts: list[str], clients: int) -> list[Answer]:
    """The answers to texts, in their order."""

    def ask_some(number: int) -> list[Answer]:
        connection = http.client.HTTPConnection(*address, timeout=120)
        found = []
        for i in range(number, len(texts), clients):
            began = time.perf_counter()
            body = json.dumps({"q": texts[i], "source": "en", "target": "de"})
            connection.request("POST", "/translate", body, {"content-type": "application/json"})
            answer = json.loads(connection.getresponse().read())
            found.append((i, answer.get("translatedText", ""), time.perf_counter() - began))
        connection.close()
        return found

    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        return sorted(each for some in pool.map(ask_some, range(clients)) for each in some)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
