"""Closing a playground lets go of everything, and a cell that runs again closes what it made."""

import functools
import gc
import weakref

import pytest

from helpers.playground import playground as module
from helpers.widget import one_per_cell
from tests import memory
from tests.playground.small import small

CELL = "lab = Playground(task, device='cpu')\nlab.train(1)\nlab.close()"


@pytest.mark.parametrize("running", [False, True])
def test_closing_leaves_no_thread_and_later_calls_say_so(playground, trainers, running):
    lab = playground(task=small())
    if running:
        lab.start()
    assert len(trainers()) == 1
    lab.close()
    assert not trainers() and lab.painter.status == "closed"
    for call in (lambda: lab.train(1), lab.start, lambda: lab.weights, lab.reset, lab.code):
        with pytest.raises(RuntimeError, match="closed"):
            call()
    lab.close()
    assert lab.painter.status == "closed"


def test_who_observes_a_step_may_close_the_playground(playground, trainers, until):
    lab = playground(task=small())
    lab.painter.observe(lambda _: lab.close(), "step")
    lab.start()
    until(lambda: not trainers())
    assert lab.painter.status == "closed" and not lab.painter.error
    lab.close()


def test_closing_lets_go_of_the_widget(lab):
    assert lab.painter.comm
    lab.close()
    assert not lab.painter.comm


def test_closing_lets_go_of_the_playground_and_its_model():
    lab = module.Playground(small(), device="cpu")
    lab.train(1)
    gone = [weakref.ref(each) for each in (lab, lab.session, lab.painter, lab.task.model)]
    lab.close()
    del lab
    gc.collect()
    assert [each() for each in gone] == [None] * 4


def test_a_closed_playground_holds_neither_model_nor_graph(own_task):
    """Though a notebook holds it, for its history of outputs."""
    lab = module.Playground(own_task(), device="cpu")
    lab.train(1)
    graph = weakref.ref(next(iter(lab.session.loop._compiled.values()))._graph.graph)
    model = weakref.ref(lab.task.model)
    lab.close()
    assert graph() is None and repr(lab)
    gc.collect()
    assert model() is None


@pytest.mark.thorough
@pytest.mark.skipif(memory.taken() is None, reason="how much is taken, only Linux says")
def test_a_cell_that_runs_again_leaves_little_with_tensorflow():
    """It keeps each path of calls to an operation, and each run of a cell is new code to it."""

    def run_again(times):
        for _ in range(times):
            code = compile(CELL, "a cell", "exec")
            exec(code, {"Playground": module.Playground, "task": small()})

    run_again(40)
    before = memory.taken()
    run_again(60)
    assert (memory.taken() - before) / 60 < 20


class Shell:
    """Stands in for a notebook's kernel: it says which cell is being run, and in which run."""

    def __init__(self, cell, run):
        self.parent = {
            "metadata": {"cellId": cell},
            "content": {"code": "…"},
            "header": {"msg_id": run},
        }

    def get_parent(self):
        """The message that asked for the run."""
        return self.parent


def test_running_a_cell_again_closes_what_it_made_before(playground, trainers, monkeypatch):
    monkeypatch.setattr(one_per_cell, "_LIVE", {})
    made = {}
    for cell, run in (("a", 1), ("a", 1), ("b", 2), ("a", 3)):
        monkeypatch.setattr(one_per_cell, "get_ipython", functools.partial(Shell, cell, run))
        made.setdefault((cell, run), []).append(playground(task=small()))
    assert [lab.painter.status for lab in made["a", 1]] == ["closed", "closed"]
    for lab in (*made["b", 2], *made["a", 3]):
        lab.train(1)
    assert len(trainers()) == 2
