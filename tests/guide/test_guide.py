"""The guide: which ways an answer leaves, and on what each verdict rests."""

import pytest

from helpers import leaks, techniques
from helpers.guide import Guide
from helpers.guide.questions import OPTIMIZERS, SITUATIONS, Answers, narrow
from helpers.guide.ways import CELLS, LAYERS, ROWS, WAYS

NAMES = {way.technique for way in WAYS if way.technique}


@pytest.fixture(scope="module")
def verdicts():
    return leaks.judge(sorted(NAMES), OPTIMIZERS, progress=False)


@pytest.fixture
def guide(verdicts):
    return Guide(verdicts)


def left(verdicts, **answers):
    return {f.way.name for f in narrow(Answers(**answers), verdicts) if not f.reason}


def test_every_recipe_of_the_course_is_a_way():
    """Restore by scatter is restore, bit for bit, and slower."""
    assert set(techniques.TECHNIQUES) - {"none", "scatter_update"} == NAMES


def test_a_way_is_left_if_its_row_of_the_matrix_holds(verdicts):
    for way in WAYS:
        for optimizer in OPTIMIZERS:
            for situation in SITUATIONS:
                chosen = dict(optimizer=optimizer, situations=(situation,))
                asked = [v for v in verdicts if v.technique == way.technique]
                asked = [v for v in asked if v.optimizer == optimizer]
                row = [v.holds for v in asked if v.situation in ("cold", situation)]
                begins_anew = situation == "thaw" and (way.forgets or not way.repaints)
                holds = bool(row) and all(row) and not begins_anew
                assert (way.name in left(verdicts, finest=CELLS, **chosen)) == holds


def test_what_is_finer_serves_for_what_is_coarser(verdicts):
    layers, cells = (left(verdicts, finest=f, optimizer="sgd") for f in (LAYERS, CELLS))
    assert cells < layers and len(layers) == len(WAYS)


@pytest.mark.parametrize(
    ("answers", "gone"),
    [
        (dict(file=True), "shadow copy"),
        (dict(optimizer="sgd", in_fit=True), "gradient × mask"),
        (dict(saves=True), "exact freeze"),
        (dict(finest=ROWS, repaints=True), "frozen rows split off"),
        (dict(situations=("clipping",)), "restore after the step"),
        (dict(situations=("thaw",)), "exact freeze, compact"),
        (dict(repaints=True), "train the free values"),
    ],
)
def test_an_answer_takes_a_way_away(verdicts, answers, gone):
    kept = {k: v for k, v in answers.items() if k in ("finest", "optimizer")}
    before = left(verdicts, **kept)
    assert gone in before and gone not in left(verdicts, **answers)


def test_where_the_mask_stays_and_memory_must_be_saved_the_free_values_alone_train(verdicts):
    escapes = [name for name in SITUATIONS if name != "thaw"]
    for optimizer in OPTIMIZERS:
        kept = left(verdicts, optimizer=optimizer, situations=escapes, saves=True, file=True)
        assert kept == {"train the free values", "exact freeze, compact"}


def test_all_reasons_are_given(verdicts):
    answers = Answers(optimizer="adam", situations=("clipping", "thaw"))
    (restore,) = (f for f in narrow(answers, verdicts) if f.way.technique == "restore")
    assert "clipped" in restore.reason and "paused" in restore.reason


def test_the_form_shows_the_row_that_a_verdict_rests_on(guide):
    guide._optimizer.value = "adam"
    assert "24 of 24" not in guide._told.value
    guide._situations["warm"].value = True
    assert guide.answers == Answers(optimizer="adam", situations=("warm",))
    assert "24 of 24" in guide._told.value and "<th>warm</th>" in guide._told.value
    guide._finest.value = LAYERS
    assert "<td>layer.trainable = False (11)</td><td>–</td>" in guide._told.value


def test_where_nothing_is_left_the_form_says_so(guide):
    for box in (guide._checks["saves"], guide._checks["in_fit"], guide._situations["thaw"]):
        box.value = True
    assert all(f.reason for f in guide.findings) and "None is left" in guide._told.value


def test_a_case_is_asked_in_code_and_the_form_stays(guide, capsys):
    before = guide.answers
    names = guide.ask(finest=ROWS, in_fit=True)
    assert names == ["frozen rows split off", *names[1:]] and guide.answers == before
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "left:" and "  frozen rows split off  (notebook 19)" in said
    assert max(map(len, said)) <= 78


@pytest.mark.parametrize(
    "answers",
    [dict(optimizer="AdamW"), dict(finest="cells"), dict(situations=["warm", "cool"])],
)
def test_a_name_that_is_not_known_is_told_which_are(guide, answers):
    with pytest.raises(ValueError, match="arrived; the known ones are"):
        guide.ask(**answers)


def test_situations_are_a_list(guide):
    with pytest.raises(TypeError, match=r"'warm' arrived; a list .*\['warm'\]"):
        guide.ask(situations="warm")


def test_a_reader_without_a_kernel_sees_the_list(guide):
    assert guide._repr_mimebundle_()["text/plain"].startswith("left:")
