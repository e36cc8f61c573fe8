"""What a person does with a reader, in a guest with a real kernel, udev and libusb: run by scripts/test-in-guest hotplug as root; authcore
runs as an ordinary user who is let in by the udev rule alone."""
import json
import os
import pathlib
import subprocess
import sys
import time

from model_device import ModelDevice, model_path
from usb_device import Vhci

PRODUCTS = os.environ["PRODUCTS"]
HOME = "/tmp/home"
USER, GROUP, PLUGDEV = "65534", "65534", "46"
#: Emulated machines are slow: nothing is given less time than this.
PATIENCE = 60


def authcore(*arguments, groups=PLUGDEV, check=True, background=False):
    command = ["setpriv", f"--reuid={USER}", f"--regid={GROUP}", f"--groups={groups}", "--no-new-privs",
               f"{PRODUCTS}/authcore", "--home", f"{HOME}/state", *arguments]
    environment = {"PATH": "/usr/bin", "HOME": HOME, "LANG": "C.UTF-8"}
    if background:
        return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=PATIENCE * 2)
    if check and done.returncode != 0:
        raise AssertionError(f"authcore {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def passcode(*arguments, **options):
    return authcore(*arguments, "--passcode-file", f"{HOME}/passcode", **options)


def touch(*arguments, **options):
    """A command that waits for a touch: without a terminal it must be told to."""
    return authcore("--unattended", *arguments, **options)


def status():
    return json.loads(authcore("--json", "status").stdout)


def wait_until(what, holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"{what}: not within {PATIENCE} s"
        time.sleep(0.02)


class Slot:
    """A port of the virtual controller with a simulated U.are.U 4500 in it, or not."""

    def __init__(self):
        self.vhci = Vhci()
        self.device = None

    def plug(self, settings=""):
        # The enclave takes no frame twice, and a device that is plugged in again begins with its first impression.
        noise = f"noise={time.monotonic_ns() % 2**31 + 1}"
        self.device = ModelDevice(model_path(PRODUCTS), ",".join(filter(None, [settings, noise])))
        self.vhci.plug(self.device)

    def unplug(self):
        self.device.close()
        self.vhci.unplug()

    def cut(self):
        self.device.close()
        self.vhci.cut()

    def is_waiting(self):
        """Whether the driver has set MODE 10, wait for a finger (devices/uru4000.md)."""
        return self.device.written.get(0x4E) == b"\x10"


def step(text):
    print(f"{time.monotonic():7.1f} s  {text}", flush=True)


def grow(finger):
    """Has the model draw a finger and its first touches, which takes seconds here and would keep the bus waiting."""
    reader = ModelDevice(model_path(PRODUCTS), f"finger={finger}")

    def write(register, value):
        reader.vendor(0x40, 0x04, register, 0, 1, bytes([value]))

    def expect(message):
        wait_until(f"the model says {message.hex()}", lambda: (reader.transfer(0x81, 64, b"") or b"")[:2] == message)

    write(0x07, 0x81)
    write(0x07, 0x01)
    expect(b"\x56\xaa")
    for _ in range(8):
        write(0x4E, 0x10)
        expect(b"\x01\x01")
        write(0x4E, 0x20)
        wait_until("the model scans", lambda: reader.transfer(0x82, 111424, b"") is not None)
        write(0x4E, 0x12)
        expect(b"\x02\x00")
    reader.close()


def prepare():
    os.makedirs(HOME)
    grow(1)
    grow(2)
    step("two fingers are grown")
    pathlib.Path(f"{HOME}/passcode").write_text("correct horse\n")
    for path in (HOME, f"{HOME}/passcode"):
        os.chown(path, int(USER), int(GROUP))
    subprocess.run(["kit-load", "vhci_hcd"], check=True)


def without_permission(slot):
    slot.plug("touches=1")
    node = pathlib.Path("/sys/bus/usb/devices/1-1/idProduct")
    wait_until("the kernel enumerates the reader", node.exists)
    subprocess.run(["udevadm", "settle"], check=True)
    # The kernel names the reader before udev has heard of it, and until then there is none.
    refused = lambda: authcore("sensor", "capture", "/tmp/none.pgm", groups=GROUP, check=False)
    wait_until("the error names the rule", lambda: (said := refused()).returncode == 2 and "udev-rules" in said.stderr)
    slot.unplug()
    step("without the rule's group the reader may not be opened, and the error names the rule")


def enroll_and_authenticate(slot):
    passcode("passcode", "set")
    assert status()["sensor"] is None
    slot.plug("finger=1")
    wait_until("status shows the reader", lambda: status()["sensor"] is not None)
    shown = status()
    assert shown["driver"]["name"] == "uru4000" and "05ba:000a" in shown["driver"]["device"], shown
    step("the reader is there: " + shown["driver"]["device"])
    enrolled = json.loads(passcode("--unattended", "--json", "finger", "enroll").stdout)
    step(f"enrolled by {enrolled['touches']} touches, coverage {enrolled['coverage']:.2f}")
    accepted = json.loads(touch("--json", "auth", "--reason", "the hotplug test").stdout)
    assert accepted["authenticated"] and accepted["by"] == "biometry", accepted
    step("the finger is accepted")
    lacks = {name: facts for name, facts in status()["sandbox"].items() if facts not in ([], {}, None)}
    step(f"sandbox: {json.dumps(lacks)}")
    slot.unplug()
    wait_until("status shows no reader", lambda: status()["sensor"] is None)
    slot.plug("finger=2")
    wait_until("status shows the reader", lambda: status()["sensor"] is not None)
    refused = touch("--json", "finger", "test", check=False)
    assert refused.returncode == 1 and not json.loads(refused.stdout)["match"], refused.stdout
    step(f"another finger is refused, score {json.loads(refused.stdout)['score']:.1f}")
    slot.unplug()


def descriptor_path(slot):
    """The driver's host holds the one descriptor that was opened for it, and nothing else of the bus."""
    slot.plug("touches=0")
    wait_until("status shows the reader", lambda: status()["sensor"] is not None)
    waiting = touch("--timeout", "100", "auth", "--policy", "biometrics", "--reason", "waiting", background=True)
    held = []
    wait_until("a driver's host holds the device", lambda: held.extend(nodes_of_hosts()) or held)
    assert len(set(held)) == 1, held
    wait_until("the reader is told to wait for a finger", slot.is_waiting)
    step(f"the host of the driver holds {held[0][1]} and was confined as {held[0][2]}")
    return waiting


def nodes_of_hosts():
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
            if not arguments[0].endswith(b"authcore-host"):
                continue
            for descriptor in (process / "fd").iterdir():
                target = os.readlink(descriptor)
                if target.startswith("/dev/bus/usb/"):
                    found.append((process.name, target, arguments[arguments.index(b"--sandbox") + 1].decode()))
        except (OSError, ValueError, IndexError):
            continue
    return found


def unplug_during_capture(slot, waiting):
    start = time.monotonic()
    slot.unplug()
    waiting.wait(PATIENCE)
    seconds = time.monotonic() - start
    said = waiting.stderr.read()
    assert waiting.returncode in (1, 2, 5) and "unplugged" in said, (waiting.returncode, said)
    assert seconds < 5, seconds
    step(f"unplugged during a capture: ended after {seconds:.2f} s with: {said.splitlines()[0]}")


def passcode_after_unplug(slot):
    slot.plug("touches=0")
    wait_until("status shows the reader", lambda: status()["sensor"] is not None)
    waiting = passcode("--unattended", "--timeout", "100", "--json", "auth", "--reason", "waiting", background=True)
    wait_until("the reader is told to wait for a finger", slot.is_waiting)
    slot.cut()
    out, _ = waiting.communicate(timeout=PATIENCE)
    answer = json.loads(out)
    assert answer["authenticated"] and answer["by"] == "passcode", answer
    step("unplugged during an authentication: the passcode was taken instead")


def plug_and_unplug(slot, count):
    for number in range(count):
        slot.plug("finger=1")
        wait_until("status shows the reader", lambda: status()["sensor"] is not None)
        if number == count // 2:
            accepted = json.loads(touch("--json", "auth", "--reason", "in between").stdout)
            assert accepted["by"] == "biometry", accepted
        (slot.unplug if number % 2 else slot.cut)()
        # A status costs seconds here.
        if number % 5 == 4:
            wait_until("status shows no reader", lambda: status()["sensor"] is None)
    assert not nodes_of_hosts(), "a host still holds a device that has left"
    step(f"plugged in and out {count} times, with an authentication in between; no host was left behind")


def main():
    prepare()
    slot = Slot()
    without_permission(slot)
    enroll_and_authenticate(slot)
    unplug_during_capture(slot, descriptor_path(slot))
    passcode_after_unplug(slot)
    plug_and_unplug(slot, 20)
    authcore("quit")
    step("done")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        print(f"hotplug test FAILED: {error}", flush=True)
        sys.exit(1)
