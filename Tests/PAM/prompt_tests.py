"""What pam_authcore asks a person, tells the core, and does where the person turns away."""
import os
import signal
import struct
import sys
import threading
import time

import attempt
import fake_core as core
from bench import asks_passcode, expect, touched
from fake_core import BIOMETRY, BY_PASSCODE, FALLBACK, HARMLESS, NO_PASSCODE, NOTHING, SHOWN


def test_a_touch_is_success_and_is_announced(bench):
    expect(bench.talk(touched), "success", " wants to know that it is you: touch the fingerprint reader")


def test_a_passcode_is_asked_for_under_a_prompt_of_its_own_and_sent_as_one_that_erases_nothing(bench):
    heard = []
    expect(bench.talk(asks_passcode("tulip 42", heard), "tulip 42\n"), "success", "authcore passcode")
    assert heard == [(HARMLESS, "tulip 42")], heard


def test_three_wrong_passcodes_fail(bench):
    heard = []
    result = bench.talk(asks_passcode("tulip 42", heard), "a\nb\nc\n")
    expect(result, "failure", "That is not authcore's passcode.")
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
    "polkit's service, which asks for anybody": (
        "0::/system.slice/system-polkit\\x2dagent\\x2dhelper.slice/polkit-agent-helper@0-99-0.service", None, "", False),
    # elogind, whose control groups are called as its sessions.
    "a session at a seat, of elogind": ("1:name=elogind:/c1\n0::/openrc.agetty", "c1", "\nREMOTE=0\nACTIVE=1\n", True),
    "one behind SSH": ("12:cpu:/\n1:name=openrc:/2\n0::/", "2", "\nREMOTE=1\nACTIVE=1\n", False),
    "one that is not in front": ("0::/c1", "c1", "\nREMOTE=0\nACTIVE=0\n", False),
}

# PAM_TTY of a program in no session, which lets somebody in: at this machine, or from wherever?
PLACES = {
    True: ["tty1", "/dev/tty1", "tty12", ":0", ":1024", ":0.1"],
    False: ["", None, "1", "ssh", "pts/3", "/dev/pts/3", "ttyS0", "console", "tty", "tty1x", "tty 1", ":", ":0.", ":0x", "host:0", "localhost:10.0"],
}


def test_logind_says_where_the_person_is(bench):
    for name, (group, session, facts, may_touch) in SESSIONS.items():
        file = f"/run/systemd/sessions/{session}"
        if session:
            with open(file, "w", encoding="utf-8") as description:
                description.write("# This is private data. Do not parse." + facts)
        # Where there is a session, or polkit's service, its word counts, whatever the program says of a terminal.
        results = [touch_with_cgroup(bench, group, items) for items in ((), ("tty=tty1",))]
        assert results == [may_touch] * 2, name
        if session:
            os.unlink(file)


def test_who_is_let_in_by_a_program_in_no_session_touches_at_a_terminal_of_the_machine_alone(bench):
    for may_touch, names in PLACES.items():
        for name in names:
            result = touch_with_cgroup(bench, "0::/system.slice/saslauthd.service", () if name is None else (f"tty={name}",))
            assert result == may_touch, name


def test_sddm_which_names_a_terminal_for_its_session_only_awaits_a_touch_at_the_screen(bench):
    group = "0::/system.slice/sddm.service"
    for items, may_touch in [(("tty=",), True), ((), True), (("tty=pts/3",), False), (("tty=", "rhost=192.0.2.1"), False)]:
        assert touch_with_cgroup(bench, group, items) == may_touch, items
    # It is a unit of the machine's: a name that a user chose, or that begins alike, is none.
    for other in ["0::/user.slice/user-1000.slice/user@1000.service/app.slice/sddm.service", "0::/sddm.service.slice/x.service",
                  "0::/system.slice/sddm.service-like.service", "0::/openrc.sddm", "1:name=openrc:/sddm"]:
        assert not touch_with_cgroup(bench, other, ("tty=",)), other


def test_a_group_of_no_session_says_nothing_and_the_terminal_counts(bench):
    for group in ["1:name=openrc:/agetty\n0::/", "0::/openrc.agetty", "0::/c7", "0::/", ""]:
        results = [touch_with_cgroup(bench, group, items) for items in (("tty=tty1",), ("tty=pts/3",))]
        assert results == [True, False], group


def test_a_process_of_the_users_manager_is_where_the_user_is(bench):
    group = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope"
    for facts, may_touch in [("ACTIVE_SEATS=seat0", True), ("ACTIVE_SEATS=", False), ("NAME=ann", False)]:
        with open("/run/systemd/users/1000", "w", encoding="utf-8") as file:
            file.write(f"# This is private data. Do not parse.\n{facts}\n")
        assert touch_with_cgroup(bench, group) == may_touch, facts
    os.unlink("/run/systemd/users/1000")


def touch_with_cgroup(bench, group, items=()):
    heard = []

    def talk(said):
        said.begin()
        heard.append(said.options)
        said.fail(-1004)
    name, path = bench.service()
    fake = core.FakeCore(path, talk)
    groups = f"{bench.folder}/{name}.cgroup"
    with open(groups, "w", encoding="utf-8") as file:
        file.write(group + "\n")
    options = " ".join(f"'-I{item}'" for item in items)
    script = f"mount --bind {groups} /proc/$$/cgroup && exec pamtester {options} {name} root authenticate"
    result = attempt.at_terminal(["unshare", "-m", "sh", "-c", script], [])
    fake.close()
    assert heard, result.said
    count = struct.unpack(">I", heard[0][:4])[0]
    return heard[0][4 + count + 2 + 4 + 1] == core.PERSON


def test_a_job_in_the_background_is_asked_for_nothing(bench):
    name, path = bench.service()
    fake = core.FakeCore(path, touched)
    started = " ".join(attempt.in_session(bench.folder, f"pamtester -Itty=$(tty) {name} root authenticate"))
    result = attempt.at_terminal(["sh", "-c", f"set -m; {started} & wait"], [])
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


def test_what_is_typed_before_a_match_is_never_shown_and_left_for_no_other_program(bench):
    typed = threading.Event()

    def talk(said):
        said.begin()
        said.prompt(1, awaits_touch=True)
        said.answer()
        said.send(core.PROGRESS, b"\3\0\0\0\1")
        typed.wait(20)
        said.send(core.PROGRESS, b"\2\0\0\0\1")
        said.evaluated(BIOMETRY)
    name, path = bench.service()
    fake = core.FakeCore(path, talk)
    caller = [sys.executable, f"{os.path.dirname(__file__)}/caller.py", name, "00", "watch"]
    result = attempt.at_terminal(attempt.in_session(bench.folder, *caller), [
        ("Not recognized", "hunter2-pw"), ("", lambda: time.sleep(0.3)), ("", typed.set), ("ended 0", "\n")])
    fake.close()
    assert "left behind: []" in result.said and "hunter2" not in result.said, result.said
    assert "hidden Not recognized." in result.said and "hidden That could not be read." in result.said, result.said
    assert "SHOWN" not in result.said, result.said


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
    started = " ".join(attempt.in_session(bench.folder, f"pamtester -Itty=$(tty) {name} root authenticate"))
    script = f"{started} & echo $! >{bench.folder}/pid; fg; stty -a; exit 0"
    steps = [("press Enter", lambda: time.sleep(0.5)),
             ("", lambda: os.kill(int(open(f"{bench.folder}/pid", encoding="utf-8").read()), signal.SIGTERM))]
    result = attempt.at_terminal(["bash", "-m", "-c", script], steps)
    fake.close()
    assert " echo " in result.said and "-echo " not in result.said, result.said
    assert "authenticated" not in result.said, result.said


def test_no_touch_in_its_time_leads_to_the_passcode(bench):
    heard = []
    result = bench.talk(waits_for_touch(heard), "tulip 42\n", "timeout=1")
    expect(result, "success")
    assert heard == [SHOWN, FALLBACK, HARMLESS] and result.seconds >= 1, heard


def test_no_touch_in_its_time_and_no_passcode_goes_on(bench):
    expect(bench.talk(waits_for_touch([]), "", "timeout=1 passcode=no"), "unavailable")
