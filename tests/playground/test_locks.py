"""The order of locks, and the watch that sees whether it is kept."""

import threading

import pytest

from helpers.playground import locks


def test_a_lock_may_be_taken_again_by_the_thread_that_holds_it():
    lock = locks.make("mask")
    with lock, lock:
        outcome = []
        other = threading.Thread(target=lambda: outcome.append(lock.acquire(blocking=False)))
        other.start()
        other.join()
    assert outcome == [False]


def test_a_lock_without_a_place_in_the_order_is_refused():
    with pytest.raises(ValueError, match="'page'.*'link', 'step', 'mask', 'mailbox', 'graphs'"):
        locks.make("page")


def test_from_outermost_to_innermost_all_may_be_held(watched_locks):
    link, step, mask, mailbox, graphs = map(locks.make, locks.ORDER)
    with link, step, mask, mailbox, graphs, link:
        pass
    with mask, mailbox:
        pass
    assert ("link", "mailbox") in watched_locks.taken and watched_locks.held == []


PAIRS = [(held, taken) for held in locks.ORDER for taken in locks.ORDER]
FORBIDDEN = [pair for pair in PAIRS if locks.ORDER.index(pair[0]) >= locks.ORDER.index(pair[1])]


@pytest.mark.parametrize(("held", "taken"), FORBIDDEN)
def test_a_lock_taken_out_of_order_is_seen(watched_locks, held, taken):
    with locks.make(held), pytest.raises(AssertionError, match=f"'{taken}' was taken under"):
        locks.make(taken).acquire()
    assert len(watched_locks.broken) == 1
    watched_locks.broken.clear()


def test_one_that_a_thread_swallows_is_seen_too(watched_locks):
    mask, link = locks.make("mask"), locks.make("link")

    def swallow():
        try:
            with mask, link:
                pass
        except AssertionError:
            pass

    thread = threading.Thread(target=swallow)
    thread.start()
    thread.join()
    assert len(watched_locks.broken) == 1
    watched_locks.broken.clear()


def test_what_another_thread_holds_is_not_held_against_this_one(watched_locks):
    mask, link = locks.make("mask"), locks.make("link")
    with mask:
        thread = threading.Thread(target=lambda: link.acquire() and link.release())
        thread.start()
        thread.join()
    assert watched_locks.broken == []


def test_a_condition_waits_on_a_watched_lock(watched_locks):
    condition, arrived = threading.Condition(locks.make("mailbox")), []

    def deliver():
        with condition:
            arrived.append("letter")
            condition.notify()

    with condition:
        threading.Thread(target=deliver).start()
        assert condition.wait_for(lambda: arrived, timeout=30)
    assert watched_locks.held == []
