"""The site's session under Node: what it does when a page asks for steps, as the kernel's does."""

import json

import pytest

from helpers import ROOT
from helpers.playground import settings
from helpers.playground.progress import AccuracyCurve
from helpers.site import given

TRAINER = ROOT / "helpers" / "site" / "trainer"
# Has a session do what `script` says, and prints all that it has told.
PLAY = """
import {{ readFileSync }} from "node:fs";
import {{ Session }} from "{trainer}/session.mjs";
import {{ made }} from "{trainer}/tasks.mjs";
const start = JSON.parse(readFileSync("start.json", "utf-8"));
const read = (name) => Uint8Array.from(readFileSync(name)).buffer;
const task = await made("digits", start.tasks.digits, read);
const labels = Object.fromEntries(start.traits.choices.technique);
const {{ stations, rest, pause }} = start;
const given = {{ task, goals: [], address: "", stations, rest, pause, labels, pauses: {pauses} }};
const told = [], frames = [];
const session = new Session(given, (traits) => told.push({{ step: session?.run.step, ...traits }}),
  (message, buffers) => frames.push([message, buffers]));
const paused = () => new Promise((done) => {{
  const look = () => (session.left ? setTimeout(look, 5) : done());
  look();
}});
let seq = 0;
const press = (kind) => {{
  session.receive({{ kind, client: "page", seen: seq, seq: ++seq, mask: 0 }}, []);
  return paused();
}};
const result = await (async () => {{ {script} }})();
console.log(JSON.stringify(result));
process.exit();
"""


@pytest.fixture
def play(node, tmp_path):
    """A function that plays a script, and returns what it returns."""
    given.write(tmp_path)

    def played(script, pauses=()):
        values = dict(trainer=TRAINER.as_uri(), script=script, pauses=json.dumps(list(pauses)))
        code = ["--input-type=module", "--eval", PLAY.format(**values)]
        status, said = node(*code, cwd=tmp_path)
        assert status == 0, said
        return json.loads(said)

    return played


def test_it_pauses_where_the_page_says_and_says_so_and_goes_on(play):
    speed = "session.use({ speed: null });"
    look = "[session.run.step, told.findLast(({ error }) => error !== undefined)]"
    (first, one), (second, other), counted = play(
        f"""{speed} await press("train"); const one = {look};
        session.use({{ speed: 200 }}); await press("train"); const two = {look};
        await session.asked.reset(); await session.asked.train(70);
        return [one, two, {look}];""",
        pauses=[30, 60],
    )
    for step, found, said in [(30, first, one), (60, second, other)]:
        told = settings.PAUSES.format(step=step)
        assert found == step and said == {"step": step, "error": told, "calm": True}
    assert counted == [70, counted[1]] and counted[1]["step"] == 60


def test_the_accuracy_has_a_curve_from_before_the_first_step_which_a_reset_ends(play):
    look = """(() => {
        const [header, planes] = frames.at(-1);
        const numbers = planes[header.planes.indexOf("accuracies")];
        const half = numbers.length / 2;
        const [steps, shares] = [numbers.slice(0, half), numbers.slice(half)];
        return [header.held_out, [...steps], [...shares], header.accuracy.all];
    })()"""
    trained, reset = play(
        f"""await session.asked.train(400); session.publish(true); const one = {look};
        session.asked.reset(); await paused(); return [one, {look}];"""
    )
    names, steps, shares, now = trained
    assert names == ["held out"] and (steps[0], steps[-1]) == (0, 400)
    assert shares[0] < 0.3 and shares[-1] == pytest.approx(now) and now > 0.9
    assert (reset[1], reset[2]) == ([0], shares[:1])


def test_the_points_of_a_long_curve_are_those_of_the_kernel(node):
    steps = [number * (1 + number % 7) // 3 for number in range(1500)]
    steps.sort()
    script = f"""import {{ AccuracyCurve }} from "{TRAINER.as_uri()}/progress.mjs";
    const curve = new AccuracyCurve(["a", "b"]);
    for (const step of {steps}) curve.add(step, [step / 4096, 1]);
    console.log(JSON.stringify([...curve.points]));"""
    status, said = node("--input-type=module", "--eval", script)
    assert status == 0, said
    curve = AccuracyCurve(["a", "b"])
    for step in steps:
        curve.add(step, (step / 4096, 1))
    assert json.loads(said) == curve.points.ravel().tolist()
