"""What the packages do to a machine: run by scripts/test-guest as root, in a Debian with its own systemd where they are installed."""
import fcntl
import json
import os
import pathlib
import pty
import pwd
import subprocess
import sys
import time

from in_guest import Slot, grow, step, wait_until

PASSCODE = "correct horse"
#: Emulated machines are slow: nothing is given less time than this.
PATIENCE = 300
VT_ACTIVATE, VT_WAITACTIVE = 0x5606, 0x5607


def run(*command, check=True, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def systemctl(*arguments, check=True):
    return run("systemctl", *arguments, check=check).stdout.strip()


def property_of(unit, name):
    return systemctl("show", "--property", name, "--value", unit)


def passcode_file(user):
    """Where `user` has the passcode for commands that take it from a file."""
    path = pathlib.Path(pwd.getpwnam(user).pw_dir) / "passcode"
    if not path.exists():
        path.write_text(PASSCODE + "\n")
        path.chmod(0o600)
        os.chown(path, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    return str(path)


def environment_of(user):
    return {"PATH": "/usr/bin:/bin", "HOME": pwd.getpwnam(user).pw_dir, "LANG": "C.UTF-8"}


def authcore(user, *arguments, check=True):
    """The command as a program that belongs to no session, such as a job of cron."""
    return run("setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "authcore", *arguments, check=check,
               env=environment_of(user))


def in_session(user, terminal, *command, check=True):
    """A command in a session of `user` that logind knows, at a virtual terminal of the seat."""
    folder = pathlib.Path("/tmp/session")
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    out, said = folder / "out", folder / "said"
    for file in (out, said):
        file.unlink(missing_ok=True)
    unit = run("systemd-run", "--wait", "--collect", "--quiet", f"--property=User={user}", "--property=PAMName=login",
               f"--property=TTYPath=/dev/tty{terminal}", "--property=StandardInput=tty", f"--property=StandardOutput=file:{out}",
               f"--property=StandardError=file:{said}", "--property=TTYReset=yes", "--setenv=LANG=C.UTF-8", *command, check=False)
    texts = [file.read_text() if file.exists() else "" for file in (out, said)]
    if check and unit.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {unit.returncode}\n{unit.stderr}\n{texts[0]}{texts[1]}")
    return unit.returncode, texts[0], texts[1]


def show_terminal(number):
    with open("/dev/tty0", "rb") as console:
        fcntl.ioctl(console, VT_ACTIVATE, number)
        fcntl.ioctl(console, VT_WAITACTIVE, number)


def status(user):
    return json.loads(authcore(user, "--json", "status").stdout)


def boots():
    """Whatever else a minimal Debian without a disk of swap or a network lacks: nothing of ours fails."""
    state = run("systemctl", "is-system-running", "--wait", check=False).stdout.strip()
    failed = [line.split()[0] for line in systemctl("--failed", "--plain", "--no-legend").splitlines()]
    assert not [unit for unit in failed if "authcore" in unit], failed
    step(f"the system is {state}" + (f"; failed, and not ours: {' '.join(failed)}" if failed else ""))


def starts_on_demand():
    assert systemctl("is-active", "authcored.socket") == "active"
    assert systemctl("is-active", "authcored.service", check=False) == "inactive"
    mode = os.stat("/run/authcore/core.sock").st_mode & 0o777
    assert mode == 0o666, oct(mode)
    begin = time.monotonic()
    shown = status("alice")
    seconds = time.monotonic() - begin
    assert shown["mode"] == "service", shown
    assert systemctl("is-active", "authcored.service") == "active"
    pid = property_of("authcored.service", "MainPID")
    owner = pathlib.Path(f"/proc/{pid}").owner()
    assert owner == "authcore", owner
    step(f"the socket started the service, as {owner}, for the first status: {seconds:.2f} s")


def keeps_users_apart():
    for user in ("alice", "bob"):
        authcore(user, "passcode", "set", "--passcode-file", passcode_file(user))
    done = subprocess.run(["setpriv", "--reuid=alice", "--regid=alice", "--init-groups", "authcore", "item", "add", "mail", "me"],
                          input="s3cret", capture_output=True, text=True, timeout=PATIENCE, env=environment_of("alice"))
    assert done.returncode == 0, done.stderr
    assert authcore("alice", "item", "get", "mail", "me").stdout.strip() == "s3cret"
    other = authcore("bob", "item", "get", "mail", "me", check=False)
    assert other.returncode != 0 and "s3cret" not in other.stdout, other.stdout
    for user in ("alice", "bob"):
        folder = pathlib.Path("/var/lib/authcore/users") / str(pwd.getpwnam(user).pw_uid)
        assert folder.is_dir() and folder.owner() == "authcore" and folder.stat().st_mode & 0o777 == 0o700, folder
    refused = run("setpriv", "--reuid=alice", "--regid=alice", "--init-groups", "ls", "/var/lib/authcore", check=False)
    assert refused.returncode != 0, "a user can look into the state folder"
    step("alice and bob have a keychain each, below /var/lib/authcore")


def reader_works(slot):
    assert status("alice")["sensor"] is None
    slot.plug("finger=1")
    wait_until("status shows the reader", lambda: status("alice")["sensor"] is not None)
    shown = status("alice")
    assert shown["driver"]["name"] == "uru4000" and "05ba:000a" in shown["driver"]["device"], shown
    step("a reader was plugged in, and the service has it: " + shown["driver"]["device"])
    show_terminal(2)
    _, out, _ = in_session("alice", 2, "authcore", "--json", "finger", "enroll", "--passcode-file", passcode_file("alice"))
    step(f"enrolled at tty2 by {json.loads(out)['touches']} touches")
    _, out, _ = in_session("alice", 2, "authcore", "--json", "auth", "--reason", "the test of the machine")
    assert json.loads(out)["by"] == "biometry", out
    step("the finger is accepted at tty2")


def sudo_asks():
    """By the PAM module: a touch in the session that is on the screen, the passcode where there is no session."""
    run("authcore", "pam", "enable", "sudo")
    _, out, said = in_session("alice", 2, "sudo", "-k", "id", "-u")
    assert out.strip() == "0", out + said
    step("sudo took the finger at tty2")
    said = typed_to("alice", ["sudo", "-k", "id", "-u"], "passcode", PASSCODE)
    assert said.rstrip().endswith("0"), said
    step("sudo took the passcode, far from any seat")
    run("authcore", "pam", "disable", "sudo")
    assert "pam_authcore" not in pathlib.Path("/etc/pam.d/sudo").read_text()


def typed_to(user, command, prompt, answer):
    """What a command shows on a terminal of its own, where `answer` is typed once it shows `prompt`."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe("setpriv", ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *command], environment_of(user))
    shown, is_answered, end = "", False, time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            part = os.read(terminal, 4096).decode()
        except OSError:
            break
        shown += part
        if not is_answered and prompt in shown:
            os.write(terminal, answer.encode() + b"\n")
            is_answered = True
    os.waitpid(process, 0)
    return shown


def restarts():
    before = property_of("authcored.service", "MainPID")
    systemctl("restart", "authcored.service")
    assert property_of("authcored.service", "MainPID") != before
    has_kept()
    step("a restart of the service keeps everything")
    before = property_of("authcored.service", "MainPID")
    run("dpkg-reconfigure", "--frontend=noninteractive", "authcore")
    after = property_of("authcored.service", "MainPID")
    assert after not in ("0", before), "configuring the package did not restart the service"
    assert systemctl("is-active", "authcored.socket") == "active"
    step("so does an upgrade's, which leaves the socket where it is")


def has_kept():
    shown = status("alice")
    assert shown["passcodeSet"] and shown["fingers"] == 1 and not shown["firstUnlocked"], shown
    closed = authcore("alice", "item", "get", "mail", "me", check=False)
    assert closed.returncode == 4, (closed.returncode, closed.stderr)
    authcore("alice", "unlock", "--passcode-file", passcode_file("alice"))
    assert authcore("alice", "item", "get", "mail", "me").stdout.strip() == "s3cret"


def is_hardened():
    text = run("systemd-analyze", "security", "authcored.service", "--no-pager").stdout.strip().splitlines()[-1]
    step(text.strip().lstrip("→ "))


def memory():
    total, parts = 0, []
    cgroup = pathlib.Path("/sys/fs/cgroup" + property_of("authcored.service", "ControlGroup"))
    for pid in (cgroup / "cgroup.procs").read_text().split():
        rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        kib = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
        total += kib
        parts.append(f"{pathlib.Path(f'/proc/{pid}/comm').read_text().strip()} {kib / 1024:.1f}")
    step(f"memory of the service: {total / 1024:.1f} MiB PSS ({', '.join(parts)})")


def says_nothing_wrong():
    log = run("journalctl", "-b", "-p", "warning", "-o", "cat", "-u", "authcored.service", "-u", "authcored.socket").stdout
    assert not log.strip() or log.strip() == "-- No entries --", log
    kernel = [line for line in run("journalctl", "-b", "-k", "-o", "cat").stdout.splitlines()
              if "authcore" in line and ("segfault" in line or "denied" in line or "seccomp" in line)]
    assert not kernel, kernel
    step("the journal has no warning of the service's")


def first():
    grow(1)
    step("a finger is grown")
    boots()
    starts_on_demand()
    keeps_users_apart()
    slot = Slot()
    reader_works(slot)
    sudo_asks()
    restarts()
    slot.unplug()
    is_hardened()
    memory()
    says_nothing_wrong()


def second():
    grow(1)
    boots()
    has_kept()
    step("another boot, and everything is there")
    slot = Slot()
    slot.plug("finger=1")
    wait_until("status shows the reader", lambda: status("alice")["sensor"] is not None)
    show_terminal(2)
    _, out, _ = in_session("alice", 2, "authcore", "--json", "auth", "--reason", "after a boot")
    assert json.loads(out)["by"] == "biometry", out
    step("the finger is still known")
    says_nothing_wrong()


if __name__ == "__main__":
    try:
        {"first": first, "second": second}[sys.argv[1]]()
    except (AssertionError, subprocess.TimeoutExpired) as error:
        print(f"test of the machine FAILED: {error}", flush=True)
        sys.exit(1)
