"""A real browser for the pages that the program writes."""

import shutil

import pytest

DEVICES = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
PATIENCE = 20_000  # milliseconds, for a busy machine


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium is installed")
    playwright.expect.set_options(timeout=PATIENCE)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser):
    """Opens pages; afterwards checks that they had no errors and requested nothing else."""
    yield from _visits(browser, lambda requested, opened: requested == opened)


@pytest.fixture
def open_page(visit, address, request):
    """Opens the page at the ``address`` of a module of tests, with its element ``READY``."""

    def go(device="desktop", view="", address=address, **options):
        return visit(address, request.module.READY, device, view, **options)

    return go


@pytest.fixture
def visit_with_frames(browser):
    """The same for pages that may request others of the same server."""
    yield from _visits(
        browser,
        lambda *urls: len({"/".join(url.split("/")[:3]) for url in set().union(*urls)}) == 1,
    )


def _visits(browser, fits):
    contexts, problems, addresses, requests = [], [], [], []

    def go(address, ready, device="desktop", view="", **options):
        """The page at an address, when the element ``ready`` is there."""
        contexts.append(browser.new_context(**DEVICES[device], **options))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append("a dialog"))
        page.on("dialog", lambda dialog: dialog.dismiss())
        page.on("request", lambda request: requests.append(request.url))
        addresses.append(address)
        page.goto(f"{address}#{view}")
        page.wait_for_selector(ready)
        return page

    yield go
    for context in contexts:
        context.close()
    assert problems == []
    requested = {url.split("#")[0] for url in requests if url[:5] not in ("data:", "blob:")}
    assert fits(requested, set(addresses))
