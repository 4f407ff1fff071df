"""What drives a notebook in a browser, where a word of the kernel's is lost."""

import pytest

from helpers.tools import browser

LOSE = f"{browser.KERNEL}._updateStatus('starting')"


@pytest.mark.browser
@pytest.mark.thorough
def test_a_kernel_whose_word_was_lost_is_asked_again(tmp_path, monkeypatch):
    monkeypatch.setattr(browser, "PATIENCE", 500)
    with browser.chromium() as chromium, browser.server(tmp_path) as address:
        notebook = browser.Notebook(chromium, address, tmp_path, ["1"])
        notebook.page.evaluate(LOSE)
        notebook.wait_until_idle()
        notebook.page.wait_for_timeout(3_000)  # what was asked twice is answered twice
        monkeypatch.setattr(browser, "TIMES", 0)
        notebook.page.evaluate(LOSE)
        with pytest.raises(browser.TookTooLong):
            notebook.wait_until_idle()
        notebook.close()
