"""What of a passcode is left in the memory of the program that loaded pam_authcore."""
import os
import re
import subprocess
import sys

import fake_core
from bench import asks_passcode

# As in caller.py, which is no module: it acts when it is read.
MASK = 0x5A
PASSCODE = "a planted passcode 7351"


def found(process, needle):
    """How often it lies in the writable memory of a process."""
    count = 0
    with open(f"/proc/{process}/maps", encoding="utf-8") as maps, open(f"/proc/{process}/mem", "rb") as memory:
        for line in maps:
            begin, end, mode = re.match(r"(\w+)-(\w+) (\S+)", line).groups()
            if not mode.startswith("rw"):
                continue
            memory.seek(int(begin, 16))
            count += memory.read(int(end, 16) - int(begin, 16)).count(needle)
    return count


def left_behind(bench, *options):
    heard = []
    name, path = bench.service()
    fake = fake_core.FakeCore(path, asks_passcode(PASSCODE, heard))
    masked = bytes(byte ^ MASK for byte in PASSCODE.encode()).hex()
    with subprocess.Popen(
            [sys.executable, f"{os.path.dirname(__file__)}/caller.py", name, masked, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"0\n"
        count = found(process.pid, PASSCODE.encode())
        process.stdin.close()
    fake.close()
    assert heard == [(fake_core.HARMLESS, PASSCODE)], heard
    return count


def test_k9_nothing_of_a_passcode_is_left_in_the_program(bench):
    assert left_behind(bench) == 0
    assert left_behind(bench, "keep") == 1, "what is there is found"
