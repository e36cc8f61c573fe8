"""Services of PAM with a core of the test's own behind them, what is expected of them, and the cores that many tests speak to."""
import itertools

import attempt
import fake_core as core
from fake_core import BIOMETRY, BY_PASSCODE, NO_PASSCODE, SHOWN


NUMBERS = itertools.count(1)


class Bench:
    """Services of PAM and cores in a folder."""

    def __init__(self, folder, module):
        self.folder, self.module = folder, module

    def service(self, arguments="", lines=None, path=None):
        """A service whose only module is ours, and the path of its socket."""
        number = next(NUMBERS)
        path = path or f"{self.folder}/core-{number}.sock"
        name = f"authcore-test-{number}"
        with open(f"/etc/pam.d/{name}", "w", encoding="utf-8") as file:
            file.write((lines or "auth required {module} socket={path} {arguments}\n").format(
                module=self.module, path=path, arguments=arguments))
        return name, path

    def talk(self, conversation, typed="", arguments="", items=(), user="root", environment=None, lines=None):
        name, path = self.service(arguments, lines)
        fake = core.FakeCore(path, conversation)
        try:
            return attempt.run(name, user, typed, items, environment)
        finally:
            fake.close()

    def converse(self, conversation, steps, arguments="", items=(), lines=None):
        """The same at a terminal of a session."""
        name, path = self.service(arguments, lines)
        fake = core.FakeCore(path, conversation)
        command = ["pamtester", "-Itty={tty}", *(f"-I{item}" for item in items), name, "root", "authenticate"]
        try:
            return attempt.at_terminal(attempt.in_session(self.folder, *command), steps)
        finally:
            fake.close()


def expect(result, code, *words):
    assert result.code == code, f"{result.code} instead of {code}: {result.said}"
    for word in words:
        assert word in result.said, f"“{word}” is not in: {result.said}"


def touched(said):
    """A core that sees a matching touch."""
    said.begin()
    said.prompt(1, awaits_touch=True)
    kind, _ = said.answer()
    assert kind == SHOWN, kind
    said.evaluated(BIOMETRY)


def asks_passcode(right, heard):
    """A core whose owner has that passcode."""
    def talk(said):
        said.begin()
        for refused in range(3):
            said.prompt(refused + 1, awaits_touch=False, refused=refused)
            kind, passcode = said.answer()
            heard.append((kind, passcode))
            if kind == NO_PASSCODE:
                said.fail(-1004)
                return
            if passcode == right:
                said.evaluated(BY_PASSCODE)
                return
        said.fail(-1)
    return talk
