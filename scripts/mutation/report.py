"""What became of the mutants: kept from run to run, and told in Markdown."""

import json


class Results:
    """Verdicts by mutant, in a file."""

    def __init__(self, path):
        self.path = path
        self.verdicts = json.loads(path.read_text()) if path.exists() else {}
        self.waiting = set()

    def save(self):
        self.path.write_text(json.dumps(self.verdicts, indent=0))

    def verdict(self, mutant):
        return self.verdicts.get(mutant.key, {}).get("verdict")

    def keep(self, mutants):
        """Forgets what is known of mutants that are no more."""
        keys = {mutant.key for mutant in mutants}
        self.verdicts = {key: value for key, value in self.verdicts.items() if key in keys}

    def await_verdicts(self, sample):
        """Those that are about to be judged."""
        self.waiting = {mutant.key for mutant in sample}

    def note(self, mutant, verdict, reason):
        self.waiting.discard(mutant.key)
        self.verdicts[mutant.key] = {"verdict": verdict, "by": reason, "line": mutant.line}
        self.save()

    def rates(self, mutants):
        """For each module: how many were tried, and how many of them were killed."""
        rates = {}
        for mutant in mutants:
            tried, killed = rates.get(mutant.module, (0, 0))
            verdict = self.verdict(mutant)
            if verdict:
                rates[mutant.module] = (tried + 1, killed + (verdict == "killed"))
        return rates

    def summary(self, mutants):
        for module, (tried, killed) in self.rates(mutants).items():
            yield f"{module}: {killed} of {tried} killed ({100 * killed / tried:.1f} %)"


def cell(text):
    return text.replace("|", "\\|")


def write_report(path, given, results, mutants, sample):
    """Everything that is known: the rate of each module, the survivors, and all that was tried."""
    known = [mutant for mutant in mutants if results.verdict(mutant)]
    lines = [
        "# Mutants", "",
        f"The last run tried {len(sample)} of {len(mutants)} mutants (seed {given.seed}).", "",
        "| module | mutants | tried | killed | rate |", "| --- | --- | --- | --- | --- |",
    ]
    for module, (tried, killed) in results.rates(known).items():
        total = sum(mutant.module == module for mutant in mutants)
        lines.append(
            f"| {module} | {total} | {tried} | {killed} | {100 * killed / tried:.1f} % |")
    for title, verdict in (("Survivors", "survived"), ("Killed", "killed")):
        lines += ["", f"## {title}", "", "| module | where | change | what came of it |",
                  "| --- | --- | --- | --- |"]
        for mutant in known:
            if results.verdict(mutant) == verdict:
                lines.append(
                    f"| {mutant.module} | {mutant.path}:{mutant.line} | {mutant.kind}: "
                    f"{cell(mutant.text)} | {cell(results.verdicts[mutant.key]['by'])} |")
    path.write_text("\n".join(lines) + "\n")
