"""What a person does with a TPM, in a guest whose kernel has one: run by scripts/test-in-guest tpm as root; authcore runs as an ordinary
user, who reaches the kernel's device only by a group."""
import json
import os
import pathlib
import subprocess
import time

PRODUCTS = os.environ["PRODUCTS"]
HOME = "/tmp/home"
DEVICE = "/dev/tpmrm0"
USER, GROUP, TSS = 65534, 65534, 4321
#: In seconds: emulated machines are slow.
TIMEOUT = 600


def authcore(*arguments, folder="state", groups=TSS, secret="", check=True):
    command = ["setpriv", f"--reuid={USER}", f"--regid={GROUP}", f"--groups={groups}", "--no-new-privs",
               f"{PRODUCTS}/authcore", "--json", "--home", f"{HOME}/{folder}", *arguments]
    environment = {"PATH": "/usr/bin", "HOME": HOME, "LANG": "C.UTF-8"}
    done = subprocess.run(command, env=environment, input=secret, capture_output=True, text=True, timeout=TIMEOUT * 2)
    reply = json.loads(done.stdout or "{}")
    if check and done.returncode != 0:
        raise AssertionError(f"authcore {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return reply


def start_core(folder="state"):
    """A core starts within seconds or not at all; an emulated machine that others load may need another try."""
    end = time.monotonic() + TIMEOUT * 2
    while "error" in authcore("status", folder=folder, check=False):
        assert time.monotonic() < end, authcore("status", folder=folder)


def passcode(*arguments, **options):
    return authcore(*arguments, "--passcode-file", f"{HOME}/passcode", **options)


def start_tpm():
    subprocess.run(["kit-load", "tpm_vtpm_proxy"], check=True)
    state = pathlib.Path("/tmp/tpm")
    state.mkdir(exist_ok=True)
    process = subprocess.Popen(["swtpm", "chardev", "--vtpm-proxy", "--tpm2", "--tpmstate", f"dir={state}",
                                "--flags", "startup-clear"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    end = time.monotonic() + TIMEOUT
    while not os.path.exists(DEVICE):
        assert time.monotonic() < end, f"no {DEVICE} within {TIMEOUT} s"
        time.sleep(0.05)
    # As the udev rule of Debian's tpm-udev does, behind what udevd does to a node that it sees for the first time.
    subprocess.run(["udevadm", "settle", f"--timeout={TIMEOUT}"], check=True)
    os.chown(DEVICE, 0, TSS)
    os.chmod(DEVICE, 0o660)
    return process


def main():
    os.makedirs(HOME, exist_ok=True)
    os.chown(HOME, USER, GROUP)
    pathlib.Path(f"{HOME}/passcode").write_text("correct horse\n")
    os.chmod(f"{HOME}/passcode", 0o644)
    tpm = start_tpm()

    status = authcore("status", folder="other", groups=GROUP)
    assert status["rootKey"] == "file", "a TPM that may not be used leaves a file"
    authcore("quit", folder="other")

    status = authcore("status")
    assert status["rootKey"] == "tpm", status
    assert status["sandbox"]["enclave"]["on"] and not status["rollbackDetected"], status
    passcode("passcode", "set")
    authcore("item", "add", "--service", "mail", secret="gold")
    authcore("quit")
    start_core()
    begun = time.monotonic()
    passcode("unlock")
    print(f"unlocked in {time.monotonic() - begun:.1f} s")
    assert authcore("item", "get", "--service", "mail")["secret"] == "Z29sZA=="
    moved = passcode("root-key", "migrate")
    assert moved == {"rootKey": "file", "moved": True}, moved
    moved = passcode("root-key", "migrate")
    assert moved == {"rootKey": "tpm", "moved": True}, moved
    authcore("quit")

    refused = authcore("status", groups=GROUP, check=False)
    assert refused["error"]["name"] == "tpmNotPermitted", refused
    authcore("quit", groups=GROUP)
    start_core()
    passcode("unlock")
    authcore("quit")

    tpm.kill()
    tpm.wait()
    end = time.monotonic() + TIMEOUT
    while os.path.exists(DEVICE):
        assert time.monotonic() < end, f"{DEVICE} stays"
        time.sleep(0.05)
    gone = authcore("status", check=False)
    assert gone["error"]["name"] == "tpmNotFound", gone
    tpm = start_tpm()
    start_core()
    passcode("unlock")
    assert authcore("item", "get", "--service", "mail")["secret"] == "Z29sZA=="
    assert not authcore("status")["rollbackDetected"]
    authcore("quit")
    tpm.kill()
    print("a root key in the kernel's TPM: first use, unlocking, moving, no permission, TPM away and back")


main()
