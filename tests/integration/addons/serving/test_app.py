"""The API of the server: what it answers, and what it refuses."""

import asyncio
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest

import translator
from tests.commands import GERMAN, SENTENCE

starlette = pytest.importorskip("starlette")
httpx = pytest.importorskip("httpx")

from translator.addons.serving.app import make_app  # noqa: E402
from translator.addons.serving.bodies import FilePart  # noqa: E402
from translator.addons.serving.limits import RequestError, ServerLimits  # noqa: E402
from translator.addons.serving.models import Models  # noqa: E402
from translator.addons.serving.requested import TranslatedFiles, options_of  # noqa: E402
from translator.base.errors import InputError  # noqa: E402

LIMITS = ServerLimits(
    characters=2000, texts=20, body=30_000, waiting=50, seconds=20.0, seconds_of_body=0.3
)
OTHER, OTHER_GERMAN = "The dog loves the house.", "Der Hund liebt das Haus."


@pytest.fixture(scope="module")
def models(tiny_run):
    found = Models([tiny_run], LIMITS)
    found.load_all()
    return found


def with_client(models, work, limits=LIMITS, **options):
    """What ``work`` answers, which is given a client of the application."""

    async def connected():
        app = make_app(models, limits, **options)
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            found = await work(client)
        await models.close()
        return found

    with ThreadPoolExecutor(1) as thread:  # this one may have a browser's loop
        return thread.submit(asyncio.run, connected()).result()


@pytest.fixture
def ask(models):
    """Sends one request, or several at the same time."""

    def send(*requests, **options):
        async def all_of_them(client):
            return await asyncio.gather(
                *(client.request(method, path, **more) for method, path, more in requests)
            )

        answers = with_client(models, all_of_them, **options)
        return answers[0] if len(answers) == 1 else answers

    return send


def posted(path, **fields):
    return "POST", path, {"json": fields}


def test_health_languages_the_page_and_errors_of_other_paths(ask):
    health = ask(("GET", "/health", {})).json()
    assert health["status"] == "ok"
    assert health["models"] == ["en-de"]
    assert ask(("GET", "/languages", {})).json() == [
        {"code": "en", "name": "English", "targets": ["de"]}
    ]
    assert ask(posted("/detect", q=SENTENCE)).json() == [{"language": "en", "confidence": 100.0}]
    page = ask(("GET", "/", {}))
    assert page.headers["content-type"].startswith("text/html")
    assert "http" not in re.sub(r"http-equiv|http://www.w3.org/2000/svg", "", page.text)
    missing = ask(("GET", "/nothing", {}))
    assert (missing.status_code, list(missing.json())) == (404, ["error"])
    wrong = ask(("GET", "/translate", {}))
    assert (wrong.status_code, list(wrong.json())) == (405, ["error"])


def test_a_text_is_translated_in_json_and_in_forms(ask):
    fields = {"q": SENTENCE, "source": "en", "target": "de"}
    for source in ({"source": "en"}, {"source": "auto"}, {}):
        given = {"q": SENTENCE, "target": "de", "api_key": "any", **source}
        answer = ask(posted("/translate", **given)).json()
        assert answer["translatedText"] == GERMAN
        assert ("detectedLanguage" in answer) == (source != {"source": "en"})
    several = {**fields, "q": [SENTENCE, OTHER]}
    for form, expected in (
        ({"data": fields}, GERMAN),
        ({"files": {name: (None, value) for name, value in fields.items()}}, GERMAN),
        ({"data": several}, [GERMAN, OTHER_GERMAN]),
        ({"params": several}, [GERMAN, OTHER_GERMAN]),  # LibreTranslate takes them there, too
        ({"params": {**fields, "q": OTHER}, "json": {"q": SENTENCE}}, GERMAN),
    ):
        assert ask(("POST", "/translate", form)).json()["translatedText"] == expected


def test_a_form_of_address_is_asked_for_by_deepls_names(ask, models, monkeypatch):
    def answered(name):
        return ask(posted("/translate", q=SENTENCE, target="de", formality=name))

    for name, message in [
        ("more", "formality: expected a model with the tags formal and informal, found one"),
        ("polite", "formality: expected one of default, more, less, prefer_more, prefer_less"),
    ]:
        assert answered(name).status_code == 400
        assert answered(name).json()["error"].startswith(message)
    polite = posted("/attention", q=SENTENCE, target="de", formality="polite")
    assert ask(polite).status_code == 400
    assert answered("prefer_more").json()["translatedText"] == GERMAN  # as it can
    batcher = models.batcher("en", "de")
    monkeypatch.setattr("translator.addons.serving.requested.has_formality", lambda tags: True)
    names = ("default", "more", "less", "prefer_more", "prefer_less")
    forms = [options_of(batcher, 0, name).formality for name in names]
    assert forms == [None, *["formal", "informal"] * 2]


def test_an_answer_says_how_sure_it_is_and_what_is_doubtful(ask):
    sure = ask(posted("/translate", q=SENTENCE, source="en", target="de")).json()
    assert 0 < sure["confidence"] <= 1
    assert sure["doubts"] == []
    text = f"{SENTENCE}\n你好"
    answer = ask(posted("/translate", q=[SENTENCE, text], source="en", target="de")).json()
    assert answer["translatedText"] == [GERMAN, f"{GERMAN}\n你好"]
    assert answer["confidence"][0] == sure["confidence"]
    assert answer["doubts"][0] == []
    assert answer["doubts"][1][0].startswith("line 2: only characters that")


def test_a_file_that_cannot_be_translated_is_refused(ask):
    fields = {"source": (None, "en"), "target": (None, "de")}
    assert ask(("GET", "/download_file/none/a.html", {})).status_code == 404
    for wrong, problem in [
        (fields, "file: expected a file in a form, found none"),
        ({**fields, "file": ("a.xyz", b"x")}, "a.xyz: expected a file with a known ending"),
        ({**fields, "file": ("a.docx", b"x")}, "a.docx: expected a whole document"),
        ({**fields, "file": ("a.html", b"\xff")}, "a.html: expected UTF-8"),
    ]:
        answer = ask(("POST", "/translate_file", {"files": wrong}))
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(problem)
    given = {**fields, "file": ("a.html", f"<p>{SENTENCE}</p>".encode())}
    answer = ask(("POST", "/translate", {"files": given}))
    assert answer.status_code == 400, "no file there"


def test_a_request_may_have_a_glossary(ask):
    fields = {"q": SENTENCE, "source": "en", "target": "de"}
    terms = {"cat": "Dingsda"}
    for given in (
        posted("/translate", **fields, glossary=terms),
        ("POST", "/translate", {"data": {**fields, "glossary": json.dumps(terms)}}),
    ):
        assert "Dingsda" in ask(given).json()["translatedText"]
    file = {"file": ("a.txt", SENTENCE.encode()), "target": (None, "de"), "source": (None, "en")}
    answer = ask(("POST", "/translate_file", {"files": {**file, "glossary": (None, "[]")}}))
    assert answer.json()["error"].startswith("glossary: expected an object of texts, found")
    for wrong, problem in [
        ({"a": 1}, "expected an object of texts"),
        ({" ": "b"}, "expected a term, found none"),
        ({str(i): "b" for i in range(1_001)}, "expected at most 1,000 terms, found 1,001"),
        ({"\ud800": "b"}, "expected a text, found an incomplete character"),
    ]:
        content = json.dumps({**fields, "glossary": wrong})
        answer = ask(("POST", "/translate", {"content": content}))
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(f"glossary: {problem}")


def test_a_translated_file_is_kept_for_some_minutes(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    kept = TranslatedFiles(ServerLimits(files=2, seconds_of_file=60.0))
    keys = [kept.keep(FilePart(name, b"x")) for name in "abc"]
    assert len(set(keys)) == 3
    assert [kept.find(key).name for key in keys[1:]] == ["b", "c"]
    with pytest.raises(RequestError, match="expected the address of a translated file"):
        kept.find(keys[0])
    clock[0] = 61.0
    with pytest.raises(RequestError):
        kept.find(keys[2])


def test_a_file_is_fetched_from_the_server_that_translated_it(models):
    fields = {"source": (None, "en"), "target": (None, "de")}
    given = {**fields, "file": ("../a ä.html", f"<p>{SENTENCE}</p><pre>x</pre>".encode())}

    async def translate_and_fetch(client):
        answer = (await client.post("/translate_file", files=given)).json()
        assert answer["doubts"] == []
        assert answer["translatedFileUrl"].endswith("/a%20%C3%A4.html")
        return await client.get(answer["translatedFileUrl"])

    fetched = with_client(models, translate_and_fetch)
    assert fetched.text == f"<p>{GERMAN}</p><pre>x</pre>"
    assert fetched.headers["content-disposition"].endswith("UTF-8''a%20%C3%A4.html")


def test_lists_lines_alternatives_and_markup_come_back_as_they_were(ask):
    fields = {"source": "en", "target": "de", "alternatives": 2}
    answer = ask(posted("/translate", q=[SENTENCE, OTHER, ""], **fields)).json()
    assert "error" not in answer, answer
    assert answer["translatedText"] == [GERMAN, OTHER_GERMAN, ""]
    assert [len(each) for each in answer["alternatives"][:2]] == [2, 2]
    assert GERMAN not in answer["alternatives"][0]
    text = f"{SENTENCE}\n\n{OTHER}"
    answer = ask(posted("/translate", q=text, source="en", target="de")).json()
    assert answer["translatedText"] == f"{GERMAN}\n\n{OTHER_GERMAN}"
    page = "<h1 class='x'>{}</h1>\n<script>let dog = '<p>';</script><p>{}<br/></p><pre>A dog.</pre>"
    fields = {"source": "en", "target": "de", "format": "html"}
    answer = ask(posted("/translate", q=page.format(SENTENCE, OTHER), **fields)).json()
    assert answer["translatedText"] == page.format(GERMAN, OTHER_GERMAN)


def test_attention_is_that_of_the_record(ask, tiny_run):
    run = translator.load(tiny_run)
    [record] = run.attention(run.translate(SENTENCE))
    [found] = ask(posted("/attention", q=SENTENCE, source="en", target="de")).json()
    assert (found["hypothesis"], tuple(found["target_tokens"])) == (GERMAN, record.target_tokens)
    assert found["cross"][1][0][0] == pytest.approx(list(record.cross[1, 0, 0]), abs=2e-5)
    page = ask(("GET", "/explorer", {"params": {"q": SENTENCE, "source": "en", "target": "de"}}))
    assert "Attention" in page.text


def test_a_stream_ends_with_the_hypotheses(ask):
    text = f"{SENTENCE}\n\n{OTHER}"
    answer = ask(posted("/stream", q=text, source="en", target="de", alternatives=1))
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines[0]["source"]["language"] == "en"
    assert len(lines) == 2
    first, empty, other = lines[-1]["lines"]
    assert [first[0]["text"], empty, other[0]["text"]] == [GERMAN, [{"text": ""}], OTHER_GERMAN]
    assert len(first) == len(other) == 2


def test_requests_that_arrive_together_are_one_batch(ask, models, monkeypatch):
    sizes = []
    run = models.batcher("en", "de").translator
    original = run.translate_read

    def counted(lines, options=None):
        if lines:
            sizes.append(len(lines))
        return original(lines, options)

    monkeypatch.setattr(run, "translate_read", counted)
    texts = [f"The dog loves the house {'.' * (i % 3 + 1)}" for i in range(30)]
    answers = ask(*(posted("/translate", q=text, source="en", target="de") for text in texts))
    assert sum(sizes) == 30
    assert len(sizes) < 10
    expected = [found.text for found in original([run.make_reader().read(t, "") for t in texts])]
    assert [answer.json()["translatedText"] for answer in answers] == expected


def test_wrong_fields_are_answered_with_an_error(ask):
    for fields, message in [
        ({}, "q: expected a text"),
        *(({"q": text}, "q: expected a text") for text in (3, [])),
        ({"q": "x" * 2001}, "at most 2,000 characters"),
        ({"q": ["x"] * 21}, "at most 20 texts"),
        ({"q": "x", "target": None}, "target: expected a text"),
        ({"q": "x", "target": "fr"}, "expected one of en, de, found fr"),
        ({"q": "x", "target": "f" * 100}, "found ffffffffffffffffffff"),
        ({"q": "x", "source": "fr"}, "expected one of en, de, found fr"),
        ({"q": "x", "format": "pdf"}, "format: expected text or html"),
        *(({"q": "x", "alternatives": number}, "alternatives: expected 0 to 8")
          for number in ("0_1", True, 99, "many")),
    ]:  # fmt: skip
        answer = ask(posted("/translate", **{"target": "de", **fields}))
        assert answer.status_code == 400
        assert message in answer.json()["error"]


def test_half_characters_and_long_numbers_are_named_by_their_field(ask):
    half, endless = r'"a \ud800"', "9" * 500
    for path, name, value, message in [
        *((path, "q", half, "q: expected a text, found an incomplete character")
          for path in ("/translate", "/stream", "/detect", "/attention")),
        ("/translate", "q", f"[{half}]", "q: expected a text, found an incomplete character"),
        ("/translate", "q", endless, "q: expected a text or a list of texts, found int"),
        ("/translate", "target", endless, "target: expected a text, found int"),
        ("/translate", "alternatives", half, r"alternatives: expected 0 to 8, found 'a \ud800'"),
        ("/translate", "alternatives", endless, "alternatives: expected 0 to 8, found 9999"),
        ("/translate", "alternatives", "[" * 900 + "]" * 900,
         "alternatives: expected 0 to 8, found list"),
    ]:  # fmt: skip
        for source in ("en", "de", "auto"):  # what is in German already is not translated
            fields = {"q": '"The cat."', "source": f'"{source}"', "target": '"de"', name: value}
            body = ", ".join(f'"{each}": {written}' for each, written in fields.items())
            headers = {"content-type": "application/json"}
            answer = ask(("POST", path, {"content": f"{{{body}}}".encode(), "headers": headers}))
            assert (answer.status_code, path, answer.json()["error"][: len(message)]) == (
                400, path, message,
            )  # fmt: skip


def test_more_than_the_limits_is_refused(ask, models, monkeypatch):
    limits = LIMITS._replace(line=300, sentences=9, weights=100)
    monkeypatch.setattr(models.batcher("en", "de"), "limits", limits)
    for path, text, message in [
        ("/translate", "x" * 301, "expected lines of at most 300 characters, found a line of 301"),
        ("/stream", "x" * 301, "expected lines of at most 300 characters, found a line of 301"),
        ("/attention", "x\n" * 200, "expected lines of at most 300 characters"),
        ("/translate", "The cat.\n" * 10, "expected at most 9 sentences, found 10 or more"),
        ("/stream", "The cat.\n" * 10, "expected at most 9 sentences, found 10 or more"),
        ("/attention", OTHER, "q: expected at most 100 weights of attention, found more"),
    ]:
        answer = ask(posted(path, q=text, source="en", target="de"), limits=limits)
        assert (answer.status_code, answer.json()["error"][: len(message)]) == (400, message)
    answer = ask(posted("/translate", q="\n" * 1000, source="en", target="de"), limits=limits)
    assert answer.json()["translatedText"] == "\n" * 1000


def test_the_text_of_an_exception_is_not_sent(ask, models, monkeypatch):
    translator = models.batcher("en", "de").translator
    for error in (OSError("secret"), InputError("secret")):
        monkeypatch.setattr(translator, "translate_read", Mock(side_effect=error))
        for path in ("/translate", "/stream", "/attention", "/explorer"):
            more = {"params" if path == "/explorer" else "json": {"q": SENTENCE, "target": "de"}}
            answer = ask(("GET" if path == "/explorer" else "POST", path, more))
            assert answer.status_code == (200 if path == "/stream" else 500)
            assert "found an error of the server" in answer.text
            assert "secret" not in answer.text


def test_broken_bodies_are_answered_with_an_error(ask):
    for body, kind, status in [
        (b"{", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"[" * 20_000, "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"x" * 30_001, "application/json", 413),
        (b"no parts", "multipart/form-data; boundary=a", 400),
        (b"no parts", "multipart/form-data", 400),
    ]:
        answer = ask(("POST", "/translate", {"content": body, "headers": {"content-type": kind}}))
        assert answer.status_code == status
        assert list(answer.json()) == ["error"]


def test_a_body_that_never_ends_is_refused(ask):
    async def endless():
        while True:
            yield b"x" * 1000

    answer = ask(("POST", "/translate", {"content": endless()}))
    assert answer.status_code == 413

    async def slow():
        yield b"{"
        await asyncio.sleep(1)
        yield b"}"

    answer = ask(("POST", "/translate", {"content": slow()}))
    assert answer.status_code == 408


def test_other_names_of_the_server_and_other_sites_need_to_be_allowed(ask):
    for host in ("LocalHost:5000", "127.0.0.1:5000", "[::1]:5000"):
        assert ask(("GET", "/health", {"headers": {"host": host}})).status_code == 200, host
    for host in ("evil.example", "evil.example:5000", "127.0.0.1.evil.example", ""):
        answer = ask(("GET", "/health", {"headers": {"host": host}}))
        assert answer.status_code == 400, host
        assert "--allow-host" in answer.json()["error"]
    own = ("origin", "http://127.0.0.1")
    many = [(f"x-{i}", "y") for i in range(200)]
    for headers, status in [
        ([own], 200),
        ([own, own], 400),
        ([("x", "y" * 33_000)], 431),
        (many, 431),
    ]:
        assert ask(("GET", "/health", {"headers": headers})).status_code == status
    origin = {"origin": "https://example.org"}
    request = ("POST", "/translate", {"json": {"q": SENTENCE, "target": "de"}, "headers": origin})
    assert ask(request).status_code == 403
    allowed = ask(request, allowed_origins=["https://example.org"])
    assert allowed.json()["translatedText"] == GERMAN
    assert allowed.headers["access-control-allow-origin"] == "https://example.org"
    own = {"origin": "http://127.0.0.1"}
    answer = ask(("POST", "/translate", {"json": {"q": SENTENCE, "target": "de"}, "headers": own}))
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers
    given = {"params": {"q": SENTENCE, "target": "de"}, "headers": {"sec-fetch-site": "cross-site"}}
    for path, status in (("/explorer", 403), ("/languages", 403), ("/", 200)):
        assert ask(("GET", path, given)).status_code == status, path


def test_text_in_the_target_language_stays_as_it_is():
    async def ask_both(client):
        fields = {"q": "Guten Morgen, mein Freund.", "target": "de"}
        return [
            await client.post(path, json=fields | others)
            for path, others in (("/translate", {}), ("/translate", {"alternatives": None}),
                                 ("/stream", {}))
        ]  # fmt: skip

    plain, same, stream = with_client(Models(["en-de", "de-en"], LIMITS), ask_both)
    assert plain.json()["translatedText"] == "Guten Morgen, mein Freund."
    assert plain.json()["detectedLanguage"]["language"] == "de"
    assert same.json() == plain.json()
    first, *_, last = [json.loads(line) for line in stream.text.splitlines()]
    assert (first["source"]["language"], first["target"]) == ("de", "en")
    assert "morning" in last["lines"][0][0]["text"]


def test_markup_in_text_is_not_run(ask):
    text = "<script>alert(1)</script>"
    answer = ask(posted("/translate", q=text, source="en", target="de"))
    assert answer.headers["content-type"] == "application/json"
    page = ask(("GET", "/explorer", {"params": {"q": text, "source": "en", "target": "de"}}))
    assert "<script>alert" not in page.text
