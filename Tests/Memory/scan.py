"""Looks for planted bytes in the writable memory of processes. Linux, root: /proc/PID/mem, ptrace(2)."""
import ctypes
import os
import re

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
SEIZE, DETACH, TRACE_EXIT = 0x4206, 17, 0x40
EXIT_STOP = 5 | 6 << 8  # SIGTRAP, PTRACE_EVENT_EXIT


def ptrace(request, pid, data=0):
    if LIBC.ptrace(request, pid, None, data) != 0:
        raise OSError(ctypes.get_errno(), f"ptrace {request:#x} of {pid}")


def name(pid):
    """What a process is, for messages."""
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        words = file.read().split(b"\0")
    return os.path.basename(words[0].decode()) + " " + b" ".join(words[1:3]).decode()[:60]


def writable(pid):
    """The writable regions of a process: first address, end, what they are."""
    with open(f"/proc/{pid}/maps") as file:
        for line in file:
            place, rights, *_, = line.split()
            if "w" in rights and "r" in rights:
                first, end = (int(part, 16) for part in place.split("-"))
                yield first, end, line[73:].strip() or "anonymous"


def found(pid, canaries):
    """Which canaries lie where: a list of `NAME in REGION`."""
    seen = []
    pattern = re.compile(b"|".join(re.escape(bytes) for _, bytes in canaries))
    names = {bytes: name for name, bytes in canaries}
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for first, end, region in writable(pid):
            try:
                memory.seek(first)
                contents = memory.read(end - first)
            except OSError:
                continue  # a device's or the kernel's pages
            for match in pattern.finditer(contents):
                near = re.sub(rb"[^ -~]", b".", contents[max(0, match.start() - 48):match.end() + 16])
                seen.append(f"{names[match[0]]} at {first + match.start():#x} in {region}: {near.decode()}")
    return seen


def family(home):
    """The core of a state folder and its hosts."""
    parents, core = {}, None
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as file:
                parents[int(entry)] = int(file.read().rpartition(")")[2].split()[1])
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if words[0].endswith(b"authcored") and home.encode() in words:
            core = int(entry)
    return [pid for pid in parents if core in (pid, parents[pid])] if core else []


def watch_exit(pid):
    """Stops the process when it ends, with its memory as it is then."""
    ptrace(SEIZE, pid, TRACE_EXIT)


def ends(pids):
    """Those of the processes that come to that stop, one after the other; not those that are killed, which
    have no memory any more."""
    pids = set(pids)
    while pids:
        pid, status = os.waitpid(-1, 0x40000000)  # __WALL
        if pid not in pids:
            continue
        if not os.WIFSTOPPED(status):
            pids.remove(pid)
        elif status >> 8 == EXIT_STOP:
            pids.remove(pid)
            yield pid
        else:
            ptrace(7, pid, os.WSTOPSIG(status) if status >> 16 == 0 else 0)  # PTRACE_CONT


def let_go(pid):
    ptrace(DETACH, pid)
