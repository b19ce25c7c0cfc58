"""Measures the server on the loopback address: speed, lost or mixed-up answers, memory.

    python benchmarks/server.py
    python benchmarks/server.py --requests 20000 --clients 20

Sentences of the demo corpus are sent by clients that each wait for their answer before they send
the next. Every answer is compared with what the same model translates alone. The last lines have
the median and the 95th percentile of the seconds of an answer, and the memory of the server after a
tenth of the requests and at the end.
"""

import argparse
import concurrent.futures
import http.client
import json
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import translator
from translator.cli import errors_as_one_line
from translator.corpora.demo import load_demo_corpus


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", default="en-de", help="a run or a shipped model from English")
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--clients", type=int, default=20)
    options = parser.parse_args()
    pairs = load_demo_corpus().test
    texts = [pairs[i % len(pairs)].source for i in range(options.requests)]
    distinct = list(dict.fromkeys(texts))
    alone = translator.load(options.run).translate(distinct)
    expected = {text: found.text for text, found in zip(distinct, alone)}
    command = [sys.executable, "-m", "translator.cli", "serve", options.run, "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        address = read_address(process)
        first = max(1, len(texts) // 10)
        warm = ask_all(address, texts[:first], options.clients)
        memory = [resident_megabytes(process.pid)]
        began = time.perf_counter()
        answers = ask_all(address, texts[first:], options.clients)
        seconds = time.perf_counter() - began
        memory.append(resident_megabytes(process.pid))
    finally:
        process.terminate()
        process.wait()
    found = warm + answers
    wrong = sum(text != expected[asked] for asked, (text, _) in zip(texts, found))
    times = sorted(taken for _, taken in answers)
    print(f"answers: {len(found):,} of {len(texts):,} requests, {wrong} wrong or mixed up")
    print(f"speed: {len(answers) / seconds:.0f} answers a second, {options.clients} clients")
    print(
        f"seconds of an answer: median {statistics.median(times):.3f}, 95th percentile"
        f" {times[int(0.95 * (len(times) - 1))]:.3f}"
    )
    print(f"memory: {memory[0]:.0f} MB after {first:,} requests, {memory[1]:.0f} MB at the end")


def read_address(process: subprocess.Popen[str]) -> tuple[str, int]:
    """The host and port that the server says it listens on."""
    for line in process.stderr or ():
        if found := re.search(r"http://([^/:]+):(\d+)/", line):
            return found[1], int(found[2])
    raise SystemExit("the server ended before it said its address")


def ask_all(address: tuple[str, int], texts: list[str], clients: int) -> list[tuple[str, float]]:
    """The translations of texts, each with the seconds that it took."""

    def ask_some(number: int) -> list[tuple[int, str, float]]:
        connection = http.client.HTTPConnection(*address, timeout=120)
        found = []
        for i in range(number, len(texts), clients):
            began = time.perf_counter()
            body = json.dumps({"q": texts[i], "source": "en", "target": "de"})
            connection.request("POST", "/translate", body, {"content-type": "application/json"})
            answer = json.loads(connection.getresponse().read())
            found.append((i, answer.get("translatedText", ""), time.perf_counter() - began))
        return found

    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        found = sorted(each for some in pool.map(ask_some, range(clients)) for each in some)
    return [(text, seconds) for _, text, seconds in found]


def resident_megabytes(process: int) -> float:
    """The memory that a process holds, on Linux."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 1000


if __name__ == "__main__":
    with errors_as_one_line():
        main()
