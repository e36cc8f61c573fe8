"""pam_authcore, and a real sudo, with a real core whose reader is the replay driver."""
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

import attempt
import fake_core as core
from bench import expect

PASSCODE = "tulip 42"
USE_DRIVER, TAPE_REQUEST = 5, 0x7FFFFFFF


def receive(stream):
    header = stream.recv(4, socket.MSG_WAITALL)
    if len(header) < 4:
        raise core.Gone
    return header + stream.recv(struct.unpack(">I", header)[0], socket.MSG_WAITALL)


class Reader:
    """Stands between module and core and names the replay driver, since no reader is plugged in here."""

    def __init__(self, path, home):
        self.path, self.home, self.tape = path, home, None
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(4)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.pass_on, args=(client,), daemon=True).start()

    def pass_on(self, client):
        try:
            with socket.socket(socket.AF_UNIX) as server:
                server.connect(f"{self.home}/core.sock")
                server.sendall(receive(client))
                welcome = receive(server)
                self.name_driver(server)
                client.sendall(welcome)
                threading.Thread(target=self.pump, args=(server, client), daemon=True).start()
                self.pump(client, server)
        except (OSError, core.Gone):
            client.close()

    def name_driver(self, server):
        files, options = [], struct.pack(">I", 0)
        if self.tape:
            files = [os.open(self.tape, os.O_RDONLY)]
            options = struct.pack(">I", 1) + core.text("tape") + core.text(self.tape) + b"\1"
        message = core.message(USE_DRIVER, TAPE_REQUEST, core.text("replay") + options)
        socket.send_fds(server, [message], files)
        reply = receive(server)
        assert reply[4] == core.DONE, reply
        for file in files:
            os.close(file)

    @staticmethod
    def pump(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        os.unlink(self.path)


class Home:
    """A core of root's own, with a passcode and a finger."""

    def __init__(self, bench, name):
        self.bench, self.home = bench, f"{bench.folder}/{name}"
        self.passcode = f"{bench.folder}/passcode"
        with open(self.passcode, "w", encoding="utf-8") as file:
            file.write(PASSCODE)

    def __enter__(self):
        self.authcore("status")
        return self

    def __exit__(self, *_):
        self.authcore("quit")

    def authcore(self, *arguments, driver=None, status=0):
        command = [f"{self.bench.products}/authcore", "--home", self.home, "--json"]
        command += ["--driver", driver] if driver else []
        done = subprocess.run(
            [*command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=attempt.LIMIT, check=False,
            start_new_session=True, env={"PATH": "/usr/bin:/bin", "HOME": self.bench.folder, "AUTHCORE_TPM": "off",
                                         "AUTHCORE_SERVICE": "off"})
        assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
        return json.loads(done.stdout)

    def set_up(self):
        self.authcore("passcode", "set", "--erase-after", "10", "--passcode-file", self.passcode)
        self.authcore("finger", "enroll", "--name", "right-index", "--passcode-file", self.passcode, driver="replay")

    def restart(self):
        self.authcore("quit")
        status = self.authcore("status")
        assert not status["firstUnlocked"] and status["locked"], status

    def is_open(self):
        return not self.authcore("status")["locked"]


def with_reader(bench, home, path=None):
    name, path = bench.service(path=path or f"{bench.folder}/reader.sock")
    return name, Reader(path, home.home)


def test_real_core_without_a_passcode_is_left_at_once(bench):
    with Home(bench, "bare") as home:
        name, reader = with_reader(bench, home)
        expect(attempt.run(name, "root", "x\n"), "unavailable")
        reader.close()


def test_real_core_takes_the_passcode_first_then_a_finger_and_each_opens_the_keychain(bench):
    with Home(bench, "home") as home:
        home.set_up()
        home.restart()
        name, reader = with_reader(bench, home)
        first = attempt.run(name, "root", f"{PASSCODE}\n")
        expect(first, "success", "authcore passcode")
        assert "Touch" not in first.said and home.is_open(), first.said
        second = attempt.run(name, "root")
        expect(second, "success", "touch the fingerprint reader")
        home.authcore("lock")
        assert not home.is_open()
        expect(attempt.run(name, "root"), "success", "touch the fingerprint reader")
        assert home.is_open(), "X1: a touch opens the keychain"
        # Somebody far away gives the passcode.
        home.authcore("lock")
        away = attempt.run(name, "root", f"{PASSCODE}\n", items=["rhost=192.0.2.1"])
        expect(away, "success", "authcore passcode")
        assert "Touch" not in away.said, away.said
        reader.close()


def test_real_core_counts_wrong_passcodes_delays_and_has_not_erased(bench):
    with Home(bench, "delays") as home:
        home.set_up()
        name, reader = with_reader(bench, home)
        away = ["rhost=192.0.2.1"]
        expect(attempt.run(name, "root", "wrong 1\nwrong 2\nwrong 3\n", items=away), "failure")
        expect(attempt.run(name, "root", "wrong 4\nwrong 5\nwrong 6\n", items=away), "failure", "none is tried for")
        status = home.authcore("status")
        assert status["wrongPasscodes"] == 5 and status["passcodeSet"] and status["passcodeDelaySeconds"] > 0, status
        expect(attempt.run(name, "root", f"{PASSCODE}\n", items=away), "unavailable", "none is tried for")
        # A finger is still one.
        expect(attempt.run(name, "root"), "success")
        reader.close()


def test_real_core_sees_another_finger_and_goes_on(bench):
    bench_program = f"{bench.products}/authcore-bench"
    if not os.path.exists(bench_program):
        return
    prints = f"{bench.folder}/prints"
    subprocess.run([bench_program, "synthesize", "--fingers", "1", "--impressions", "3", "--out", prints, "--seed", "77"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(f"{prints}/tape", "w", encoding="utf-8") as tape:
        tape.write("authcore-tape 1\nppi 500\n")
        tape.writelines(f"touch {name}\n" for name in sorted(os.listdir(prints)) if name.endswith(".pgm"))
    with Home(bench, "stranger") as home:
        home.set_up()
        own = f"{prints}/own"
        # A tape of files counts as real: a finger of the same kind has to be there.
        home.authcore("finger", "enroll", "--touches", "3", "--passcode-file", home.passcode, driver=f"replay:tape={prints}/tape")
        home.authcore("finger", "remove", home.authcore("finger", "list")["fingers"][0]["id"], "--passcode-file", home.passcode)
        subprocess.run([bench_program, "synthesize", "--fingers", "1", "--impressions", "3", "--out", own, "--seed", "78"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(f"{own}/tape", "w", encoding="utf-8") as tape:
            tape.write("authcore-tape 1\nppi 500\n")
            tape.writelines(f"touch {name}\n" for name in sorted(os.listdir(own)) if name.endswith(".pgm"))
        name, reader = with_reader(bench, home)
        reader.tape = f"{own}/tape"
        expect(attempt.run(name, "root"), "failure", "Not recognized.")
        reader.tape = f"{prints}/tape"
        expect(attempt.run(name, "root"), "success")
        reader.close()


SUDOERS = "Defaults {}use_pty, timestamp_timeout=0\nnobody ALL=(ALL) ALL\n"
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def prepare_sudo(bench):
    """What sudo reads, and libpam's folder with the module in it, in this namespace alone."""
    if os.path.exists(f"{bench.folder}/sudoers"):
        return
    with open(f"{bench.folder}/sudoers", "w", encoding="utf-8"):
        os.chmod(f"{bench.folder}/sudoers", 0o440)
    subprocess.run(["mount", "--bind", f"{bench.folder}/sudoers", "/etc/sudoers"], check=True)
    folder = os.path.dirname(next(
        path for path in (f"/lib/{os.uname().machine}-linux-gnu/security/pam_unix.so", "/lib/security/pam_unix.so",
                          "/lib64/security/pam_unix.so") if os.path.exists(path)))
    shutil.copytree(folder, f"{bench.folder}/security")
    shutil.copy(bench.module, f"{bench.folder}/security/pam_authcore.so")
    os.chmod(f"{bench.folder}/security/pam_authcore.so", 0o644)
    subprocess.run(["mount", "--bind", f"{bench.folder}/security", folder], check=True)


def ask_owner_of(bench, who):
    """sudo asks for who runs it, or, as the core on demand is root's, for root."""
    with open(f"{bench.folder}/sudoers", "w", encoding="utf-8") as file:
        file.write(SUDOERS.format("rootpw, " if who == "root" else ""))


def settle():
    """sudo misses a Ctrl-C that comes after its prompt and before it reads."""
    time.sleep(0.5)


def test_real_sudo_by_a_touch_by_the_passcode_and_by_neither(bench):
    prepare_sudo(bench)
    ask_owner_of(bench, "root")
    with open("/etc/pam.d/sudo", encoding="utf-8") as file:
        before = file.read()
    with Home(bench, "sudo") as home:
        home.set_up()
        enabled = home.authcore("pam", "enable", "sudo")
        assert enabled["changed"] and "skipped" in enabled, enabled
        assert not home.authcore("pam", "enable", "sudo")["changed"]
        reader = Reader("/run/authcore/core.sock", home.home)
        sudo = attempt.in_session(bench.folder, *AS_NOBODY, "sudo", "id", "-u")
        touched = attempt.at_terminal(sudo, [])
        assert touched.exit == 0 and "sudo wants to know that it is you: touch the fingerprint reader, or press Enter" in touched.said, touched.said
        assert touched.said.rstrip().endswith("0"), touched.said
        home.restart()
        typed = attempt.at_terminal(sudo, [("authcore passcode", f"{PASSCODE}\n")])
        assert typed.exit == 0 and "Touch" not in typed.said and home.is_open(), typed.said
        # As the documentation says, the first line of standard input is authcore's where no touch is awaited.
        home.restart()
        wrong = home.authcore("status")["wrongPasscodes"]
        for lines, count in [("\\nnothing\\n", wrong), ("nothing\\n", wrong + 1)]:
            script = f"printf '{lines}' | sudo -S id -u"
            attempt.at_terminal(attempt.in_session(bench.folder, *AS_NOBODY, "sh", "-c", script), [])
            assert home.authcore("status")["wrongPasscodes"] == count, lines
        # Who gives neither is asked by the next module, and gets nothing from a wrong answer there.
        home.restart()
        neither = attempt.at_terminal(
            sudo, [("authcore passcode", "\n"), ("(?i)password[^\n]*:", "nothing\n"),
                   ("authcore passcode", settle), ("", "\x03")])
        assert neither.exit != 0 and not neither.unseen, (neither.said, neither.unseen)
        reader.close()
        # Without the service nothing is different from before.
        without = attempt.at_terminal(sudo, [("(?i)password[^\n]*:", settle), ("", "\x03")])
        assert without.exit != 0 and "authcore" not in without.said, without.said
        disabled = home.authcore("pam", "disable", "sudo")
        assert disabled["changed"], disabled
    with open("/etc/pam.d/sudo", encoding="utf-8") as file:
        assert file.read() == before
    assert not os.path.exists("/etc/pam.d/sudo.before-authcore")


class Service:
    """`authcored --service` behind the socket of the machine, which is held here as systemd holds it."""

    def __init__(self, bench):
        self.bench, self.state = bench, f"{bench.folder}/service"
        os.makedirs("/run/authcore", exist_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind("/run/authcore/core.sock")
        os.chmod("/run/authcore/core.sock", 0o666)
        self.listener.listen(16)
        self.process = None

    def __enter__(self):
        self.process = os.fork()
        if self.process == 0:
            os.dup2(self.listener.fileno(), 3)
            os.set_inheritable(3, True)
            log = os.open(f"{self.bench.folder}/service.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            os.dup2(log, 2)
            os.execve(f"{self.bench.products}/authcored", ["authcored", "--service"], {
                "PATH": "/usr/bin:/bin", "LANG": "C", "STATE_DIRECTORY": self.state, "AUTHCORE_TPM": "off",
                "LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())})
        return self

    def __exit__(self, *_):
        os.kill(self.process, signal.SIGTERM)
        os.waitpid(self.process, 0)

    def close(self):
        self.listener.close()
        os.unlink("/run/authcore/core.sock")

    def as_nobody(self, *arguments):
        done = subprocess.run(
            [*AS_NOBODY, f"{self.bench.products}/authcore", "--json", *arguments], stdin=subprocess.DEVNULL,
            capture_output=True, timeout=attempt.LIMIT, check=False, start_new_session=True,
            env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"})
        assert done.returncode == 0, (arguments, done.returncode, done.stdout, done.stderr)
        return json.loads(done.stdout)


def test_real_service_has_an_owner_for_each_user_and_nothing_for_who_never_used_it(bench):
    prepare_sudo(bench)
    ask_owner_of(bench, "nobody")
    passcode = f"{bench.folder}/nobodys-passcode"
    with open(passcode, "w", encoding="utf-8") as file:
        file.write(PASSCODE)
    os.chmod(passcode, 0o644)
    service = Service(bench)
    name, _ = bench.service(lines="auth required {module}\n")
    with service:
        expect(attempt.run(name, "nobody", f"{PASSCODE}\n"), "unavailable")
        assert not os.path.exists(f"{service.state}/users/65534"), "nothing is made for who only logs in"
        service.as_nobody("passcode", "set", "--passcode-file", passcode)
        assert service.as_nobody("status")["mode"] == "service"
    with service:
        # Nobody's passcode is nobody else's.
        expect(attempt.run(name, "root", f"{PASSCODE}\n"), "unavailable")
        subprocess.run([f"{bench.products}/authcore", "pam", "enable", "sudo"], check=True, stdout=subprocess.DEVNULL)
        sudo = attempt.at_terminal([*AS_NOBODY, "sudo", "id", "-u"], [("authcore passcode", f"{PASSCODE}\n")])
        assert sudo.exit == 0 and sudo.said.rstrip().endswith("0"), sudo.said
        assert not service.as_nobody("status")["locked"], "X1: the passcode of the login opens the keychain"
        subprocess.run([f"{bench.products}/authcore", "pam", "disable", "sudo"], check=True, stdout=subprocess.DEVNULL)
    service.close()


def test_real_gnome_keyring_opens_after_a_touch_as_the_documentation_says(bench):
    if not all(shutil.which(tool) for tool in ("gnome-keyring-daemon", "dbus-run-session", "dbus-send")):
        return
    with open(f"{os.path.dirname(__file__)}/../../docs/pam.md", encoding="utf-8") as file:
        command = re.search("^ *Exec=sh -c \"(.*)\"$", file.read(), re.M)[1]
    with Home(bench, "keyring") as home:
        home.set_up()
        with open(f"{bench.folder}/password", "w", encoding="utf-8") as file:
            file.write("the keyring's own")
        subprocess.run(
            [f"{bench.products}/authcore", "--home", home.home, "item", "add", "gnome-keyring", "login"], check=True,
            stdin=open(f"{bench.folder}/password", encoding="utf-8"), stdout=subprocess.DEVNULL, start_new_session=True)
        home.restart()
        name, reader = with_reader(bench, home)
        expect(attempt.run(name, "root", f"{PASSCODE}\n"), "success")
        home.authcore("lock")
        for folder in ("session", "keyring-home", "bin"):
            os.makedirs(f"{bench.folder}/{folder}", mode=0o700)
        with open(f"{bench.folder}/bin/authcore", "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {bench.products}/authcore --home {home.home} \"$@\"\n")
        os.chmod(f"{bench.folder}/bin/authcore", 0o755)
        script = KEYRING_SCRIPT.format(folder=bench.folder, command=command, name=name)
        environment = {"PATH": f"{bench.folder}/bin:/usr/bin:/bin", "LANG": "C", "HOME": f"{bench.folder}/keyring-home",
                       "XDG_RUNTIME_DIR": f"{bench.folder}/session", "AUTHCORE_SERVICE": "off"}
        done = subprocess.run(["dbus-run-session", "--", "sh", "-c", script], stdin=subprocess.DEVNULL, env=environment,
                              capture_output=True, timeout=attempt.LIMIT, check=False, start_new_session=True)
        states = re.findall("boolean (true|false)|(keychain closed)|(successfully)", done.stdout.decode())
        states = [next(filter(None, state)) for state in states]
        assert states == ["false", "true", "true", "successfully", "false"], (states, done.stdout, done.stderr)
        reader.close()


# The keyring is made, its daemon starts anew without a password, the keychain is closed, and then a touch opens both.
KEYRING_SCRIPT = """
locked() {{
  dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets/collection/login \\
    org.freedesktop.DBus.Properties.Get string:org.freedesktop.Secret.Collection string:Locked
}}
stop() {{
  kill "$(dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetConnectionUnixProcessID \\
    string:org.freedesktop.secrets | sed -n 's/.*uint32 //p')"
  while dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \\
    string:org.freedesktop.secrets | grep -q true; do sleep 0.1; done
}}
appear() {{
  until dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \\
    string:org.freedesktop.secrets | grep -q true; do sleep 0.1; done
}}
gnome-keyring-daemon --unlock --components=secrets <{folder}/password; appear; locked; stop
gnome-keyring-daemon --start --components=secrets; appear; locked
{command}; locked
pamtester -Itty=:0 {name} root authenticate
{command}; sleep 0.5; appear; locked; stop
"""
