"""What browser and kernel say to each other: both declare the same fields, and frames have them."""

import re
import typing
from pathlib import Path

import pytest

from helpers.playground import tasks
from helpers.playground.painter import messages

TEXT = Path(messages.__file__).with_name("browser").joinpath("messages.mjs").read_text("utf-8")
TYPES = [name for name, kind in vars(messages).items() if typing.is_typeddict(kind)]


def declared(name):
    """The fields of a type in the browser: its own, and those of the types that it joins."""
    joined = re.findall(rf"@typedef {{([\w &]+)}} {name}$", TEXT, re.MULTILINE)
    if joined:
        return set.union(*map(declared, joined[0].split(" & ")))
    (own,) = re.findall(rf"@typedef {{object}} {name} (.*?)\*/", TEXT, re.DOTALL)
    return set(re.findall(r"@property {.*} \[?(\w+)", own))


@pytest.mark.parametrize("name", TYPES)
def test_browser_and_kernel_declare_the_same_fields(name):
    fields = set(typing.get_type_hints(getattr(messages, name)))
    assert fields == declared(name) and fields


def test_a_frame_has_the_fields_that_are_declared(playground):
    lab = playground(task=tasks.snowflake(0, 8, 8))
    lab.train(1)
    lab.pin(1, 1)
    header, planes = lab.painter.link.frame()
    assert set(header) == set(typing.get_type_hints(messages.Header))
    assert set(planes) == set(typing.get_type_hints(messages.Planes))


def test_a_reply_has_the_fields_that_are_declared(playground):
    lab, sent = playground(task=tasks.snowflake(0, 8, 8)), []
    lab.painter.send = lambda message, buffers=None: sent.append(message)
    lab.painter._receive(None, {"kind": "value", "cell": 3}, [])
    lab.painter.send_answer("code", lab.code)
    for message, kind in zip(sent, (messages.Value, messages.Text), strict=True):
        assert set(message) == set(typing.get_type_hints(kind))
