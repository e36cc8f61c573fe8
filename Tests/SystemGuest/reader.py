"""The reader of the machine: at sessions that come and go, pulled out and put in again, asleep and awake."""
import contextlib
import json
import pathlib
import time

from in_guest import step, wait_until
from machine import in_session, property_of, run, show_terminal, status

SHARE = "/mnt/host"


def touch(reason, **options):
    """Runs a command that only a finger satisfies, in a session of alice at tty2."""
    return in_session("alice", 2, "authcore", "--json", "auth", "--policy", "biometrics", "--reason", reason, **options)


def expect_touch(reason):
    _, out, _ = touch(reason)
    assert json.loads(out)["by"] == "biometry", out


def seat_is_switched():
    """A6: a session that is not on the screen gets no touch, and gets it again when it is back."""
    show_terminal(3)
    code, out, _ = touch("from behind", check=False)
    assert code == 2 and "notInteractive" in out, (code, out)
    show_terminal(2)
    expect_touch("in front again")
    step("a session that is not on the screen gets no touch; when it is back, the reader works")


def comes_back(slot):
    """The reader is unplugged and plugged in again, and the machine sleeps, while the service runs."""
    service = property_of("authcored.service", "MainPID")
    pull_out(slot)
    put_in(slot)
    expect_touch("put in again")
    step("pulled out and put in again, it works")
    # The virtual controller refuses to sleep with a device in it: all processes are stopped and go on, no device sleeps.
    sleep("freezer")
    expect_touch("after a sleep")
    step("after all processes slept, it works")
    assert property_of("authcored.service", "MainPID") == service, "the service was restarted"


def comes_back_from_sleep(slot):
    """Like a reader without power while the machine sleeps."""
    pull_out(slot)
    with without_share():
        sleep("devices")
    put_in(slot)
    expect_touch("after a sleep without it")
    step("put in after a sleep of the machine with its devices, it works")


def pull_out(slot):
    slot.unplug()
    wait_until("status shows no reader", lambda: status("alice")["sensor"] is None)


def put_in(slot):
    slot.plug("finger=1")
    begin = time.monotonic()
    wait_until("status shows the reader", lambda: status("alice")["sensor"] is not None)
    # By a notice, not by chance: a service without one looks again after a minute or an hour.
    assert time.monotonic() - begin < 50, f"the reader was found after {time.monotonic() - begin:.0f} s"


@contextlib.contextmanager
def without_share():
    """The folder that the guest shares with the host is let go meanwhile: its driver knows no sleep."""
    driver = pathlib.Path("/sys/bus/virtio/drivers/9pnet_virtio")
    device = next(tag.parent.name for tag in driver.glob("virtio*/mount_tag") if tag.read_bytes().rstrip(b"\0\n") == b"work")
    options = next(line.split()[3] for line in pathlib.Path("/proc/mounts").read_text().splitlines() if line.split()[1] == SHARE)
    run("umount", SHARE)
    (driver / "unbind").write_text(device)
    yield
    (driver / "bind").write_text(device)
    run("mount", "-t", "9p", "-o", options, "work", SHARE)


def sleep(depth):
    """Sleeps as far as `depth` and wakes up by itself (the kernel's Documentation/power/basic-pm-debugging.rst)."""
    pathlib.Path("/sys/power/pm_test").write_text(depth)
    pathlib.Path("/sys/power/state").write_text("freeze")
    pathlib.Path("/sys/power/pm_test").write_text("none")
