"""The server as a process: in a browser, under load, with rude clients, and ended by a signal."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.commands import GERMAN, SENTENCE, shell

pytest.importorskip("starlette")

both = pytest.mark.parametrize("device", ["desktop", "phone"])


@contextlib.contextmanager
def serving(run, *program):
    """The address of a server in a process of its own, and the process."""
    process = subprocess.Popen(
        [sys.executable, *(program or ("-m", "translator.cli")), "serve", str(run), "--port", "0"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        [address] = re.findall("(http://[^/]+)/", process.stderr.readline())
        yield address, process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def server(tiny_run):
    with serving(tiny_run) as started:
        yield started


def post(address, path, fields, timeout=60):
    request = urllib.request.Request(
        f"{address}{path}", json.dumps(fields).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return json.loads(answer.read())


@pytest.mark.slow
@both
def test_text_is_translated_as_it_is_typed(visit_with_frames, server, device):
    page = visit_with_frames(f"{server[0]}/", "#text", device)
    page.locator("#text").press_sequentially(SENTENCE, delay=5)
    page.wait_for_selector("#hypotheses li")
    assert page.locator("#translation").inner_text() == GERMAN
    others = page.locator("#hypotheses button")
    assert others.count() > 1
    other = others.nth(1).get_attribute("aria-label")
    assert other != GERMAN
    assert page.locator("#hypotheses b").count() > 0  # what differs
    others.nth(1).click()
    assert page.locator("#translation").inner_text() == other
    names = [each.get_attribute("aria-label") for each in others.all()]
    assert other not in names
    assert GERMAN in names
    page.locator("#text").fill(f"{SENTENCE}\n\nThe dog loves the house.")
    page.locator("#translation > span").nth(2).click()  # alternatives are of this paragraph
    page.locator("#hypotheses button").first.click()
    first, _, last = page.locator("#translation").inner_text().split("\n")
    assert (first, last == "Der Hund liebt das Haus.") == (GERMAN, False)
    buttons = page.locator("#hypotheses button").all()
    names = [button.get_attribute("aria-label") for button in buttons]
    assert "Der Hund liebt das Haus." in names
    page.locator("#text").fill("")
    page.locator("#translation:empty").wait_for(state="attached")
    assert page.locator("#look").is_disabled()


@pytest.mark.slow
@both
def test_examples_are_tried_with_a_click_and_the_translation_is_copied(
    visit_with_frames, server, device
):
    page = visit_with_frames(f"{server[0]}/", "#text", device)
    assert "training data" in page.locator("#purpose").inner_text()
    assert page.locator("#copy").is_disabled()
    assert page.locator("#swap").is_disabled()  # there is no model for it
    examples = page.locator("#examples button")
    assert examples.count() == 3
    text = examples.nth(1).inner_text()
    examples.nth(1).click()
    page.locator("#translation", has_text=" ").wait_for()
    assert page.locator("#text").input_value() == text
    assert page.locator("#examples").is_hidden()
    page.locator("#copy:enabled").click()
    page.locator("#copy", has_text=re.compile("Copied|Selected")).wait_for()
    marked = page.locator("#translation .doubtful").count()
    assert page.locator("#legend").is_visible() == (marked > 0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_every_head_can_be_looked_into(visit_with_frames, server):
    page = visit_with_frames(f"{server[0]}/", "#text")
    page.locator("#text").fill(SENTENCE)
    page.wait_for_selector("#hypotheses li")
    page.locator("#look").click()
    frame = page.frame_locator("#frame iframe")
    frame.locator(".token").first.wait_for(timeout=60_000)
    assert frame.locator("#source").inner_text() == SENTENCE
    assert frame.locator("#heads [role=gridcell]").count() == 4


@pytest.mark.slow
def test_a_file_is_chosen_or_dropped_and_another_given_back(visit_with_frames, server, tmp_path):
    page = visit_with_frames(f"{server[0]}/", "#text")
    path = tmp_path / "a page.html"
    path.write_text(f"<p>{SENTENCE}</p><p>你好</p>", "utf-8")
    page.locator("#file").set_input_files(path)
    with page.expect_download() as saved:
        page.locator("#file-note a").click()
    assert saved.value.suggested_filename == path.name
    assert saved.value.path().read_text("utf-8") == f"<p>{GERMAN}</p><p>你好</p>"
    assert page.locator("#file-note summary").inner_text() == "1 doubtful"
    drop = """() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["x"], "notes.txt"));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
    }"""
    page.evaluate(drop)
    page.locator("#file-note a", has_text="Save notes.txt").wait_for()
    page.route("**/translate_file", lambda route: route.fulfill(json={"error": "too large"}))
    page.evaluate(drop)
    page.locator("#file-note.error", has_text="too large").wait_for()


@pytest.mark.slow
def test_markup_in_text_stays_text(visit_with_frames, server):
    page = visit_with_frames(f"{server[0]}/", "#text")
    page.locator("#text").fill("<script>alert(1)</script><img src=x onerror=alert(2)> The dog.")
    page.wait_for_selector("#hypotheses li")
    assert page.locator("#translation img, #translation script").count() == 0


@pytest.mark.slow
def test_slow_and_vanishing_clients_hold_nobody_up(server):
    host, port = server[0].removeprefix("http://").split(":")
    slow = []
    for _ in range(30):
        client = socket.create_connection((host, int(port)))
        client.sendall(
            b"POST /translate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{"
        )
        slow.append(client)
    for _ in range(600):  # more than there may be
        slow.append(socket.create_connection((host, int(port))))
        slow[-1].sendall(b"GET /health HTTP/1.1\r\nHost: ")
    lines = "\n".join([SENTENCE] * 200)
    for path in ["/translate", "/stream"] * 15:  # these ask and go
        client = socket.create_connection((host, int(port)))
        body = json.dumps({"q": lines, "source": "en", "target": "de"}).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
        client.sendall(head.encode() + body)
        client.close()
    began = time.perf_counter()
    answer = post(server[0], "/translate", {"q": SENTENCE, "source": "en", "target": "de"})
    assert answer["translatedText"] == GERMAN
    assert time.perf_counter() - began < 20
    slow[-1].settimeout(20)
    with contextlib.suppress(ConnectionError):
        assert slow[-1].recv(1) == b""  # closed
    for client in slow:
        client.close()


INTERRUPTED = [(signal.SIGINT,) * count for count in (1, 2)]


@pytest.mark.parametrize(
    "numbers", [(signal.SIGTERM,), *(pytest.param(n, marks=pytest.mark.slow) for n in INTERRUPTED)]
)
def test_a_signal_ends_it_cleanly_and_a_second_interrupt_at_once(tiny_run, numbers):
    fields = {"q": "\n".join([SENTENCE] * 240), "source": "en", "target": "de", "alternatives": 8}
    with serving(tiny_run) as (address, process), ThreadPoolExecutor(9) as threads:
        asked = [threads.submit(post, address, "/translate", fields) for _ in 9 * numbers[1:]]
        for number in numbers:
            time.sleep(len(asked) / 9)
            process.send_signal(number)
        said = process.communicate(timeout=30)[1]
        assert any(request.exception() for request in asked) == bool(asked)
    assert process.returncode == (0 if signal.SIGTERM in numbers else 130)
    assert "Traceback" not in said


ENDING_SOON = """
from translator.addons.serving import running
from translator.cli.main import main
running.SECONDS_TO_END = 1
main()
"""


@pytest.mark.slow
def test_what_is_not_answered_when_it_ends_is_refused_and_what_is_too_large_hears_so(tiny_run):
    with serving(tiny_run, "-c", ENDING_SOON) as (address, process):
        with pytest.raises(urllib.error.HTTPError, match="413"):
            post(address, "/translate", {"q": "x" * 1_900_000})
        text = "\n".join([SENTENCE] * 240)
        fields = {"q": text, "source": "en", "target": "de", "alternatives": 8}
        with ThreadPoolExecutor(9) as threads:
            answered = [threads.submit(post, address, "/translate", fields) for _ in range(9)]
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
        answers = {request.exception().read() for request in answered if request.exception()}
        said = process.communicate(timeout=30)[1]
    assert answers == {b'{"error":"the server is stopping; try later"}'}
    assert "before all requests are answered" in said
    assert "Traceback" not in said


def test_a_port_that_is_taken_is_one_line(tiny_run, server):
    done = shell("serve", tiny_run, "--port", server[0].rpartition(":")[2])
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"--port" in done.stderr
