"""Pages that are long gone are forgotten, and one that comes back loses and doubles nothing."""

import pytest

from helpers.playground.painter.clients import KEPT, Clients


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


def test_those_that_were_heard_last_are_kept(clients):
    crowd(clients)
    clients.hear("other 0", 0)
    clients.hear("one", 0)
    assert len(clients) == KEPT and "one" in clients.numbers
    assert "other 0" in clients.numbers and "other 1" not in clients.numbers


def test_an_operation_that_comes_again_is_not_carried_out_again(clients):
    assert operate(clients, "one", 1, seen=0)
    crowd(clients, KEPT - 1)
    assert not operate(clients, "one", 1, seen=0)
    assert operate(clients, "one", 2, seen=0)


def test_a_page_that_was_forgotten_goes_on_with_its_numbers(clients):
    assert operate(clients, "one", 1, seen=0) and operate(clients, "one", 2, seen=1)
    clients.hear("one", 2)
    crowd(clients)
    assert "one" not in clients.numbers
    assert not operate(clients, "one", 4, seen=2)  # has overtaken the third
    assert operate(clients, "one", 3, seen=2) and operate(clients, "one", 4, seen=2)
    assert not operate(clients, "one", 3, seen=2)


def test_a_page_cannot_have_seen_more_than_was_done(clients):
    assert operate(clients, "one", 1, seen=0)
    clients.hear("one", 99)
    assert clients.numbers == {"one": 1}


def test_what_was_handed_out_does_not_change(clients):
    """A frame names the operations of one moment."""
    operate(clients, "one", 1, seen=0)
    before = clients.numbers
    operate(clients, "one", 2, seen=0)
    assert before == {"one": 1}
