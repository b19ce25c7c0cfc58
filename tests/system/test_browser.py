"""One page in a real browser; the slow tests look at every page more closely."""

from tests.explorer_records import HOSTILE, explorer_records
from translator.addons.attention.page import explorer_html


def test_a_hostile_sentence_shows_as_itself(visit, tmp_path):
    records, path = explorer_records(), tmp_path / "explorer.html"
    path.write_text(explorer_html(iter(records)), "utf-8")
    page = visit(path.as_uri(), ".token", view="sentence=2&units=pieces")
    assert page.text_content("#source") == HOSTILE
    labels = page.locator(".tokens.key").first.locator(".token").all_inner_texts()
    assert labels == list(records[2].source_tokens)
    assert page.locator("img").count() == 0
