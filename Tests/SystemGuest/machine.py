"""Runs commands as users of the machine, in sessions of logind and outside."""
import fcntl
import json
import os
import pathlib
import pwd
import re
import subprocess

from attempt import at_terminal

PASSCODE = "correct horse"
#: In seconds: emulated machines are slow.
TIMEOUT = 300
VT_ACTIVATE, VT_WAITACTIVE = 0x5606, 0x5607


def run(*command, check=True, typed="", **options):
    """Runs a command that reads `typed`."""
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=TIMEOUT, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def systemctl(*arguments, check=True):
    return run("systemctl", *arguments, check=check).stdout.strip()


def property_of(unit, name):
    return systemctl("show", "--property", name, "--value", unit)


def passcode_file(user):
    """A file with the passcode of `user`."""
    path = pathlib.Path(pwd.getpwnam(user).pw_dir) / "passcode"
    if not path.exists():
        path.write_text(PASSCODE + "\n")
        path.chmod(0o600)
        os.chown(path, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    return str(path)


def environment_of(user):
    return {"PATH": "/usr/bin:/bin", "HOME": pwd.getpwnam(user).pw_dir, "LANG": "C.UTF-8"}


def authcore(user, *arguments, check=True, typed=""):
    """The command as a program that belongs to no session, such as a job of cron."""
    return run("setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "authcore", *arguments, check=check, typed=typed,
               env=environment_of(user))


def in_session(user, terminal, *command, check=True):
    """A command in a session of `user` that logind knows, at a virtual terminal of the seat."""
    # In memory: a full disk has no room for the output.
    folder = pathlib.Path("/run/session")
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


def typed_to(user, command, prompt, answer):
    """What a command shows on a terminal of its own, in no session, where `answer` is typed once it shows `prompt`."""
    # As pam_loginuid has it for what cron or SSH starts.
    script = f'echo {pwd.getpwnam(user).pw_uid} >/proc/self/loginuid; exec setpriv --reuid={user} --regid={user} --init-groups "$@"'
    done = at_terminal(["sh", "-euc", script, "sh", *command], [(re.escape(prompt), answer + "\n")], environment_of(user), TIMEOUT)
    assert not done.unseen, f"{' '.join(command)} shows only: {done.said}"
    return done.said
