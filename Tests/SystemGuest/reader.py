"""The reader of the machine: at sessions that come and go, pulled out and put in again, asleep and awake."""
import json
import pathlib
import time

from in_guest import step, wait_until
from machine import in_session, property_of, show_terminal, status


def touches_at(terminal, reason):
    """The status and the words of a command that only a finger satisfies, in a session of alice's there."""
    code, out, said = in_session("alice", terminal, "authcore", "--json", "auth", "--policy", "biometrics", "--reason", reason, check=False)
    if code == 0:
        assert json.loads(out)["by"] == "biometry", out
    return code, out + said


def seat_is_switched():
    """A6: a session that is not on the screen gets no touch, and gets it again when it is back."""
    show_terminal(3)
    code, said = touches_at(2, "from behind")
    assert code == 2 and "notInteractive" in said, (code, said)
    show_terminal(2)
    code, said = touches_at(2, "in front again")
    assert code == 0, said
    step("a session that is not on the screen gets no touch; when it is back, the reader works")


def comes_back(slot):
    """The reader is pulled out and put in again, and the machine sleeps, the service running all the while."""
    service = property_of("authcored.service", "MainPID")
    pull_out(slot)
    put_in(slot)
    code, said = touches_at(2, "put in again")
    assert code == 0, said
    step("pulled out and put in again, it works")
    # The virtual controller refuses to sleep with a device in it: all processes are stopped and go on, no device sleeps.
    sleep("freezer")
    code, said = touches_at(2, "after a sleep")
    assert code == 0, said
    step("after all processes slept, it works")
    assert property_of("authcored.service", "MainPID") == service, "the service was restarted"


def comes_back_from_sleep(slot):
    """As a reader does that has no power while the machine sleeps. Nothing comes after it: the share of the guest does not outlive it for
    certain."""
    pull_out(slot)
    sleep("devices")
    put_in(slot)
    code, said = touches_at(2, "after a sleep without it")
    assert code == 0, said
    step("put in after a sleep of the machine with its devices, it works")


def pull_out(slot):
    slot.unplug()
    wait_until("status shows no reader", lambda: status("alice")["sensor"] is None)


def put_in(slot):
    slot.plug("finger=1")
    begin = time.monotonic()
    wait_until("status shows the reader", lambda: status("alice")["sensor"] is not None)
    # Told by somebody, not found by chance: a service that hears nothing may look again in a minute, or in an hour.
    assert time.monotonic() - begin < 20, f"the reader was found after {time.monotonic() - begin:.0f} s"


def sleep(depth):
    """Sleeps as far as `depth` and wakes up by itself (the kernel's Documentation/power/basic-pm-debugging.rst)."""
    pathlib.Path("/sys/power/pm_test").write_text(depth)
    pathlib.Path("/sys/power/state").write_text("freeze")
    pathlib.Path("/sys/power/pm_test").write_text("none")
