"""One authentication by pamtester, with or without a terminal, and what came of it."""
import os
import pty
import re
import select
import subprocess
import time

#: Seconds that only what hangs takes, even on a busy machine.
LIMIT = 300

CODES = {
    "successfully authenticated": "success",
    "Authentication service cannot retrieve authentication info": "unavailable",
    "Authentication failure": "failure",
    "Conversation error": "conversation",
    "User not known to the underlying authentication module": "unknown user",
}


# What programs are given where the module was built with sanitizers.
PRELOADED = {}


class Attempt:
    """The result: `code`, what was said, and how long it took."""

    def __init__(self, said, seconds):
        self.said, self.seconds = said, seconds
        self.code = next((code for words, code in CODES.items() if words in said), said)


def in_session(folder, *command):
    """The command in a session at the seat: elsewhere whoever is at a pseudo terminal is not at this machine."""
    return [f"{folder}/in-session", *command]


def prepare_session(folder):
    """That session, as logind would describe it, and a script that puts what it runs into its control group."""
    with open("/run/systemd/sessions/bench", "w", encoding="utf-8") as file:
        file.write("# This is private data. Do not parse.\nREMOTE=0\nACTIVE=1\n")
    with open(f"{folder}/seat-session", "w", encoding="utf-8") as file:
        file.write("0::/user.slice/user-0.slice/session-bench.scope\n")
    with open(f"{folder}/in-session", "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec unshare -m sh -c 'mount --bind {folder}/seat-session /proc/$$/cgroup && exec \"$@\"' sh \"$@\"\n")
    os.chmod(f"{folder}/in-session", 0o755)


def await_sleep(program, word, place):
    """Waits until a process of this program, with this word in its command line, sleeps in that function of the kernel."""
    while True:
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
                with open(f"/proc/{number}/wchan", encoding="utf-8") as file:
                    if words[0] == program and word in words and file.read() == place:
                        return
            except OSError:
                continue
        time.sleep(0.01)


def run(service, user, typed="", items=(), environment=None):
    """Without a terminal, as a login screen at a display asks: `typed` is its standard input."""
    started = time.monotonic()
    items = [*items] if any(item.startswith("tty=") for item in items) else ["tty=:0", *items]
    command = ["pamtester", *(f"-I{item}" for item in items), service, user, "authenticate"]
    done = subprocess.run(
        command, input=typed.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT, check=False,
        env={"PATH": "/usr/bin:/bin", "LANG": "C", **PRELOADED, **(environment or {})})
    return Attempt(done.stdout.decode(errors="replace"), time.monotonic() - started)


def at_terminal(command, steps, environment=None, limit=LIMIT):
    """At a terminal of its own, in whose foreground it is. `{tty}` in the command is that terminal's name.
    Steps are pairs: a pattern that is waited for, and what is typed then, or a function that is called."""
    master, slave = pty.openpty()
    name = os.ttyname(slave)
    started = time.monotonic()
    process = subprocess.Popen(
        ["setsid", "--ctty", "--wait", *(part.replace("{tty}", name) for part in command)],
        stdin=slave, stdout=slave, stderr=slave,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C", "TERM": "dumb", **PRELOADED, **(environment or {})})
    os.close(slave)
    said, seen, steps = "", 0, list(steps)
    while time.monotonic() - started < limit:
        ready, _, _ = select.select([master], [], [], 0.1)
        if ready:
            try:
                said += os.read(master, 4096).decode(errors="replace")
            except OSError:
                break
        if steps and (found := re.search(steps[0][0], said[seen:])):
            seen += found.end()
            act = steps.pop(0)[1]
            if callable(act):
                act()
            else:
                os.write(master, act.encode())
        if not ready and process.poll() is not None:
            break
    if process.poll() is None and time.monotonic() - started >= limit:
        process.kill()
    process.wait()
    os.close(master)
    attempt = Attempt(said, time.monotonic() - started)
    attempt.exit = process.returncode
    attempt.unseen = steps
    return attempt
