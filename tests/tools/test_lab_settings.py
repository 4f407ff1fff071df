"""A reader who opens JupyterLab for the first time is asked nothing before the course is there."""

import pytest

pytestmark = pytest.mark.browser


def test_nobody_is_asked_whether_to_fetch_news(chromium, address):
    server, _ = address
    with chromium.new_page() as page:
        page.goto(f"{server}/lab", wait_until="networkidle")
        page.wait_for_selector(".jp-Launcher, .jp-MainAreaWidget")
        page.wait_for_timeout(3000)  # the question comes once everything else stands
        assert page.locator(".Toastify__toast", has_text="news").count() == 0
