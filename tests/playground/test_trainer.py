"""The thread that trains: obedient, and nobody waits for it in vain."""

import math
import threading
import time

import numpy as np
import pytest

from helpers.optimizers import freezable_optimizer
from helpers.playground import tasks
from helpers.playground.loop import Loop
from helpers.playground.trainer import NotFinite, Trainer


def build(task):
    """A loop over a task, on the processor."""
    return Loop(task, {"sgd": freezable_optimizer("sgd", task.rates.get("sgd"))}, "cpu")


@pytest.fixture(scope="module")
def loop():
    """One loop over a small picture for many tests; `keep` takes it back to the start."""
    return build(tasks.snowflake(0, 12, 12))


class Diary:
    """Callbacks of a trainer that write down what they were told."""

    def __init__(self, loop, after=None):
        self.loop, self.losses, self.failures = loop, [], []
        self.failed, self.inner = threading.Event(), after
        self.refusals = []
        self.trainer = Trainer(loop, lambda: None, self.after, self.fail, self.refusals.append)
        self.trainer.open()

    def after(self, losses):
        """Do what the test wants done, then note the losses of a chunk."""
        again = self.inner(self) if self.inner else None
        self.losses.extend(losses)
        return again

    def fail(self, error):
        """Note what ended training."""
        self.failures.append(error)
        self.failed.set()


@pytest.fixture
def keep(loop):
    """A function that opens a trainer over the loop, closed when the test is over."""
    loop.reset()
    made = []

    def diary(after=None, over=loop):
        made.append(Diary(over, after))
        return made[-1]

    yield diary
    for one in made:
        one.trainer.close()


def test_the_thread_takes_exactly_the_steps_asked_for(keep, loop):
    diary = keep()
    for steps in (1, 2, 777):
        diary.trainer.start(steps)
        diary.trainer.wait()
    assert diary.trainer.do(lambda: loop.step) == 780
    assert not diary.trainer.running and not diary.failures


def test_waiting_ends_only_when_the_last_losses_have_been_told(keep):
    """Else what is read right after training lacks the last chunk, and a failure in it."""
    diary = keep(lambda diary: time.sleep(0.02))
    for steps in (1, 5):
        diary.losses.clear()
        diary.trainer.start(steps)
        diary.trainer.wait()
        assert len(diary.losses) == steps


def test_a_failure_in_the_last_chunk_is_told_before_waiting_ends(keep, spoilt):
    over = build(spoilt(tasks.snowflake(0, 6, 6), 0))
    diary = keep(lambda diary: time.sleep(0.02), over)
    diary.trainer.start(1)
    diary.trainer.wait()
    assert len(diary.failures) == 1


def test_the_thread_runs_on_until_it_is_stopped(keep, loop, until):
    diary = keep()
    diary.trainer.start()
    until(lambda: len(diary.losses) > 500)
    assert diary.trainer.running
    diary.trainer.stop()
    at = diary.trainer.do(lambda: loop.step)
    time.sleep(0.05)
    assert diary.trainer.do(lambda: loop.step) == at and not diary.trainer.running


def test_live_steps_are_the_steps_of_the_loop(keep, loop, until):
    diary = keep()
    diary.trainer.start()
    until(lambda: len(diary.losses) > 100)
    diary.trainer.stop()
    live = np.array(diary.trainer.do(lambda: list(diary.losses)), np.float32)
    diary.trainer.close()
    loop.reset()
    np.testing.assert_array_equal(loop.run(len(live)), live)


def test_do_returns_and_raises_what_the_function_does_and_training_goes_on(keep):
    diary = keep()
    diary.trainer.start()
    assert diary.trainer.do(lambda: threading.current_thread().name) == "freezing-trainer"
    with pytest.raises(ZeroDivisionError):
        diary.trainer.do(lambda: 1 / 0)
    assert diary.trainer.running and not diary.failures


def test_post_does_not_wait_and_what_it_raises_is_told_and_training_goes_on(keep, until):
    begun, go, done = threading.Event(), threading.Event(), []
    diary = keep()
    diary.trainer.start()
    diary.trainer.post(lambda: [begun.set(), go.wait()])
    begun.wait()
    diary.trainer.post(lambda: 1 / 0)
    diary.trainer.post(lambda: done.append(threading.current_thread().name))
    assert not done and not diary.refusals
    go.set()
    until(lambda: done)
    assert done == ["freezing-trainer"]
    assert [type(error) for error in diary.refusals] == [ZeroDivisionError]
    assert diary.trainer.running and not diary.failures


def test_a_closed_trainer_takes_no_post(keep):
    diary = keep()
    diary.trainer.close()
    with pytest.raises(RuntimeError, match="closed"):
        diary.trainer.post(lambda: None)


def test_the_thread_cannot_wait_for_its_own_steps(keep):
    diary = keep()
    diary.trainer.start()
    with pytest.raises(RuntimeError, match="its own steps"):
        diary.trainer.do(diary.trainer.wait)


def test_whoever_is_told_of_a_failure_and_raises_does_not_end_the_thread(keep, spoilt):
    diary = keep(over=build(spoilt(tasks.snowflake(0, 6, 6), 2)))
    diary.trainer._failed = lambda error: 1 / 0
    diary.trainer.start(5)
    diary.trainer.wait()
    assert diary.trainer.do(lambda: diary.loop.step) == 2


def test_the_thread_may_ask_itself(keep):
    asked = []
    diary = keep(lambda diary: asked.append(diary.trainer.do(lambda: 42)))
    diary.trainer.start(3)
    diary.trainer.wait()
    assert set(asked) == {42} and not diary.failures


def test_the_thread_may_stop_itself(keep, until):
    diary = keep(lambda diary: diary.trainer.stop())
    diary.trainer.start()
    until(lambda: not diary.trainer.running)
    assert not diary.failures


def test_an_exception_ends_training_and_is_told_once(keep, trainers):
    def after(diary):
        if len(diary.losses) > 20 and not diary.failures:
            raise OverflowError("too much")

    diary = keep(after)
    diary.trainer.start()
    diary.trainer.wait()
    assert diary.failed.wait(30)
    assert [str(error) for error in diary.failures] == ["too much"]
    assert not diary.trainer.running and len(trainers()) == 1


def test_waiting_ends_when_a_failure_has_been_told(keep):
    diary = keep(lambda diary: 1 / 0 if diary.loop.step else None)
    diary.trainer._failed = lambda error: (time.sleep(0.05), diary.fail(error))
    diary.trainer.start()
    diary.trainer.wait()
    assert len(diary.failures) == 1


def test_after_a_failure_the_thread_can_train_on(keep, loop):
    def after(diary):
        if diary.losses and not diary.failures:
            raise OverflowError

    diary = keep(after)
    diary.trainer.start()
    assert diary.failed.wait(30)
    diary.trainer.start(10)
    diary.trainer.wait()
    assert diary.trainer.do(lambda: loop.step) >= 10 and len(diary.failures) == 1


def test_a_loss_that_is_not_finite_says_which_step_and_what_now(keep, spoilt):
    over = build(spoilt(tasks.snowflake(0, 6, 6), 7))
    diary = keep(over=over)
    diary.trainer.start()
    assert diary.failed.wait(30)
    (error,) = diary.failures
    assert isinstance(error, NotFinite) and isinstance(error, ArithmeticError)
    assert "step 8" in str(error) and "kept" in str(error) and "Reset" in str(error)
    assert diary.trainer.do(lambda: over.step) == 7 and len(diary.losses) == 7


@pytest.mark.parametrize("limit", [40, 400])
def test_a_limit_is_never_exceeded(keep, loop, limit, until):
    diary = keep()
    begun = time.monotonic()
    diary.trainer.start(limit=limit)
    until(lambda: loop.step >= 15)
    diary.trainer.stop()
    steps, took = loop.step, time.monotonic() - begun
    # A twentieth of a second's worth may be saved up.
    assert steps <= took * limit + max(1, limit / 20) + 1


def test_a_limit_saves_up_no_more_than_a_twentieth_of_a_second(keep, until):
    """So that after a moment in which nothing could be done, training does not leap."""
    noted = [0]

    def after(diary):
        noted.append(len(diary.losses))
        time.sleep(0.1)

    diary = keep(after)
    diary.trainer.start(limit=100)
    until(lambda: len(diary.losses) > 30)
    diary.trainer.stop()
    assert np.diff(noted).max() <= 5


def test_without_steps_nothing_is_waited_for(keep):
    diary = keep()
    diary.trainer.start(0)
    diary.trainer.wait()
    assert not diary.trainer.running


def test_wake_has_the_callback_called_while_nothing_trains(keep, until):
    calls = []
    diary = keep(lambda diary: calls.append(len(diary.losses)))
    until(lambda: calls)
    before = len(calls)
    diary.trainer.wake()
    until(lambda: len(calls) > before)
    assert set(calls) == {0}


def test_the_callback_is_called_again_after_the_seconds_it_asks_for(keep, until):
    calls = []
    keep(lambda diary: 0.001 if calls.append(1) or len(calls) < 5 else None)
    until(lambda: len(calls) == 5)


@pytest.mark.parametrize("steps", [0, math.inf])
def test_closing_ends_the_thread_and_what_comes_later_is_refused(keep, trainers, steps):
    diary = keep()
    diary.trainer.start(steps)
    assert len(trainers()) == 1
    diary.trainer.close()
    assert not trainers()
    with pytest.raises(RuntimeError, match="closed"):
        diary.trainer.do(lambda: 1)
    with pytest.raises(RuntimeError, match="closed"):
        diary.trainer.start(1)
    diary.trainer.close()


def test_closing_lets_those_go_who_wait(keep):
    diary = keep()
    diary.trainer.start()
    waiting = threading.Thread(target=diary.trainer.wait, daemon=True)
    waiting.start()
    diary.trainer.close()
    waiting.join(30)
    assert not waiting.is_alive()


def test_the_thread_may_close_itself(keep, trainers, until):
    diary = keep(lambda diary: diary.trainer.close() if diary.losses else None)
    diary.trainer.start()
    until(lambda: not trainers())
    assert not diary.failures


def test_a_start_behind_the_end_leaves_nobody_waiting(keep, trainers, until):
    trainer = keep().trainer

    def close_before_a_start():
        trainer.post(lambda: trainer.start())
        trainer.close()

    trainer.post(close_before_a_start)
    until(lambda: not trainers())
    assert not trainer.running
    trainer.wait()


def test_this_file_traced_its_loop_once(loop):
    assert loop.traces == 1
