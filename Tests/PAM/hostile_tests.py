"""What pam_authcore does with cores that are wrong in every way."""
import itertools
import os
import random
import signal
import socket
import struct
import threading
import time

import attempt
import fake_core as core
from bench import asks_passcode, expect, touched
from fake_core import BIOMETRY, HARMLESS, NOTHING


def test_nobody_listens(bench):
    expect(attempt.run(bench.service()[0], "root"), "unavailable")
    name, path = bench.service()
    with open(path, "w", encoding="utf-8"):
        pass
    expect(attempt.run(name, "root"), "unavailable")


def test_findings_a11_a_full_backlog_is_waited_for(bench):
    """FINDINGS A11: others' connections fill the backlog; the module waits in line instead of going on to the password."""
    name, path = bench.service()
    fake = core.FakeCore(path, touched, takes=False)
    flood = []
    try:
        while True:
            client = socket.socket(socket.AF_UNIX)
            client.setblocking(False)
            flood.append(client)
            client.connect(path)
    except BlockingIOError:
        pass
    # Taken when the module waits, which its wait in the kernel shows.
    taking = threading.Thread(target=lambda: (attempt.await_sleep("pamtester", name, "unix_wait_for_peer"), fake.take()))
    taking.start()
    try:
        expect(attempt.run(name, "root"), "success")
    finally:
        for client in flood:
            client.close()
        taking.join()
        fake.close()


def test_a_path_that_is_too_long(bench):
    name, _ = bench.service(path="/" + "x" * 200)
    expect(attempt.run(name, "root"), "unavailable")


def test_silence_ends_after_ten_seconds(bench):
    result = bench.talk(lambda said: time.sleep(2 * attempt.LIMIT))
    expect(result, "unavailable")
    assert result.seconds > 9


def drip(said):
    while True:
        said.raw(b"\0")
        time.sleep(0.2)
        said.raw(struct.pack(">I", 4000)[1:])
        for _ in range(100):
            time.sleep(0.3)
            said.raw(b"x")


def test_a_message_in_drips_ends_after_ten_seconds(bench):
    expect(bench.talk(drip), "unavailable")


def test_silence_behind_a_prompt_ends_after_ten_seconds(bench):
    def talk(said):
        said.begin()
        said.prompt(1, awaits_touch=False)
        said.answer()
        time.sleep(2 * attempt.LIMIT)
    expect(bench.talk(talk, "tulip 42\n"), "unavailable")


def test_touches_without_end_end_with_the_time(bench):
    def talk(said):
        said.begin()
        for number in itertools.count():
            said.prompt(number, awaits_touch=True)
            said.answer()
            time.sleep(0.05)
    expect(bench.talk(talk, "", "timeout=2"), "unavailable")


def test_progress_without_end(bench):
    def talk(said):
        said.begin()
        while True:
            said.send(core.PROGRESS, b"\3\0\0\0\1")
    expect(bench.talk(talk), "unavailable")


def test_passcodes_are_asked_for_three_times_at_most(bench):
    asked = []

    def talk(said):
        said.begin()
        for number in range(100):
            said.prompt(number, awaits_touch=False, refused=number)
            asked.append(said.answer())
    expect(bench.talk(talk, "guess\n" * 100), "failure")
    assert len(asked) == 3, asked


def says(*parts):
    """A core that says that instead of a greeting."""
    def talk(said):
        said.hear()
        for part in parts:
            said.raw(part)
        time.sleep(0.5)
    return talk


HOSTILE = {
    "nothing, and it leaves": says(),
    "half a length": says(b"\0\0"),
    "no length": says(b"\0\0\0\0" * 10),
    "a length of four": says(b"\0\0\0\4abcd"),
    "a length of 4 GiB": says(b"\xff\xff\xff\xff" + b"x" * 70000),
    "a length of 20 MiB": says(struct.pack(">I", 20 << 20) + b"x" * 70000),
    "one more than the longest": says(struct.pack(">I", (16 << 10) + 1) + b"x" * 20000),
    "garbage": says(bytes(random.Random(1).randrange(256) for _ in range(60000))),
    "another request's answer": says(core.message(core.WELCOME, 2, b"\0\0\0\6\0\0\0\0\1\0\0\0\1")),
    "success at once": says(core.message(core.EVALUATED, 1, b"\1\0" + b"\0" * 12)),
    "a welcome that is cut": says(core.message(core.WELCOME, 1, b"\0\0\0\6\0\0\1\0abc")),
    "a welcome of another version": says(core.message(core.WELCOME, 1, struct.pack(">I", 99) + core.text("x") + b"\1\0\0\0\1")),
    "done": says(core.message(core.DONE, 1)),
}


def test_greetings_that_are_none(bench):
    for name, talk in HOSTILE.items():
        result = bench.talk(talk)
        assert result.code == "unavailable", (name, result.code, result.said)


def replies(*acts):
    def talk(said):
        said.begin()
        for act in acts:
            act(said)
        time.sleep(0.5)
    return talk


LIES = {
    "proved by nothing, twice": replies(
        lambda said: said.evaluated(NOTHING), lambda said: said.hear(), lambda said: said.evaluated(NOTHING)),
    "proved by what there is not": replies(lambda said: said.evaluated(9)),
    "proved, without a word by what": replies(lambda said: said.send(core.EVALUATED)),
    "proved, for another request": replies(lambda said: said.evaluated(BIOMETRY, request=77)),
    "done instead of proved": replies(lambda said: said.send(core.DONE)),
    "a prompt that is cut": replies(lambda said: said.send(core.PROMPT, b"\0\0\0\1\1")),
    "a prompt for another secret": replies(lambda said: said.prompt(1, awaits_touch=False, secret=2)),
    "a prompt whose text is longer than it": replies(
        lambda said: said.send(core.PROMPT, b"\0\0\0\1\1\3\1\xff\xff\xff\xffabc")),
    "a failure without a text": replies(lambda said: said.send(core.FAILURE, b"\xff")),
    "a failure about the connection": replies(lambda said: said.fail(-1, request=0)),
    "no passcode set": replies(lambda said: said.fail(-5)),
}


def test_replies_that_are_none(bench):
    for name, talk in LIES.items():
        result = bench.talk(talk, "tulip 42\n")
        assert result.code == "unavailable", (name, result.code, result.said)


def test_random_cores_never_succeed_and_never_hang(bench):
    chance = random.Random(20261122)
    fixed = [b"", b"\0\0\0\1\1\3\0\0" + core.text("why") + b"\0\0\0\0\1", b"\1\0" + b"\0" * 12, b"\xff" * 40]

    def talk(said):
        said.begin()
        for _ in range(chance.randrange(1, 6)):
            fields = bytearray(chance.choice(fixed))
            for _ in range(chance.randrange(0, 4)):
                if fields:
                    fields[chance.randrange(len(fields))] = chance.randrange(256)
            # Never Evaluated: that would be true, coming from whom the PAM file names.
            said.send(chance.choice([0, 1, 3, 8, 11, 99]), bytes(fields))
    for index in range(60):
        result = bench.talk(talk, "guess\n\n\n", "timeout=1")
        assert result.code in ("unavailable", "failure", "conversation"), (index, result.said)


def test_a_service_of_another_user_is_not_believed(bench):
    os.makedirs("/run/authcore", exist_ok=True)
    name, path = bench.service(lines="auth required {module}\n", path="/run/authcore/core.sock")
    child = os.fork()
    if child == 0:
        os.chown("/run/authcore", 65534, 65534)
        os.setgid(65534)
        os.setuid(65534)
        fake = core.FakeCore(path, touched)
        time.sleep(attempt.LIMIT)
        os._exit(0)
    while not os.path.exists(path):
        time.sleep(0.01)
    time.sleep(0.1)
    expect(attempt.run(name, "root"), "unavailable")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.unlink(path)
    # Root's own is.
    fake = core.FakeCore(path, touched)
    expect(attempt.run(name, "root"), "success")
    fake.close()


def test_the_environment_is_not_looked_at(bench):
    name, path = bench.service()
    fake = core.FakeCore(f"{bench.folder}/core.sock", touched)
    given = {key: value for name in ("SERVICE", "HOME", "CORE", "SOCKET")
             for key, value in [(f"AUTHCORE_{name}", fake.path if name != "HOME" else bench.folder)]}
    expect(attempt.run(name, "root", environment={**given, "XDG_STATE_HOME": bench.folder}), "unavailable")
    fake.close()


def test_failures_steer_no_terminal(bench):
    result = bench.talk(replies(lambda said: said.fail(-7021, "wait \x1b[2J\x07\u202e minutes\n")))
    expect(result, "unavailable", "authcore: wait")
    assert "\x1b" not in result.said and "\x07" not in result.said, result.said


def test_no_other_module_gets_what_was_typed_and_none_is_taken_from_another(bench):
    heard = []
    lines = ("auth optional pam_unix.so\nauth optional {module} socket={path} {arguments}\n"
             "auth required pam_exec.so expose_authtok stdout /usr/bin/od -c\n")
    result = bench.talk(asks_passcode("tulip 42", heard), "for-unix\ntulip 42\n", lines=lines, user="nobody")
    assert heard == [(HARMLESS, "tulip 42")], heard
    assert "t   u   l   i   p" not in result.said, result.said
