"""A core of the tests' own: what it says to a client is what the test wants it to say."""
import os
import socket
import struct
import threading

FAILURE, DONE, HELLO, WELCOME, PROMPT, ANSWER, PROGRESS = 0, 1, 2, 3, 8, 9, 11
EVALUATE, EVALUATED, UNLOCK, SERVE_USER = 12, 14, 33, 61
SHOWN, CANCEL, FALLBACK, PASSCODE, NO_PASSCODE, HARMLESS = 1, 2, 3, 4, 5, 6
BIOMETRY, BY_PASSCODE, NOTHING = 1, 2, 3
NO_TOUCH, PERSON = 1, 3


def text(value):
    value = value.encode() if isinstance(value, str) else value
    return struct.pack(">I", len(value)) + value


def message(number, request, fields=b""):
    return text(struct.pack(">BI", number, request) + fields)


class Gone(Exception):
    """The client has left."""


class Conversation:
    """One client."""

    def __init__(self, connection):
        self.connection = connection
        self.stream = connection.makefile("rb")
        self.request = 0
        self.options = b""

    def send(self, number, fields=b"", request=None):
        try:
            self.connection.sendall(message(number, self.request if request is None else request, fields))
        except OSError as error:
            raise Gone from error

    def raw(self, data):
        try:
            self.connection.sendall(data)
        except OSError as error:
            raise Gone from error

    def hear(self):
        """Number and fields of the next message."""
        header = self.stream.read(4)
        if len(header or b"") < 4:
            raise Gone
        body = self.stream.read(struct.unpack(">I", header)[0])
        number, self.request = struct.unpack(">BI", body[:5])
        return number, body[5:]

    def greet(self, is_service=True):
        """Speaks the client's own version of the protocol."""
        number, fields = self.hear()
        assert number == HELLO, number
        self.send(WELCOME, fields[:4] + text("a test") + struct.pack(">BI", is_service, 7))

    def begin(self, is_service=True):
        """Greets, and hears the first request, of which it gives number and fields."""
        self.greet(is_service=is_service)
        number, fields = self.hear()
        if number == SERVE_USER:
            self.user = struct.unpack(">I", fields)[0]
            self.send(DONE)
            number, fields = self.hear()
        self.options = fields
        return number, fields

    def prompt(self, number, awaits_touch, refused=0, fallback=3, secret=1):
        fields = struct.pack(">IBB", number, awaits_touch, fallback) + b"\0\0" + text("why")
        subject = struct.pack(">B", 1) + b"\0\0" + text("/usr/bin/sudo") + b"\0\0\0"
        self.send(PROMPT, fields + struct.pack(">IB", refused, secret) + subject)

    def answer(self):
        """Kind and passcode of the next answer."""
        number, fields = self.hear()
        assert number == ANSWER, number
        _, kind, count = struct.unpack(">IBI", fields[:9])
        return kind, fields[9:9 + count].decode()

    def evaluated(self, by, request=None):
        self.send(EVALUATED, struct.pack(">B", by) + b"\0" + struct.pack(">dI", 0.5, 0), request)

    def fail(self, code, words="no", request=None):
        self.send(FAILURE, struct.pack(">i", code) + text(words) + b"\0", request)


class FakeCore:
    """Listens at `path`, and has `talk` speak with each client."""

    def __init__(self, path, talk, mode=0o666, takes=True):
        self.path, self.talk, self.problems, self.clients = path, talk, [], []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        os.chmod(path, mode)
        self.listener.listen(16)
        if takes:
            self.take()

    def take(self):
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.clients.append(threading.Thread(target=self.converse, args=(connection,), daemon=True))
            self.clients[-1].start()

    def converse(self, connection):
        try:
            self.talk(Conversation(connection))
        except Gone:
            pass
        except Exception as error:  # pylint: disable=broad-except
            self.problems.append(error)
        finally:
            connection.close()

    def close(self):
        # What the client said last may still be on its way.
        for client in self.clients:
            client.join(1)
        # A thread that accepts goes on when the socket is shut down, not when it is closed.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        os.unlink(self.path)
        if self.problems:
            raise self.problems[0]
