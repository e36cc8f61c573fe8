"""What the packages do to a machine: run by scripts/test-guest as root, in a Debian with its own systemd where they are installed."""
import json
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import sys
import time

from chip import chip_works
from in_guest import Slot, grow, step
from machine import PASSCODE, authcore, in_session, passcode_file, property_of, run, show_terminal, status, systemctl, typed_to
from reader import comes_back, comes_back_from_sleep, pull_out, put_in, seat_is_switched
from trouble import clock_jumps, disk_fills_up


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
    authcore("alice", "item", "add", "mail", "me", typed="s3cret")
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
    put_in(slot)
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


def ssh_signs():
    """X8: the socket of the user's own systemd starts the agent, and a touch in the session on the screen signs for a program there."""
    script = """
        cd
        systemctl --user start authcore-ssh-agent.socket
        export SSH_AUTH_SOCK=$XDG_RUNTIME_DIR/authcore-ssh.sock
        authcore key create ssh --access biometry-any
        authcore key public ssh --format ssh >ssh.pub
        ssh-add -L | grep -qF "$(cut -d ' ' -f 2 ssh.pub)"
        printf hello >message
        ssh-keygen -Y sign -n file -f ssh.pub message
        echo "me $(cat ssh.pub)" >signers
        ssh-keygen -Y verify -n file -f signers -I me -s message.sig <message
        authcore status"""
    _, out, said = in_session("alice", 2, "sh", "-euc", script)
    assert 'Good "file" signature' in out and re.search("^door +ssh-agent", out, re.MULTILINE), out + said
    entry = run("journalctl", "-o", "json", "-u", "authcored.service", "AUTHCORE_DOOR=ssh-agent").stdout
    assert "/usr/bin/ssh-keygen" in entry, entry
    step("the SSH agent was started by its socket, and signed for ssh-keygen after a touch at tty2")


def screen_locks_ask():
    """One that runs as the user, without a terminal, and is no part of a display manager: a program of its name, where only root puts one."""
    pathlib.Path("/etc/pam.d/lock").write_text("auth sufficient pam_authcore.so passcode=no timeout=20\nauth required pam_deny.so\n")
    opened = {}
    for name in ("swaylock", "not-a-lock"):
        program = pathlib.Path("/usr/bin") / name
        shutil.copy("/usr/bin/pamtester", program)
        code, out, said = in_session("alice", 2, "setsid", "--wait", str(program), "lock", "alice", "authenticate", check=False)
        opened[name] = "successfully authenticated" in out + said
        program.unlink()
    assert opened == {"swaylock": True, "not-a-lock": False}, (opened, out, said)
    step("a screen lock that runs as the user took the finger; another program, which nobody sees, did not")


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
    has_kept()
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
    assert float(text.split(":")[1].split()[0]) < 1.5, text


def memory():
    """All processes of the service together, when they wait with a keychain open: their memory, and how often they wake up."""
    assert authcore("alice", "item", "get", "mail", "me").stdout.strip() == "s3cret"
    time.sleep(15)
    total, parts = 0, []
    cgroup = pathlib.Path("/sys/fs/cgroup" + property_of("authcored.service", "ControlGroup"))
    for pid in (cgroup / "cgroup.procs").read_text().split():
        rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        kib = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
        total += kib
        parts.append(f"{pathlib.Path(f'/proc/{pid}/comm').read_text().strip()} {kib / 1024:.1f}")
    step(f"memory of the service: {total / 1024:.1f} MiB PSS ({', '.join(parts)})")
    assert total < 25 * 1024
    # By then the keychain that nobody uses is closed.
    time.sleep(75)
    before = switches(cgroup)
    time.sleep(120)
    woken = {name: count - before.get(name, 0) for name, count in switches(cgroup).items() if count > before.get(name, 0)}
    step(f"woken up within two minutes: {woken or 'none'}")
    assert max(woken.values(), default=0) <= 3, woken


def switches(cgroup):
    """How often each thread of the service has gone to sleep on its own."""
    counts = {}
    for pid in (cgroup / "cgroup.procs").read_text().split():
        for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
            name = f"{thread.name} {(thread / 'comm').read_text().strip()}"
            lines = (thread / "status").read_text().splitlines()
            counts[name] = next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
    return counts


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
    seat_is_switched()
    sudo_asks()
    ssh_signs()
    screen_locks_ask()
    restarts()
    comes_back(slot)
    pull_out(slot)
    chip_works(slot)
    put_in(slot)
    disk_fills_up()
    clock_jumps()
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
    put_in(slot)
    show_terminal(2)
    _, out, _ = in_session("alice", 2, "authcore", "--json", "auth", "--reason", "after a boot")
    assert json.loads(out)["by"] == "biometry", out
    step("the finger is still known")
    comes_back_from_sleep(slot)
    says_nothing_wrong()


if __name__ == "__main__":
    try:
        {"first": first, "second": second}[sys.argv[1]]()
    except (AssertionError, subprocess.TimeoutExpired) as error:
        print(f"test of the machine FAILED: {error}", flush=True)
        if isinstance(error, subprocess.TimeoutExpired):
            print(subprocess.run(["ps", "-eo", "pid,ppid,stat,wchan:24,args"], capture_output=True, text=True).stdout, flush=True)
            print(subprocess.run(["systemctl", "list-jobs"], capture_output=True, text=True).stdout, flush=True)
        sys.exit(1)
