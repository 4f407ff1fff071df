"""Lets a widget answer the browser while a cell keeps the kernel busy."""


def answer_while_busy(widget):
    """Handle what the browser sends to `widget` on the subshell that the browser asked for.

    JupyterLab sends widget messages to a subshell, a second thread of the kernel. ipykernel,
    however, sends them on to the shell from which the widget last spoke, usually the main one,
    where they wait for the running cell. This turns that detour off. The hook is private to
    ipykernel 7; where it is missing, messages wait as they always did.
    """
    comm = widget.comm
    if hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = lambda data, asked_for: asked_for
