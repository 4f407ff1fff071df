"""What drives a notebook in a browser, where a word of the kernel's is lost."""

import pytest

from helpers.tools import browser

KERNEL = browser.KERNEL
DEAF = (
    f"void ({KERNEL}._updateStatus('starting'), Object.assign({KERNEL}, {{_updateStatus() {{}}}}))"
)
HEARING = f"delete {KERNEL}._updateStatus"


@pytest.mark.browser
@pytest.mark.thorough
def test_a_kernel_whose_word_was_lost_is_asked_again(tmp_path, monkeypatch):
    with browser.chromium() as chromium, browser.server(tmp_path) as address:
        notebook = browser.Notebook(chromium, address, tmp_path, ["1"])
        monkeypatch.setattr(browser, "PATIENCE", 500)
        monkeypatch.setattr(browser, "TIMES", 2)
        notebook.page.evaluate(DEAF)
        with pytest.raises(browser.TookTooLong):
            notebook.wait_until_idle()
        notebook.page.evaluate(HEARING)
        monkeypatch.setattr(browser, "TIMES", 100)  # a busy machine may answer late
        notebook.wait_until_idle()
        notebook.close()
