"""Pages that are long gone are forgotten, and one that comes back loses and doubles nothing."""

import pytest

from helpers.playground.painter import clients as module
from helpers.playground.painter.clients import KEPT, LONG_PATIENCE, PATIENCE, Clients


@pytest.fixture(autouse=True)
def clock(stopped_clock):
    """The clock, which stands still until a test moves it."""
    return stopped_clock(module)


@pytest.fixture
def clients():
    return Clients()


def crowd(clients, count=KEPT):
    """So many other pages say something."""
    for number in range(count):
        clients.hear(f"other {number}", 0)


def operate(clients, name, seq, seen):
    """Whether an operation of a page is carried out."""
    clients.hear(name, seen)
    return clients.is_next(name, seq)


def test_who_was_heard_lately_is_kept_however_many_there_are(clients, clock):
    crowd(clients, 100)
    clock.now += PATIENCE - 1
    clients.hear("one", 0)
    assert len(clients) == 101


def test_the_few_that_were_heard_last_are_kept_however_long_ago(clients, clock):
    for _ in range(3):
        crowd(clients, KEPT - 1)
        clock.now += 2 * LONG_PATIENCE
        clients.hear("one", 0)
    assert len(clients) == KEPT


def test_a_thousand_pages_that_came_and_went_do_not_stay(clients, clock):
    for number in range(1000):
        clients.hear(f"page {number}", 0)
        clock.now += PATIENCE / 4
    assert len(clients) < KEPT + 6


def test_a_page_that_was_forgotten_goes_on_with_its_numbers(clients, clock):
    assert operate(clients, "one", 1, seen=0) and operate(clients, "one", 2, seen=1)
    clients.hear("one", 2)
    clock.now += PATIENCE + 1
    crowd(clients)
    assert "one" not in clients.numbers
    assert not operate(clients, "one", 4, seen=2)  # has overtaken the third
    assert operate(clients, "one", 3, seen=2) and operate(clients, "one", 4, seen=2)
    assert not operate(clients, "one", 3, seen=2)


def test_a_page_that_may_send_an_operation_again_is_not_forgotten_before_a_day(clients, clock):
    """It was away before the frame came that names the operation as applied."""
    assert operate(clients, "one", 1, seen=0)
    clock.now += PATIENCE + 1
    crowd(clients)
    assert not operate(clients, "one", 1, seen=0)
    clock.now += LONG_PATIENCE + 1
    crowd(clients)
    assert "one" not in clients.numbers


def test_a_page_cannot_have_seen_more_than_was_done(clients, clock):
    assert operate(clients, "one", 1, seen=0)
    clients.hear("one", 99)
    assert clients.numbers == {"one": 1}
    clock.now += PATIENCE + 1
    crowd(clients)
    assert "one" not in clients.numbers
