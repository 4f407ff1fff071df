"""A kernel from the nursery is a kernel like any other, and there at once."""

import os
import signal
import sys
import time

import pytest
from jupyter_client.manager import start_new_kernel

from tests.kernels import NAME, nursery

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux alone")


@pytest.fixture(scope="module", autouse=True)
def nursery_to_ask():
    with pytest.MonkeyPatch.context() as patch:
        if "JUPYTER_PATH" in os.environ:  # several processes run the tests, and share one
            yield
            return
        with nursery() as folder:
            patch.setenv("JUPYTER_PATH", folder)
            yield


@pytest.fixture
def kernel(tmp_path):
    manager, client = start_new_kernel(kernel_name=NAME, cwd=str(tmp_path))
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def value(client, expression):
    """What a Python expression is in the kernel."""
    reply = client.execute("", user_expressions={"it": expression}, reply=True, timeout=60)
    return eval(reply["content"]["user_expressions"]["it"]["data"]["text/plain"])


def gone(process):
    """Whether a process ends within some seconds."""
    for _ in range(100):
        if not os.path.exists(f"/proc/{process}"):
            return True
        time.sleep(0.1)
    return False


def test_it_has_tensorflow_and_nothing_of_the_course(kernel):
    modules = "__import__('sys').modules"
    assert value(kernel[1], f"'tensorflow' in {modules}")
    assert not value(kernel[1], f"'helpers' in {modules}")


def test_two_kernels_draw_different_numbers(kernel, tmp_path):
    draw = "__import__('numpy').random.random()"
    other, client = start_new_kernel(kernel_name=NAME, cwd=str(tmp_path))
    assert value(kernel[1], draw) != value(client, draw)
    client.stop_channels()
    other.shutdown_kernel(now=True)


def test_an_interrupt_reaches_it(kernel):
    manager, client = kernel
    message = client.execute("import time; print('here', flush=True); time.sleep(60)")
    while client.get_iopub_msg(timeout=30)["content"].get("text") != "here\n":
        pass
    manager.interrupt_kernel()
    while (reply := client.get_shell_msg(timeout=30))["parent_header"]["msg_id"] != message:
        pass
    assert reply["content"]["ename"] == "KeyboardInterrupt"


def test_it_ends_with_what_jupyter_started_and_takes_its_children_along(kernel):
    manager, client = kernel
    child = "__import__('subprocess').Popen(['sleep', '60']).pid"
    processes = value(client, "__import__('os').getpid()"), value(client, child)
    os.kill(manager.provisioner.pid, signal.SIGKILL)
    assert all(map(gone, processes))


def test_what_jupyter_started_ends_with_it(kernel):
    manager, client = kernel
    os.kill(value(client, "__import__('os').getpid()"), signal.SIGKILL)
    assert manager.provisioner.process.wait(10) is not None
