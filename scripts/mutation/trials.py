"""Runs the tests: first without a mutant, to see what each test comes by, then for each mutant
those that come by it."""

import json
import os
import re
import resource
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from program import MOST_MUTANTS

NOBODY = 65534
MOST_MEMORY = 16 << 30
FAILED = re.compile(r"^\W*Test (?P<test>.+?) recorded an issue\b|^\W*Test (?P<whole>.+) failed after")
COLOR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Outcome:
    """What came of one run of tests."""
    # None: all passed. Else the first that failed, or what ended the process.
    failure: str | None
    seconds: float
    output: str


class BaselineFailed(Exception):
    """Tests fail without a mutant."""


class Trials:
    """Runs tests of one program, some processes at a time."""

    def __init__(self, program, jobs, named, longest, log):
        self.program = program
        # A pattern in the names of the tests that are run.
        self.named = named
        # Tests that take more seconds are left out; None: none are.
        self.longest = longest
        self.jobs = jobs
        self.log = log
        # Test by test: how long it takes, and the numbers of the mutants it comes by.
        self.seconds = {}
        self.reached = {}
        self.lock = threading.Lock()
        self.running = set()
        self.scratch = program.folder / "scratch"
        self.scratch.mkdir(exist_ok=True)
        self.home = self.scratch / "home"
        self.home.mkdir(exist_ok=True)
        for folder in (self.scratch, self.home):
            self.give(folder)

    def give(self, path):
        """Lets whoever runs the tests write here. Root proves nothing about permissions."""
        if os.getuid() == 0:
            os.chown(path, NOBODY, NOBODY)

    def environment(self, number, recording):
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "AUTHCORE_SHARED")
                if name in os.environ}
        kept |= {"HOME": str(self.home), "TMPDIR": str(self.scratch),
                 "AUTHCORE_SOURCES": str(self.program.tree), "AUTHCORE_MUTANT": str(number)}
        if recording:
            kept["AUTHCORE_MUTANTS_REACHED"] = str(recording)
        return kept

    def run(self, tests, number, limit, recording=None):
        """Runs some tests with a mutant (0: none) until the first fails or `limit` seconds are
        over."""
        names = "|".join(re.escape(test).replace("/", "\\/") for test in tests)
        command = ["nice", "-n", "2"]
        if os.getuid() == 0:
            command += ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                        "--inh-caps=-all", "--no-new-privs"]
        command += [str(self.program.tests), "--testing-library", "swift-testing",
                    "--filter", f"^({names})"]
        start = time.monotonic()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", env=self.environment(number, recording),
            cwd=self.program.tree, start_new_session=True, preexec_fn=limit_memory)
        self.running.add(process)
        timer = threading.Timer(limit, end_group, [process])
        timer.start()
        failure, lines = None, []
        for line in process.stdout:
            line = COLOR.sub("", line.rstrip("\n"))
            lines.append(line)
            match = FAILED.search(line)
            if match and number:
                failure = match["test"] or match["whole"]
                break
        end_group(process)
        process.stdout.close()
        status = process.wait()
        timer.cancel()
        self.running.discard(process)
        seconds = time.monotonic() - start
        if failure is None and seconds >= limit:
            failure = f"no end within {limit:.0f} s"
        elif failure is None and status < 0 and not passed(lines):
            failure = f"the process ended by signal {-status}"
        elif failure is None and not passed(lines):
            failure = next((line for line in lines if FAILED.search(line)), f"status {status}")
        return Outcome(failure, seconds, "\n".join(lines))

    def end(self):
        """Ends what is running."""
        for process in list(self.running):
            end_group(process)

    # Without a mutant

    def list_tests(self, suites):
        found = subprocess.run(
            [str(self.program.tests), "--testing-library", "swift-testing", "--list-tests"],
            stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
        return [line for line in found
                if line.split(".")[0] in suites and re.search(self.named, line)]

    def measure(self, suites):
        """Runs each test alone, without a mutant."""
        tests = self.list_tests(suites)
        stamp = self.program.tests.stat().st_mtime_ns
        known = self.program.folder / "reached.json"
        if known.exists():
            saved = json.loads(known.read_text())
            if saved["stamp"] == stamp:
                self.seconds = saved["seconds"]
                self.reached = {test: set(numbers) for test, numbers in saved["reached"].items()}
        missing = [test for test in tests if test not in self.reached]
        if missing:
            self.log(f"running {len(missing)} tests, each alone, without a mutant")
        failures = [each for each in self.each_of(missing, self.measure_one) if each]
        known.write_text(json.dumps({
            "stamp": stamp, "seconds": self.seconds,
            "reached": {test: sorted(numbers) for test, numbers in self.reached.items()}}))
        if failures:
            raise BaselineFailed(
                "these tests fail without a mutant, so they can tell nothing:\n" +
                "\n".join(failures))

    def measure_one(self, test):
        record = self.scratch / f"reached-{threading.get_ident()}"
        record.write_bytes(bytes(MOST_MUTANTS))
        self.give(record)
        outcome = self.run([test], 0, 600, recording=record)
        numbers = {number for number, byte in enumerate(record.read_bytes()) if byte}
        record.unlink()
        if outcome.failure:
            return f"  {test}: {outcome.failure}\n{outcome.output}"
        with self.lock:
            self.seconds[test] = outcome.seconds
            self.reached[test] = numbers
        return None

    # With one

    def tests_for(self, mutant, suites):
        """The tests of some suites that come by a mutant, the quick ones first."""
        return sorted(
            (test for test, numbers in self.reached.items()
             if mutant.number in numbers and test.split(".")[0] in suites 
             and re.search(self.named, test)
             and (self.longest is None or self.seconds[test] <= self.longest)),
            key=lambda test: self.seconds[test])

    def judge(self, mutant, suites):
        """What becomes of a mutant: the verdict, and by which test."""
        tests = self.tests_for(mutant, suites)
        if not tests:
            return "survived", "no test comes by"
        # A few quick ones first and the slow ones last, because most mutants do not live long.
        groups = [tests[:5], tests[5:25], tests[25:]]
        slow = [test for test in groups[2] if self.seconds[test] > 5]
        groups[2:] = [groups[2][:len(groups[2]) - len(slow)], slow]
        for group in groups:
            if not group:
                continue
            limit = 30 + 10 * sum(self.seconds[test] for test in group)
            outcome = self.run(group, mutant.number, min(limit, 300))
            if outcome.failure:
                return "killed", outcome.failure
        rest = ", others were left out" if self.longest or self.named else ""
        return "survived", f"{len(tests)} tests come by{rest}"

    def judge_all(self, mutants, suites_of, each):
        """Judges many; `each` hears of every one as it is done."""
        def one(mutant):
            verdict, reason = self.judge(mutant, suites_of[mutant.module])
            with self.lock:
                each(mutant, verdict, reason)
        self.each_of(mutants, one)

    def each_of(self, things, work):
        """`work` for each, some at a time; on an interrupt nothing is begun any more."""
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                return list(pool.map(work, things))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self.end()
                raise


def passed(lines):
    return any(re.search(r"Test run with \d+ tests? .*passed after", line) for line in lines)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def end_group(process):
    """Ends a test program and whatever it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
