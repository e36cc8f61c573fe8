"""What a machine goes through while the service runs: a disk that is full, a clock that jumps."""
import errno
import os
import pathlib
import time

from in_guest import step
from machine import authcore, passcode_file, property_of
from reader import expect_touch

DAY = 86_400


def fill(file):
    """Takes all the room of a file system, also that reserved for root."""
    size, part = 0, 1 << 30
    while part >= 1024:
        try:
            os.posix_fallocate(file.fileno(), size, part)
            size += part
        except OSError as problem:
            assert problem.errno == errno.ENOSPC, problem
            part //= 2


def unlock():
    """A keychain locks after sleep, and when a session that a touch came from ends."""
    authcore("alice", "unlock", "--passcode-file", passcode_file("alice"))


def secret_of(*names):
    return authcore("alice", "item", "get", *names).stdout.strip()


def disk_fills_up():
    unlock()
    service = property_of("authcored.service", "MainPID")
    added = []
    filler = pathlib.Path("/var/lib/filler")
    with filler.open("wb") as file:
        try:
            fill(file)
            # The database first uses the room it has.
            refused = None
            while refused is None and len(added) < 500:
                name = f"large {len(added)}"
                done = authcore("alice", "item", "add", name, "me", check=False, typed=name + "x" * 40_000)
                if done.returncode == 0:
                    added.append(name)
                else:
                    refused = done
            assert refused is not None, "the disk does not fill up"
            assert refused.returncode == 5 and "hint: " in refused.stderr, (refused.returncode, refused.stderr)
            assert secret_of("mail", "me") == "s3cret"
            for _ in range(2):
                authcore("alice", "lock")
                unlock()
                expect_touch("on a full disk")
            unlock()
            listed = authcore("alice", "item", "list").stdout
            assert all(name in listed for name in added) and f"large {len(added)}" not in listed, (added, listed)
        finally:
            filler.unlink()
    for name in added:
        assert secret_of(name, "me") == name + "x" * 40_000
        authcore("alice", "item", "remove", name, "me")
    authcore("alice", "item", "add", "large", "me", typed="x" * 40_000)
    authcore("alice", "item", "remove", "large", "me")
    assert property_of("authcored.service", "MainPID") == service, "the service was restarted"
    step(f"on a full disk passcode and finger open what is there; an item that does not fit is refused, and those {len(added)} that fit are kept")


def clock_jumps():
    service = property_of("authcored.service", "MainPID")
    begin, since = time.time(), time.monotonic()
    try:
        for days in (400, -800, -15_000):
            time.clock_settime(time.CLOCK_REALTIME, begin + days * DAY)
            unlock()
            assert secret_of("mail", "me") == "s3cret"
            authcore("alice", "item", "add", "dated", "me", typed="x")
            authcore("alice", "item", "remove", "dated", "me")
            authcore("alice", "lock")
            unlock()
            expect_touch(f"at another time, {days} days away")
    finally:
        time.clock_settime(time.CLOCK_REALTIME, begin + time.monotonic() - since)
    expect_touch("at the former time")
    assert property_of("authcored.service", "MainPID") == service, "the service was restarted"
    step("with the clock set a year ahead, a year back and to before 1990 it works, finger and all")
