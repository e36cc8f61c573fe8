"""The copied tree with all mutants in it, and the one test program made of it."""

import fcntl
import json
import os
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sites import Source, mutated

ROOT = Path(__file__).resolve().parent.parent.parent
COPIED = ["Sources", "Plugins", "Drivers", "Tests", "include", "scripts", "docs",
          "Package.swift", "Package.resolved"]

HEADER = """#pragma once
// The mutant that the environment chose; 0: none.
extern int mutants_chosen;
// A byte for each mutant: whether the program came by.
extern unsigned char *mutants_reached;

static inline _Bool mutant(int number) {
  mutants_reached[number] = 1;
  return number == mutants_chosen;
}
static inline _Bool mutantFlips(int number, _Bool value) { return mutant(number) ? !value : value; }
static inline _Bool mutantPasses(int number, _Bool value) { return mutant(number) || value; }
static inline _Bool mutantFails(int number, _Bool value) { return !mutant(number) && value; }
"""

CHOICE = """#include "Mutants.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { most = 1 << 16 };
static unsigned char unrecorded[most];
int mutants_chosen;
unsigned char *mutants_reached = unrecorded;

__attribute__((constructor)) static void choose(void) {
  const char *number = getenv("AUTHCORE_MUTANT");
  mutants_chosen = number ? atoi(number) : 0;
  const char *path = getenv("AUTHCORE_MUTANTS_REACHED");
  if (!path) return;
  // Shared with the file, so that it is complete however the program ends.
  int file = open(path, O_RDWR | O_CLOEXEC);
  void *bytes = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file < 0 || bytes == MAP_FAILED) abort();
  mutants_reached = bytes;
}
"""
MOST_MUTANTS = 1 << 16

MANIFEST = """
// What scripts/mutate adds: the choice of a mutant, and nothing that its tests do not need.
do {
  let mutants: Set = %s
  package.targets.append(.target(name: "Mutants", path: "Mutants"))
  for target in package.targets where mutants.contains(target.name) {
    target.dependencies.append("Mutants")
  }
  var needed: Set<String> = []
  var waiting: [String] = %s
  while let name = waiting.popLast() {
    guard needed.insert(name).inserted,
      let target = package.targets.first(where: { $0.name == name })
    else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): waiting.append(name)
      default: break
      }
    }
  }
  // The tests themselves are quick to run and slow to optimize.
  for target in package.targets where target.type == .test {
    target.swiftSettings? += [.unsafeFlags(["-Onone"])]
  }
  package.products = []
  package.targets = package.targets.filter { needed.contains($0.name) }
}
"""


@dataclass
class Module:
    """What is mutated under one name, and which tests are to notice."""
    name: str
    target: str
    folders: list
    suites: list


MODULES = [
    Module("Enclave", "EnclaveEngine", ["Plugins/Enclave"], ["EnclaveTests"]),
    Module("Policy", "PolicyEngine", ["Plugins/Policy"], ["PolicyTests"]),
    Module("Keychain", "KeychainEngine", ["Plugins/Keychain"], ["KeychainTests"]),
    Module("Protocol", "Protocol", ["Sources/Protocol"],
           ["ProtocolTests"]),
    Module("Evaluation", "AuthCore", [
        "Sources/Core/AuthCore/Evaluation", "Sources/Core/AuthCore/Requests",
        "Sources/Core/AuthCore/Connections/SeatedClients.swift",
        "Sources/Core/AuthCore/Connections/SecretLedger.swift",
        "Sources/Core/AuthCore/Lifetime/IdleRules.swift", "Sources/Core/AuthCore/Sensors/Readers.swift",
    ], ["CoreTests"]),
]


@dataclass
class Mutant:
    """One change of one file. The key stays the same as long as the change does."""
    key: str
    module: str
    path: str
    line: int
    kind: str
    text: str
    number: int = 0
    site: object = field(default=None, repr=False)

    def record(self):
        return {name: value for name, value in asdict(self).items() if name != "site"}


class BuildFailed(Exception):
    """The tree cannot be built, and no mutant is to blame."""


class Program:
    """A folder with the mutated tree, its build and what is known of its mutants."""

    def __init__(self, folder, modules, wanted, log):
        self.folder = folder
        self.tree = folder / "tree"
        self.modules = modules
        # Those whose tests are built.
        self.wanted = wanted
        self.log = log
        # What is kept from run to run: each mutant's number, so that a change of one file leaves
        # the others as they are, and those that do not compile.
        self.known = folder / "known.json"
        known = json.loads(self.known.read_text()) if self.known.exists() else {}
        self.numbers = known.get("numbers", {})
        self.discarded = set(known.get("discarded", []))
        self.files = {}
        self.stretches = {}

    # The tree

    def sources(self, module):
        for folder in module.folders:
            found = ROOT / folder
            for path in sorted(found.rglob("*.swift") if found.is_dir() else [found]):
                # The entry points are not in the test program.
                if "Plugin" not in path.relative_to(found).parts[:-1]:
                    yield path

    def mutants(self):
        """All mutants that are not known not to compile."""
        found = []
        self.files = {}
        for module in self.modules:
            for path in self.sources(module):
                name = str(path.relative_to(ROOT))
                text = path.read_text()
                repeated = {}
                for site in Source(text).sites:
                    label = f"{name}|{site.kind}|{site.text}"
                    repeated[label] = repeated.get(label, 0) + 1
                    key = f"{label}|{repeated[label]}"
                    if key in self.discarded:
                        continue
                    line = text.count("\n", 0, site.start) + 1
                    mutant = Mutant(key, module.name, name, line, site.kind, site.text, site=site)
                    found.append(mutant)
                    self.files.setdefault(name, []).append(mutant)
                self.files.setdefault(name, [])
        for mutant in found:
            mutant.number = self.numbers.setdefault(mutant.key, len(self.numbers) + 1)
        if len(self.numbers) >= MOST_MUTANTS:
            raise BuildFailed(f"too many mutants were ever made here: remove {self.folder}")
        return found

    def save(self):
        self.known.write_text(
            json.dumps({"numbers": self.numbers, "discarded": sorted(self.discarded)}, indent=0))

    def write(self, path, text):
        """Writes a file of the tree, unless it says this already: what is older is not built."""
        target = self.tree / path
        if target.exists() and target.read_text() == text:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def write_tree(self):
        wanted = set()
        for name in COPIED:
            source = ROOT / name
            for path in source.rglob("*") if source.is_dir() else [source]:
                # Package.resolved is there only after a build.
                if not path.is_file() or "__pycache__" in path.parts:
                    continue
                relative = path.relative_to(ROOT)
                wanted.add(relative)
                if str(relative) in self.files or name == "Package.swift":
                    continue
                target = self.tree / relative
                if target.exists() and target.read_bytes() == path.read_bytes():
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                target.unlink(missing_ok=True)
                shutil.copyfile(path, target)
                target.chmod(path.stat().st_mode)
        for name, mutants in self.files.items():
            text = (ROOT / name).read_text()
            changed, stretches = mutated(text, [(each.number, each.site) for each in mutants])
            # On the first line, so that the lines stay what they are.
            prefix = "import Mutants; "
            self.stretches[name] = {
                number: (begin + len(prefix), end + len(prefix))
                for number, (begin, end) in stretches.items()}
            self.write(name, prefix + changed)
        self.write("Mutants/include/Mutants.h", HEADER)
        self.write("Mutants/Mutants.c", CHOICE)
        self.write("Package.swift", self.manifest())
        for path in [path for name in COPIED for path in (self.tree / name).rglob("*")]:
            if path.is_file() and path.relative_to(self.tree) not in wanted:
                path.unlink()

    def manifest(self):
        text = (ROOT / "Package.swift").read_text()
        # A mutant is code that a compiler may well warn of.
        for setting in (".treatAllWarnings(as: .error),", ".strictMemorySafety(),"):
            if setting not in text:
                raise BuildFailed(f"Package.swift has no {setting} any more: adapt {__file__}")
            text = text.replace(setting, "")
        # Tests run often and the program is built seldom.
        text = text.replace(
            "let settings: [SwiftSetting] = [",
            'let settings: [SwiftSetting] = [\n  .unsafeFlags(["-O"]),', 1)
        targets = [module.target for module in self.modules]
        suites = [suite for module in self.wanted for suite in module.suites]
        return text + MANIFEST % (json.dumps(targets), json.dumps(suites))

    # The build

    def build(self):
        """Builds the test program; mutants that do not compile are discarded meanwhile.
        Returns the mutants that are in it."""
        self.take_folder()
        for attempt in range(1, 60):
            mutants = self.mutants()
            self.save()
            self.write_tree()
            self.log(f"build {attempt}: {len(mutants)} mutants")
            output = self.swift_build()
            if output is None:
                self.link_products()
                return mutants
            self.discard(output)
        raise BuildFailed("mutants keep failing to compile")

    def take_folder(self):
        """Keeps other runs out as long as this one lasts: they would build another program."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.held = open(self.folder / "lock", "w", encoding="utf-8")
        try:
            fcntl.flock(self.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BuildFailed(
                f"another run uses {self.folder}; wait for it, or name another --folder") from None

    def swift_build(self):
        """Nil where it succeeded, else what the compiler said."""
        command = ["nice", "-n", "5", "swift", "build", "--build-tests", "--package-path",
                   str(self.tree), "-Xswiftc", "-suppress-warnings", "-Xswiftc",
                   "-continue-building-after-errors"]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        (self.folder / "build.log").write_text(done.stdout)
        return None if done.returncode == 0 else done.stdout

    def discard(self, output):
        """Drops the mutants that the compiler's errors lie in."""
        places = set(re.findall(
            rf"^{re.escape(str(self.tree))}/(\S+?):(\d+):(\d+): error:", output, re.MULTILINE))
        dropped = set()
        for name, line, column in places:
            dropped |= self.blamed(name, int(line), int(column))
        if not dropped:
            raise BuildFailed(
                f"the mutated tree does not build, and no mutant is to blame: see "
                f"{self.folder / 'build.log'}")
        self.log(f"  {len(dropped)} mutants do not compile")
        self.discarded |= dropped
        self.save()

    def blamed(self, name, line, column):
        """The innermost mutant at a place; else those of its line; else those of its function."""
        mutants = {mutant.number: mutant for mutant in self.files.get(name, [])}
        if not mutants:
            return set()
        data = (self.tree / name).read_bytes()
        lines = data.split(b"\n")
        begin = len(b"\n".join(lines[:line - 1]).decode()) + (1 if line > 1 else 0)
        offset = begin + len(lines[line - 1][:column - 1].decode(errors="replace"))
        stretches = {
            number: stretch for number, stretch in self.stretches[name].items()
            if number in mutants}
        around = sorted(
            (end - start, number) for number, (start, end) in stretches.items()
            if start <= offset < end)
        if around:
            return {mutants[around[0][1]].key}
        on_line = {mutant.key for mutant in mutants.values() if mutant.line == line}
        if on_line:
            return on_line
        text = [part.decode() for part in lines]
        first = next(
            (number for number in range(line, 0, -1)
             if re.match(r"  ?(?! ).*\b(func|init|var|static|subscript)\b|\S", text[number - 1])
             and not text[number - 1].strip().startswith("}")), 1)
        last = next(
            (number for number in range(max(line, first + 1), len(text) + 1)
             if re.match(r" {0,2}\}", text[number - 1])), len(text))
        return {mutant.key for mutant in mutants.values() if first <= mutant.line <= last}

    def link_products(self):
        found = subprocess.run(
            ["swift", "build", "--package-path", str(self.tree), "--show-bin-path"],
            stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        self.tests = Path(found) / "authcorePackageTests.xctest"
        if not self.tests.exists():
            raise BuildFailed(f"the build has left no {self.tests}")
        # Who runs the tests is not who built them.
        for folder in (self.folder, *self.tests.parents):
            if folder.is_relative_to(self.folder):
                os.chmod(folder, 0o755)
