"""The guide: which ways an answer leaves, and on what each verdict rests."""

import html
import itertools

import pytest

from helpers import leaks, techniques
from helpers.guide import Guide
from helpers.guide.questions import OPTIMIZERS, SITUATIONS, Answers, measured, narrow
from helpers.guide.ways import CELLS, LAYERS, ROWS, WAYS
from helpers.tools import notebooks

NAMES = {way.technique for way in WAYS if way.technique}


@pytest.fixture
def guide():
    return Guide()


def left(**answers):
    return {f.way.name for f in narrow(Answers(**answers)) if not f.reason}


def test_every_recipe_of_the_course_is_a_way():
    """Restore by scatter is restore, bit for bit, and slower."""
    assert set(techniques.TECHNIQUES) - {"none", "scatter_update"} == NAMES


def test_what_the_guide_asks_are_the_situations_of_the_laboratory():
    assert [*SITUATIONS] == [name for name in leaks.SITUATIONS if name != "cold"]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.program)
def test_a_way_names_a_page_by_its_file_and_says_its_title(way):
    heading = notebooks.read(notebooks.FOLDER / way.page).cells[0].source.splitlines()[0]
    assert heading == f"# {way.title}"


def test_a_way_is_left_if_its_row_of_the_matrix_holds():
    """But what is written after the last step, a callback undoes."""
    for way, optimizer, situation in itertools.product(WAYS, OPTIMIZERS, SITUATIONS):
        chosen = dict(optimizer=optimizer, situations=(situation,), in_fit=way.in_fit)
        row = [measured(optimizer, name).get(way.technique) for name in ("cold", situation)]
        row = [v and (v.holds or (way.acts_last and bool(v.note))) for v in row]
        begins_anew = situation == "thaw" and (way.forgets or not way.repaints)
        holds = all(row) and not begins_anew
        assert (way.name in left(finest=CELLS, **chosen)) == holds


def test_what_is_finer_serves_for_what_is_coarser():
    layers, cells = (left(finest=f, optimizer="sgd", in_fit=False) for f in (LAYERS, CELLS))
    assert cells < layers == {way.name for way in WAYS if way.in_loop}


def test_the_plainest_ways_are_there_and_the_simplest_comes_first():
    findings = narrow(Answers(situations=("warm",)))
    names = [f.way.name for f in findings if not f.reason]
    wanted = ["put back by a constraint", "put back by a callback", "train the free values"]
    assert names[:3] == wanted


@pytest.mark.parametrize(
    ("answers", "gone"),
    [
        (dict(file=True), "shadow copy"),
        (dict(optimizer="sgd", in_fit=True), "gradient × mask"),
        (dict(optimizer="sgd", in_fit=False), "put back by a callback"),
        (dict(saves=True), "exact freeze"),
        (dict(finest=ROWS, repaints=True), "frozen rows split off"),
        (dict(situations=("clipping",)), "put back by a constraint"),
        (dict(situations=("EMA",)), "put back by a constraint"),
        (dict(situations=("thaw",)), "exact freeze, compact"),
        (dict(repaints=True), "train the free values"),
    ],
)
def test_an_answer_takes_a_way_away(answers, gone):
    kept = {k: v for k, v in answers.items() if k in ("finest", "optimizer")}
    if "in_fit" in answers:
        kept["in_fit"] = not answers["in_fit"]
    assert gone in left(**kept) and gone not in left(**answers)


def test_what_averages_write_after_the_last_step_a_callback_undoes():
    assert "put back by a callback" in left(situations=("EMA",))


def test_where_the_mask_stays_and_memory_must_be_saved_the_free_values_alone_train():
    escapes = [name for name in SITUATIONS if name != "thaw"]
    for optimizer in OPTIMIZERS:
        kept = left(optimizer=optimizer, situations=escapes, saves=True, file=True)
        assert kept == {"train the free values", "exact freeze, compact"}


def test_all_reasons_are_given():
    answers = Answers(optimizer="adam", situations=("clipping", "thaw"))
    found = {f.way.program: f.reason for f in narrow(answers)}
    assert "clipped" in found["constraint"] and "paused" in found["constraint"]


def test_the_form_shows_the_row_that_a_verdict_rests_on(guide):
    guide._optimizer.value = "adam"
    assert "24&nbsp;of&nbsp;24" not in guide._told.value
    guide._situations["warm"].value = True
    assert guide.answers == Answers(optimizer="adam", situations=("warm",))
    assert "24&nbsp;of&nbsp;24" in guide._told.value and "<th>warm</th>" in guide._told.value
    guide._finest.value = LAYERS
    assert "<td>layer.trainable = False</td><td>–</td>" in guide._told.value


def test_the_form_says_which_run_a_verdict_rests_on(guide):
    rests = {way.name: way.rests_on for way in WAYS}
    assert rests["exact freeze"] == rests["stop_gradient"] == "a run"
    assert rests["put back by a callback"] == "the run of “put back by a constraint”"
    assert rests["exact freeze, compact"] == "the run of “exact freeze”"
    assert all((rests[w.name] == "no run") == (w.technique is None) for w in WAYS)
    assert {w.taken_for for w in WAYS} - {""} <= set(rests)
    assert "<th>rests on</th>" in guide._told.value
    assert f"<td>{rests['put back by a callback']}</td>" in guide._told.value


def test_where_nothing_is_left_the_form_says_so(guide):
    for box in (guide._checks["saves"], guide._situations["thaw"]):
        box.value = True
    assert all(f.reason for f in guide.findings) and "None is left" in guide._told.value


def test_a_case_is_asked_in_code_and_the_form_stays(guide, capsys):
    before = guide.answers
    names = guide.ask(finest=ROWS)
    assert names[0] == "put back by a constraint" and guide.answers == before
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "case: whole rows, adamw, in fit"
    assert said[1] == "left, the simplest first:"
    assert "  frozen rows split off      (page: New rows in an old table)" in said
    assert max(map(len, said)) <= 76
    verdicts = guide.judge(finest=ROWS)
    assert [name for name, verdict in verdicts.items() if verdict == "holds"] == names
    assert verdicts["stop_gradient"] == "fails" and verdicts["layer.trainable = False"] == "unfit"
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    "answers",
    [dict(optimizer="AdamW"), dict(finest="cells"), dict(situations=["warm", "cool"])],
)
def test_a_name_that_is_not_known_is_told_which_are(guide, answers):
    with pytest.raises(ValueError, match="arrived; the known ones are"):
        guide.ask(**answers)


def test_a_case_goes_by_names_alone(guide):
    with pytest.raises(TypeError, match="positional"):
        guide.ask({"optimizer": "sgd"})


def test_situations_are_a_list(guide):
    with pytest.raises(TypeError, match=r"'warm' arrived; a list .*\['warm'\]"):
        guide.ask(situations="warm")


def test_a_reader_without_a_kernel_sees_the_list(guide):
    case, left, *_ = guide._repr_mimebundle_()["text/plain"].splitlines()
    assert case == "case: any cells, adamw, in fit" and left == "left, the simplest first:"


def test_the_form_has_the_program_of_a_way_that_is_left(guide):
    (callback,) = (way for way in WAYS if way.name == "put back by a callback")
    assert html.escape(callback.code) in guide._told.value
