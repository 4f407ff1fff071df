"""The network between a browser and its server, which can be cut."""

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Proxy:
    """Hands on what arrives at `address` to a server, until it is cut."""

    def __init__(self, address):
        self._server = urlsplit(address).hostname, urlsplit(address).port
        self._ends, self._open = [], True
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self):
        """Break every connection, and take no other."""
        self._open = False
        while self._ends:
            with contextlib.suppress(OSError):
                self._ends.pop().shutdown(socket.SHUT_RDWR)

    def mend(self):
        """Take connections again."""
        self._open = True

    def close(self):
        """Cut it for good."""
        self.cut()
        self._door.close()

    def _listen(self):
        with contextlib.suppress(OSError):  # when the door is closed
            while True:
                end, _ = self._door.accept()
                if self._open:
                    self._join(end, socket.create_connection(self._server))
                else:
                    end.close()

    def _join(self, *ends):
        self._ends += ends
        for source, target in (ends, ends[::-1]):
            threading.Thread(target=_hand_on, args=(source, target), daemon=True).start()


def _hand_on(source, target):
    with contextlib.suppress(OSError):
        while data := source.recv(2**16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
