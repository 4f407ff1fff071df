"""Messages that no page would send: each is one of a page's, with one thing wrong.

The protocol is that of `helpers/playground/painter/link.py`.
"""

from helpers.tools.browser import KERNEL

BATCH = 100
NO_WHOLE_NUMBER: list[object] = [None, -1, 1.5, True, "7", [], {}, 1e300]
WRONG = {  # for each field, what it cannot be
    "kind": [None, 7, True, [], {}, "nonsense"],
    "client": [None, 7, "", "x" * 101, [], {}],
    "seen": NO_WHOLE_NUMBER,
    "frame": NO_WHOLE_NUMBER,
    "seq": [0, *NO_WHOLE_NUMBER],
    "mask": [10**6, *NO_WHOLE_NUMBER],
    "stroke": NO_WHOLE_NUMBER,
    "cell": [10**9, *NO_WHOLE_NUMBER],
    "frozen": [None, 0, 1, "true", [], {}],
    "fraction": [None, -0.1, 1.1, True, "half", [], {}],
    "buffers": [[], [[0, 0, 0]], [[255, 255, 255, 127]], [[0, 0, 0, 0], [0, 0, 0, 0]]],
}
SENDER = {"client": "garbage", "seen": 0}
OPERATION = {**SENDER, "seq": None, "mask": 0}
GOOD = [
    {"kind": "hello", **SENDER},
    {"kind": "shown", **SENDER, "frame": 0},
    {"kind": "value", "cell": 0},
    {"kind": "paint", **OPERATION, "stroke": 1, "frozen": True, "buffers": [[0, 0, 0, 0]]},
    {"kind": "largest", **OPERATION, "fraction": 0.5},
    *({"kind": kind, **OPERATION} for kind in ("undo", "redo", "invert", "clear")),
]
# What may arrive in place of a message's data.
NO_DATA: list[object] = [None, 7, "nonsense", [], {}, {"method": "nonsense"}, {"method": "custom"}]
SEND = """([comm_id, messages]) => {
    const kernel = KERNEL;
    for (const { data, buffers } of messages) {
        const header = { date: new Date().toISOString(), msg_id: crypto.randomUUID(),
            msg_type: "comm_msg", session: kernel.clientId, username: kernel.username,
            version: "5.3" };
        kernel.sendShellMessage({ header, parent_header: {}, metadata: {}, channel: "shell",
            content: { comm_id, data }, buffers: buffers.map((b) => new Uint8Array(b).buffer) });
    }
}""".replace("KERNEL", KERNEL)


def send(notebook, name, number, hand, done):
    """Send `number` messages to the widget that is called `name` in a notebook's kernel, drawn by
    `hand`, a random.Random, and return how many of them its callbacks have met; `done` is told of
    each batch."""
    count = f"met = []\n{name}.on_msg(lambda *_: met.append(1))"
    comm, traits = notebook.python(f"[{name}.model_id, sorted({name}.keys)]", count)
    messages = _messages(hand, traits)
    for _ in range(0, number, BATCH):
        batch = [next(messages) for _ in range(BATCH)]
        notebook.page.evaluate(SEND, [comm, batch])
        notebook.python("None")  # the kernel takes them in turn, and this one last
        done(BATCH)
    return notebook.python("len(met)")


def _messages(hand, traits):
    """Yield messages without end."""
    seq = 1  # of the next operation that the widget takes for one, and then refuses
    while True:
        kind = hand.randrange(10)
        if kind == 0:
            yield {"data": hand.choice(NO_DATA), "buffers": []}
        elif kind == 1:
            state = {hand.choice(traits): {"nonsense": 7}}
            yield {"data": {"method": "update", "state": state}, "buffers": []}
        else:
            content = dict(hand.choice(GOOD))
            field = hand.choice(list(content))
            if "seq" in content:
                content["seq"] = seq
            content[field] = hand.choice(WRONG[field])
            if "seq" in content and isinstance(content["kind"], str):
                seq += field not in (*SENDER, "seq")
            buffers = content.pop("buffers", [])
            yield {"data": {"method": "custom", "content": content}, "buffers": buffers}
