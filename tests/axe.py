"""What axe-core says of a part of a page: what shuts people out who see little or nothing."""

from axe_playwright_python.sync_playwright import Axe


def findings(page, part):
    """What it finds in the part with this CSS selector, a line a place."""
    # In a body without height, such as JupyterLab's, it takes all text for hidden, and judges no
    # colours.
    page.add_style_tag(content="body { height: 100vh }")
    found = Axe().run(page, context=part).response["violations"]
    return [
        f"{one['impact']} {one['id']}: {place['html'][:200]} {place['failureSummary']}"
        for one in found
        for place in one["nodes"]
    ]
