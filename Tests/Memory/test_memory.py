"""After each use no process of a state folder holds the secret, the passcode, the frame or the features
any more: the writable memory of the command, the core and its hosts is searched for what was planted.

Usage: test_memory.py PRODUCTS TOOLS, the folders of the programs and of authcore-bench. As
root: hosts are not dumpable."""
import base64
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import scan

PRODUCTS, TOOLS = (os.path.realpath(folder) for folder in sys.argv[1:3])
WORK = tempfile.mkdtemp(prefix="authcore-memory.")
HOME = os.path.join(WORK, "state")
READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/examples/read_state.py")
# The root key in a file, wherever this runs: the reader needs it.
os.environ["AUTHCORE_TPM"] = "off"
# Printable, so that they pass wherever text does; cut into parts, so that part of one is found too.
PASSCODE = "pass" + secrets.token_hex(14)
WRONG = "wrong" + secrets.token_hex(14)
SECRET = "secret" + secrets.token_hex(60)
APP_PASSWORD = "application" + secrets.token_hex(14)
failures = []


def parts(name, text):
    """A canary in windows of 16 bytes, every 16."""
    data = text.encode()
    return [(name, data[start:start + 16]) for start in range(0, len(data) - 15, 16)]


CANARIES = parts("passcode", PASSCODE) + parts("wrong passcode", WRONG) + parts("secret", SECRET)
CANARIES += parts("application password", APP_PASSWORD)


def complain(stage, pid, seen):
    print(f"  FOUND after {stage} in {pid} ({scan.name(pid)}): {len(seen)}")
    for line in seen[:6]:
        print(f"    {line}")
    failures.append(stage)


def check(stage, pids):
    for pid in pids:
        if seen := scan.found(pid, CANARIES):
            complain(stage, pid, seen)


def pipe_with(data):
    reader, writer = os.pipe()
    os.write(writer, data.encode())
    os.close(writer)
    return reader


def authcore(stage, *arguments, passcode=None, app_password=None, secret=None, expected=0,
             while_waiting=None):
    """Runs the command, and scans it when it ends and the others after that."""
    descriptors = []
    command = [f"{PRODUCTS}/authcore", "--home", HOME, "--json"]
    options = []
    for option, given in (("--passcode-fd", passcode), ("--app-password-fd", app_password)):
        if given is not None:
            descriptors.append(pipe_with(given))
            options += [option, str(descriptors[-1])]
    process = subprocess.Popen(
        command + list(arguments) + options, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        pass_fds=descriptors, start_new_session=True)
    for descriptor in descriptors:
        os.close(descriptor)
    scan.watch_exit(process.pid)
    if secret is not None:
        process.stdin.write(secret.encode())
        process.stdin.flush()
    if while_waiting is not None:
        while_waiting(process.pid)
    process.stdin.close()
    has_memory = False
    for _ in scan.ends([process.pid]):
        has_memory = True
        check(f"{stage}, as the command ends", [process.pid])
        scan.let_go(process.pid)
        _, status = os.waitpid(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    output, errors = process.stdout.read(), process.stderr.read()
    if process.returncode != expected or not has_memory:
        sys.exit(f"{stage}: exit {process.returncode}\n{output.decode()}\n{errors.decode()}")
    members = scan.family(HOME)
    if not members and arguments[0] != "quit":
        sys.exit(f"{stage}: no core is running")
    check(stage, members)
    print(f"  {stage}: {len(members) + 1} processes")
    return output


def holds_secret(pid):
    """The control: a command that has read a secret and waits for its end holds it."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        if any(line.startswith("secret") for line in scan.found(pid, CANARIES)):
            return print("  control: a command that waits for the rest of a secret holds what came of it")
        time.sleep(0.05)
    sys.exit("the scan does not find a secret where it is: it proves nothing")


def plant_prints():
    """Prints to enroll and to touch with; what they look like in memory joins the canaries."""
    subprocess.run(
        [f"{TOOLS}/authcore-bench", "synthesize", "--fingers", "2", "--impressions", "8", "--seed", "77",
         "--out", WORK], check=True, capture_output=True)
    pictures = [f"{WORK}/1_{number}.pgm" for number in range(1, 9)] + [f"{WORK}/2_1.pgm"]
    for name, numbers in (("enrollment", range(0, 5)), ("touch", [6]), ("stranger", [8])):
        with open(f"{WORK}/{name}.tape", "w") as tape:
            tape.write("authcore-tape 1\nppi 500\n" + "".join(f"touch {pictures[n]}\n" for n in numbers))
    holder = subprocess.Popen(
        [f"{TOOLS}/authcore-bench", "canaries", *pictures], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for line in iter(holder.stdout.readline, "ready\n"):
        name, data = line.split()
        CANARIES.append((name, bytes.fromhex(data)))
    kinds = {line.split()[0] for line in scan.found(holder.pid, CANARIES)}
    holder.stdin.close()
    holder.wait()
    if not {"row", "minutia"} <= kinds:
        sys.exit(f"the scan does not find prints where they are, only {kinds}: it proves nothing")
    print("  control: a process that holds prints is found to hold rows and minutiae of them")


def use_key():
    """Makes a private key, learns it as whoever has root key and passcode can, and signs with it."""
    authcore("making a key", "key", "create", "signer")
    authcore("quitting", "quit")
    passcode = os.path.join(WORK, "passcode")
    with open(passcode, "w") as file:
        file.write(PASSCODE)
    read = subprocess.run(["/usr/bin/python3", READER, HOME, passcode], capture_output=True, check=False)
    keys = [json.loads(line).get("privateKey") for line in read.stdout.splitlines()]
    scalars = [base64.b64decode(key) for key in keys if key]
    if len(scalars) != 1:
        sys.exit(f"the reader finds {len(scalars)} private keys, not one: {read.stderr.decode()}")
    # Numbers of libcrypto have their lowest byte first.
    for data in (scalars[0], scalars[0][::-1]):
        CANARIES.extend([("private key", data[:16]), ("private key", data[16:])])
    authcore("unlocking for a key", "unlock", passcode=PASSCODE)
    signed = authcore("signing", "key", "sign", "signer", secret="a message")
    assert b"signature" in signed, signed


def use_application_password():
    authcore("adding what an application password guards", "item", "add", "--service", "app", "--access",
             "app-password", app_password=APP_PASSWORD, secret=SECRET)
    got = authcore("getting what an application password guards", "item", "get", "--service", "app",
                   app_password=APP_PASSWORD)
    assert len(got) > 100, got


def main():
    plant_prints()
    tape = lambda name: f"replay:tape={WORK}/{name}.tape"
    authcore("the first passcode", "passcode", "set", passcode=PASSCODE)
    authcore("enrolling a finger", "--driver", tape("enrollment"), "finger", "enroll", "--name", "canary",
             passcode=PASSCODE)
    authcore("adding an item", "item", "add", "--service", "plain", secret=SECRET,
             while_waiting=holds_secret)
    authcore("adding a protected item", "item", "add", "--service", "guarded", "--access",
             "biometry-current", secret=SECRET)
    got = authcore("getting an item", "item", "get", "--service", "plain")
    assert len(got) > 100, got
    authcore("getting an item by touch", "--driver", tape("touch"), "item", "get", "--service", "guarded")
    authcore("updating an item", "item", "update", "--service", "plain", "--secret", secret=SECRET)
    authcore("a touch that matches nothing", "--driver", tape("stranger"), "finger", "test", expected=1)
    authcore("a wrong passcode", "unlock", passcode=WRONG, expected=1)
    authcore("locking", "lock")
    authcore("unlocking by touch", "--driver", tape("touch"), "unlock")
    authcore("locking again", "lock")
    authcore("unlocking by passcode", "unlock", passcode=PASSCODE)
    use_application_password()
    use_key()
    members = scan.family(HOME)
    for pid in members:
        scan.watch_exit(pid)
    quitting = subprocess.Popen([f"{PRODUCTS}/authcore", "--home", HOME, "quit"],
                                stdout=subprocess.DEVNULL, start_new_session=True)
    ended = 0
    for pid in scan.ends(members):
        check("the end of the core", [pid])
        scan.let_go(pid)
        ended += 1
    quitting.wait()
    print(f"  the end of the core: {ended} processes")
    if ended == 0:
        sys.exit("neither core nor hosts ended by themselves")


print("memory of the processes of a state folder")
try:
    main()
finally:
    subprocess.run([f"{PRODUCTS}/authcore", "--home", HOME, "quit"], capture_output=True)
    shutil.rmtree(WORK, ignore_errors=True)
if failures:
    sys.exit(f"{len(failures)} scans found what should be gone")
print("nothing was found that should be gone")
