"""A reader that matches on the chip, behind the kernel's own USB: its driver's device model stays what it is while it is unplugged."""
import json

from in_guest import PRODUCTS, step, wait_until
from machine import authcore, in_session, passcode_file, status
from model_device import ModelDevice, model_path


def chip_works(slot):
    """X6: a finger on a chip is enrolled, opens and signs; a chip that was away needs the passcode first."""
    chip = ModelDevice(model_path(PRODUCTS, "synaptics"), interrupts=(0x83,))
    connect(slot, chip)
    shown = status("alice")
    assert shown["driver"]["name"] == "synaptics" and "06cb:00bd" in shown["driver"]["device"], shown
    enrolled = json.loads(session("finger", "enroll", "--name", "chip", "--opens-items", "--yes", "--passcode-file", passcode_file("alice")))
    step(f"a chip was plugged in, and enrolled a finger by {enrolled['touches']} touches")
    authcore("alice", "item", "add", "door", "me", "--access", "biometry-any", typed="0pen")
    authcore("alice", "key", "create", "stamp", "--access", "biometry-any")
    assert opens(), "the chip's finger opens no item"
    signed = ("cd && printf hello >said && authcore key public stamp >stamp.pem && authcore key sign stamp <said >said.sig"
              " && openssl dgst -sha256 -verify stamp.pem -signature said.sig said")
    _, out, _ = in_session("alice", 2, "sh", "-c", signed)
    assert out.strip() == "Verified OK", out
    step("the chip's finger opened an item and signed with a key")
    slot.vhci.unplug()
    wait_until("status shows no reader", lambda: status("alice")["sensor"] is None)
    connect(slot, chip)
    assert not opens(), "a chip that was away opens an item without the passcode"
    authcore("alice", "unlock", "--passcode-file", passcode_file("alice"))
    assert opens(), "after the passcode the chip's finger opens no item"
    step("a chip that was away opened nothing before the passcode")
    session("finger", "remove", "chip", "--yes", "--passcode-file", passcode_file("alice"))
    chip.close()
    slot.vhci.unplug()
    wait_until("status shows no reader", lambda: status("alice")["sensor"] is None)


def connect(slot, chip):
    slot.vhci.plug(chip)
    wait_until("status shows the chip", lambda: status("alice")["sensor"] is not None)


def session(*arguments):
    return in_session("alice", 2, "authcore", "--json", *arguments)[1]


def opens():
    code, out, _ = in_session("alice", 2, "authcore", "--timeout", "30", "item", "get", "door", "me", check=False)
    assert (code == 0) == (out.strip() == "0pen"), (code, out)
    return code == 0
