"""What pam_authcore does with cores that are wrong in every way, and with people who turn away."""
import itertools
import os
import random
import signal
import struct
import time

import attempt
import fake_core as core
from fake_core import BIOMETRY, BY_PASSCODE, FALLBACK, HARMLESS, NO_PASSCODE, NOTHING, SHOWN


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
        """The same at a terminal."""
        name, path = self.service(arguments, lines)
        fake = core.FakeCore(path, conversation)
        command = ["pamtester", "-Itty={tty}", *(f"-I{item}" for item in items), name, "root", "authenticate"]
        try:
            return attempt.at_terminal(command, steps)
        finally:
            fake.close()


def expect(result, code, within=20.0, *words):
    assert result.code == code, f"{result.code} instead of {code}: {result.said}"
    assert result.seconds < within, f"{result.seconds:.1f} s: {result.said}"
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


# What honest cores get.

def test_a_touch_is_success_and_is_announced(bench):
    expect(bench.talk(touched), "success", 20, "Touch the fingerprint reader for authcore-test-")


def test_a_passcode_is_asked_for_under_a_prompt_of_its_own_and_sent_as_one_that_erases_nothing(bench):
    heard = []
    expect(bench.talk(asks_passcode("tulip 42", heard), "tulip 42\n"), "success", 20, "authcore passcode")
    assert heard == [(HARMLESS, "tulip 42")], heard


def test_three_wrong_passcodes_fail(bench):
    heard = []
    result = bench.talk(asks_passcode("tulip 42", heard), "a\nb\nc\n")
    expect(result, "failure", 20, "That is not authcore's passcode.")
    assert len(heard) == 3 and "tulip" not in result.said


def test_enter_alone_goes_on_to_the_next_module(bench):
    heard = []
    expect(bench.talk(asks_passcode("tulip 42", heard), "\n"), "unavailable")
    assert heard == [(NO_PASSCODE, "")], heard


def test_what_is_longer_than_any_passcode_is_none(bench):
    heard = []
    # Longer lines than 512 bytes pamtester does not take.
    name, path = bench.service()
    fake = core.FakeCore(path, asks_passcode("x", heard))
    result = attempt.run(name, "root", "y" * 400 + "\n\n")
    fake.close()
    expect(result, "failure")
    assert heard[0] == (HARMLESS, "y" * 400), heard


def test_an_open_keychain_is_no_proof_and_the_owner_is_asked_after_it(bench):
    requests = []

    def talk(said):
        requests.append(said.begin()[0])
        said.evaluated(NOTHING)
        requests.append(said.hear()[0])
        said.prompt(1, awaits_touch=True)
        said.answer()
        said.evaluated(BIOMETRY)
    expect(bench.talk(talk), "success")
    assert requests == [core.UNLOCK, core.EVALUATE], requests


def test_root_names_the_user(bench):
    users = []

    def talk(said):
        said.begin()
        users.append(said.user)
        said.evaluated(BIOMETRY)
    expect(bench.talk(talk, user="nobody"), "success")
    assert users == [65534], users


def test_a_core_that_is_no_service_is_asked_for_nobody_but_its_user(bench):
    def talk(said):
        said.begin(is_service=False)
        said.evaluated(BIOMETRY)
    expect(bench.talk(talk), "success")
    expect(bench.talk(talk, user="nobody"), "unavailable")


def test_who_is_nobody_is_unknown(bench):
    expect(bench.talk(touched, user="no-such-user"), "unknown user")


# Where the person is.

def options_of(bench, **more):
    """Reason, milliseconds, may prompt, whose touch, whether a passcode can be given."""
    heard = []

    def talk(said):
        said.begin()
        heard.append(said.options)
        said.fail(-1004)
    expect(bench.talk(talk, **more), "unavailable")
    count = struct.unpack(">I", heard[0][:4])[0]
    rest = heard[0][4 + count:]
    return heard[0][4:4 + count].decode(), *struct.unpack(">IBBB", rest[2:9])


def test_the_options_say_what_for_and_how_long(bench):
    reason, milliseconds, prompts, touch, passcode = options_of(bench, arguments="timeout=7")
    assert reason.startswith("authcore-test-") and milliseconds == 12000
    assert (prompts, touch, passcode) == (1, core.PERSON, 1)


def test_nobody_far_away_is_asked_for_a_touch(bench):
    assert options_of(bench, items=["rhost=192.0.2.1"])[3] == core.NO_TOUCH


def test_the_pam_file_says_no_touch_and_no_passcode(bench):
    assert options_of(bench, arguments="touch=no")[3] == core.NO_TOUCH
    assert options_of(bench, arguments="passcode=no")[4] == 0
    expect(bench.talk(touched, arguments="touch=no passcode=no"), "unavailable")


def test_arguments_that_are_not_understood_are_left_out(bench):
    for arguments in ["timeout=", "timeout=0", "timeout=-1", "timeout=301", "timeout=5x", "socket=relative", "x" * 300]:
        assert options_of(bench, arguments=arguments)[1] == 35000, arguments


SESSIONS = {
    # /proc/self/cgroup, and what logind keeps: may a touch be awaited?
    "a session at a seat": ("0::/user.slice/user-1000.slice/session-3.scope", "3", "\nREMOTE=0\nACTIVE=1\n", True),
    "a session behind SSH": ("0::/user.slice/user-1000.slice/session-4.scope", "4", "\nREMOTE=1\nACTIVE=1\n", False),
    "a session that is not in front": ("0::/user.slice/user-1000.slice/session-3.scope", "3", "\nREMOTE=0\nACTIVE=0\n", False),
    "a session that is over": ("0::/user.slice/user-1000.slice/session-9.scope", None, "", False),
    "an older kernel's": ("1:name=systemd:/user.slice/user-1000.slice/session-3.scope\n0::/", "3", "\nREMOTE=1\nACTIVE=1\n", False),
    "a name below the user's manager": (
        "0::/user.slice/user-1000.slice/user@1000.service/app.slice/session-3.scope", "3", "\nREMOTE=0\nACTIVE=1\n", False),
    "a login in the making": ("0::/system.slice/getty@tty1.service", None, "", True),
}


def test_logind_says_where_the_person_is(bench):
    for name, (group, session, facts, may_touch) in SESSIONS.items():
        for folder in ["/run/systemd/sessions", "/run/systemd/users"]:
            for file in os.listdir(folder):
                os.unlink(f"{folder}/{file}")
        if session:
            with open(f"/run/systemd/sessions/{session}", "w", encoding="utf-8") as file:
                file.write("# This is private data. Do not parse." + facts)
        result = touch_with_cgroup(bench, group)
        assert result == may_touch, name


def test_a_process_of_the_users_manager_is_where_the_user_is(bench):
    group = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope"
    for facts, may_touch in [("ACTIVE_SEATS=seat0", True), ("ACTIVE_SEATS=", False), ("NAME=ann", False)]:
        with open("/run/systemd/users/1000", "w", encoding="utf-8") as file:
            file.write(f"# This is private data. Do not parse.\n{facts}\n")
        assert touch_with_cgroup(bench, group) == may_touch, facts
    os.unlink("/run/systemd/users/1000")


def touch_with_cgroup(bench, group):
    heard = []

    def talk(said):
        said.begin()
        heard.append(said.options)
        said.fail(-1004)
    name, path = bench.service()
    fake = core.FakeCore(path, talk)
    with open(f"{bench.folder}/cgroup", "w", encoding="utf-8") as file:
        file.write(group + "\n")
    script = f"mount --bind {bench.folder}/cgroup /proc/$$/cgroup && exec pamtester {name} root authenticate"
    result = attempt.at_terminal(["unshare", "-m", "sh", "-c", script], [])
    fake.close()
    assert heard, result.said
    count = struct.unpack(">I", heard[0][:4])[0]
    return heard[0][4 + count + 2 + 4 + 1] == core.PERSON


def test_a_job_in_the_background_is_asked_for_nothing(bench):
    name, path = bench.service()
    fake = core.FakeCore(path, touched)
    script = f"set -m; pamtester -Itty=$(tty) {name} root authenticate & wait"
    result = attempt.at_terminal(["sh", "-c", script], [])
    fake.close()
    expect(result, "unavailable")
    assert "Touch" not in result.said, result.said


# What a person does while a touch is awaited.

def waits_for_touch(heard, right="tulip 42"):
    def talk(said):
        said.begin()
        said.prompt(1, awaits_touch=True)
        while True:
            kind, _ = said.answer()
            heard.append(kind)
            if kind == FALLBACK:
                break
        said.prompt(2, awaits_touch=False)
        kind, passcode = said.answer()
        heard.append(kind)
        if passcode == right:
            said.evaluated(BY_PASSCODE)
        else:
            said.fail(-1004)
    return talk


def test_enter_turns_from_the_touch_to_the_passcode(bench):
    heard = []
    result = bench.converse(waits_for_touch(heard), [
        ("press Enter for the passcode", "\n"), ("authcore passcode", "tulip 42\n")])
    expect(result, "success")
    assert heard == [SHOWN, FALLBACK, HARMLESS], heard


def test_what_is_typed_while_a_touch_is_awaited_is_neither_shown_nor_tried(bench):
    heard, lines = [], "auth required {module} socket={path} {arguments}\n"
    result = bench.converse(waits_for_touch(heard), [
        ("press Enter", lambda: time.sleep(0.5)), ("", "my login password\n"), ("authcore passcode", "\n")], lines=lines)
    expect(result, "unavailable")
    assert heard == [SHOWN, FALLBACK, NO_PASSCODE] and "my login" not in result.said, (heard, result.said)


def test_ctrl_c_ends_the_wait_and_the_next_module_goes_on(bench):
    heard = []
    lines = "auth sufficient {module} socket={path} {arguments}\nauth required pam_permit.so\n"
    result = bench.converse(waits_for_touch(heard), [("press Enter", "\x03")], lines=lines)
    expect(result, "success")
    assert heard == [SHOWN], heard


def test_another_signal_does_its_work_and_leaves_the_terminal_as_it_was(bench):
    name, path = bench.service()
    fake = core.FakeCore(path, waits_for_touch([]))
    # The shell ignores nothing; the program is ended by the signal.
    script = f"pamtester -Itty=$(tty) {name} root authenticate & echo $! >{bench.folder}/pid; fg; stty -a; exit 0"
    steps = [("press Enter", lambda: time.sleep(0.5)),
             ("", lambda: os.kill(int(open(f"{bench.folder}/pid", encoding="utf-8").read()), signal.SIGTERM))]
    result = attempt.at_terminal(["bash", "-m", "-c", script], steps)
    fake.close()
    assert " echo " in result.said and "-echo " not in result.said, result.said
    assert "authenticated" not in result.said and result.seconds < 15, result.said


def test_no_touch_in_its_time_leads_to_the_passcode(bench):
    heard = []
    result = bench.talk(waits_for_touch(heard), "tulip 42\n", "timeout=1")
    expect(result, "success", 5)
    assert heard == [SHOWN, FALLBACK, HARMLESS] and result.seconds >= 1, heard


def test_no_touch_in_its_time_and_no_passcode_goes_on(bench):
    expect(bench.talk(waits_for_touch([]), "", "timeout=1 passcode=no"), "unavailable")


# What hostile cores get.

def test_nobody_listens(bench):
    expect(attempt.run(bench.service()[0], "root"), "unavailable", 8)
    name, path = bench.service()
    with open(path, "w", encoding="utf-8"):
        pass
    expect(attempt.run(name, "root"), "unavailable", 8)


def test_a_path_that_is_too_long(bench):
    name, _ = bench.service(path="/" + "x" * 200)
    expect(attempt.run(name, "root"), "unavailable", 8)


def test_silence_ends_after_ten_seconds(bench):
    result = bench.talk(lambda said: time.sleep(30))
    expect(result, "unavailable", 25)
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
    expect(bench.talk(drip), "unavailable", 25)


def test_silence_behind_a_prompt_ends_after_ten_seconds(bench):
    def talk(said):
        said.begin()
        said.prompt(1, awaits_touch=False)
        said.answer()
        time.sleep(30)
    expect(bench.talk(talk, "tulip 42\n"), "unavailable", 25)


def test_touches_without_end_end_with_the_time(bench):
    def talk(said):
        said.begin()
        for number in range(1000):
            said.prompt(number, awaits_touch=True)
            said.answer()
            time.sleep(0.05)
    expect(bench.talk(talk, "", "timeout=2"), "unavailable", 25)


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
    "a welcome of another version": says(core.message(core.WELCOME, 1, struct.pack(">I", 7) + core.text("x") + b"\1\0\0\0\1")),
    "done": says(core.message(core.DONE, 1)),
}


def test_greetings_that_are_none(bench):
    for name, talk in HOSTILE.items():
        result = bench.talk(talk)
        assert result.code == "unavailable" and result.seconds < 9, (name, result.code, result.said)


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
        assert result.code == "unavailable" and result.seconds < 9, (name, result.code, result.said)


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
        assert result.seconds < 20, (index, result.seconds)


def test_a_service_of_another_user_is_not_believed(bench):
    os.makedirs("/run/authcore", exist_ok=True)
    name, path = bench.service(lines="auth required {module}\n", path="/run/authcore/core.sock")
    child = os.fork()
    if child == 0:
        os.chown("/run/authcore", 65534, 65534)
        os.setgid(65534)
        os.setuid(65534)
        fake = core.FakeCore(path, touched)
        time.sleep(20)
        os._exit(0)
    while not os.path.exists(path):
        time.sleep(0.01)
    time.sleep(0.1)
    expect(attempt.run(name, "root"), "unavailable", 8)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.unlink(path)
    # Root's own is.
    fake = core.FakeCore(path, touched)
    expect(attempt.run(name, "root"), "success", 8)
    fake.close()


def test_the_environment_is_not_looked_at(bench):
    name, path = bench.service()
    fake = core.FakeCore(f"{bench.folder}/core.sock", touched)
    given = {key: value for name in ("SERVICE", "HOME", "CORE", "SOCKET")
             for key, value in [(f"AUTHCORE_{name}", fake.path if name != "HOME" else bench.folder)]}
    expect(attempt.run(name, "root", environment={**given, "XDG_STATE_HOME": bench.folder}), "unavailable", 8)
    fake.close()


def test_failures_steer_no_terminal(bench):
    result = bench.talk(replies(lambda said: said.fail(-7021, "wait \x1b[2J\x07\u202e minutes\n")))
    expect(result, "unavailable", 8, "authcore: wait")
    assert "\x1b" not in result.said and "\x07" not in result.said, result.said


def test_no_other_module_gets_what_was_typed_and_none_is_taken_from_another(bench):
    heard = []
    lines = ("auth optional pam_unix.so\nauth optional {module} socket={path} {arguments}\n"
             "auth required pam_exec.so expose_authtok stdout /usr/bin/od -c\n")
    result = bench.talk(asks_passcode("tulip 42", heard), "for-unix\ntulip 42\n", lines=lines, user="nobody")
    assert heard == [(HARMLESS, "tulip 42")], heard
    assert "t   u   l   i   p" not in result.said, result.said
