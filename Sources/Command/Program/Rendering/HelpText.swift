import CoreClient

/// The help of a command: ArgumentParser's text, an example, and the exit codes.
enum HelpText {
  /// Exit codes and what they mean.
  static let exitCodes = [
    ("0", "done"),
    ("1", "not authenticated: wrong finger or passcode, lockout, cancelled, timed out"),
    ("2", "not available: no reader, nothing enrolled, no passcode, nobody to ask"),
    ("3", "not found, or already there"),
    ("4", "denied: locked, another application's item, refused by policy"),
    ("5", "a driver, an engine or the core failed"),
    ("64", "the command line cannot be carried out as it is"),
    ("130", "interrupted"),
  ]

  /// Adds what ArgumentParser does not say. Text that is not help stays as it is.
  static func completed(_ text: String) -> String {
    guard let path = path(in: text) else { return text }
    var sections = [text.trimmingNewlines]
    if let examples = HelpExamples.of[path] {
      sections.append((["EXAMPLES:"] + examples.map { "  " + $0 }).joined(separator: "\n"))
    }
    let codes = exitCodes.map { "  \($0.0.padded(to: 5))\($0.1)" }
    sections.append((["EXIT CODES:"] + codes).joined(separator: "\n"))
    return sections.joined(separator: "\n\n")
  }

  /// The command whose help it is, from the line of its usage.
  private static func path(in text: String) -> String? {
    guard text.hasPrefix("OVERVIEW: ") else { return nil }
    let lines = text.split(separator: "\n")
    guard let usage = lines.first(where: { $0.hasPrefix("USAGE: authcore") }) else { return nil }
    return usage.split(separator: " ").dropFirst(2).prefix { !"[<(".contains($0.prefix(1)) }
      .joined(separator: " ")
  }
}

extension String {
  fileprivate var trimmingNewlines: String {
    var rest = Substring(self)
    while rest.last == "\n" { rest.removeLast() }
    return String(rest)
  }
}

/// What a mistyped name was meant to be.
enum NearestName {
  /// The one of `names` with the fewest slips; nil if none is near, or several are equally near.
  static func of(_ typed: String, among names: [String]) -> String? {
    // At most one slip in three characters.
    let most = min(3, max(1, typed.count / 3))
    let near = names.map { (name: $0, slips: slips(from: Array(typed), to: Array($0))) }
      .filter { $0.slips <= most }.sorted { $0.slips < $1.slips }
    guard let first = near.first else { return nil }
    return near.count > 1 && near[1].slips == first.slips ? nil : first.name
  }

  /// How many characters were left out, inserted, replaced, or swapped with a neighbor (optimal
  /// string alignment distance).
  static func slips(from typed: [Character], to name: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...name.count)
    for (row, character) in typed.enumerated() {
      var current = [row + 1]
      for (column, other) in name.enumerated() {
        var slips = min(
          last[column] + (character == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, character == name[column - 1], typed[row - 1] == other {
          slips = min(slips, before[column - 1] + 1)
        }
        current.append(slips)
      }
      (before, last) = (last, current)
    }
    return last[name.count]
  }
}

/// Examples for commands whose own help has none.
enum HelpExamples {
  /// By the command's words.
  static let of: [String: [String]] = [
    "status": ["authcore status", "authcore --json status | jq .locked"],
    "doctor": ["authcore doctor"],
    "auth": [
      "authcore auth --reason 'deploy to production' && ./deploy",
      "authcore auth --policy biometrics --can",
    ],
    "passcode set": ["authcore passcode set"],
    "passcode change": ["authcore passcode change"],
    "passcode remove": ["authcore passcode remove"],
    "finger enroll": ["authcore finger enroll --name right-index"],
    "finger list": ["authcore finger list", "authcore finger list --on-reader"],
    "finger rename": ["authcore finger rename right-index thumb"],
    "finger remove": ["authcore finger remove right-index"],
    "finger clear-reader": ["authcore finger clear-reader"],
    "finger test": ["authcore finger test"],
    "lock": ["authcore lock"],
    "unlock": ["authcore unlock"],
    "item get": ["authcore item get mail ann", "authcore item get --all --json --label Mail"],
    "item share": ["authcore item share backup --with /usr/bin/restic"],
    "driver list": ["authcore driver list"],
    "item find": ["authcore item find mail", "authcore item find --server imap.example.org"],
    "item list": ["authcore item list", "authcore item list --class internet --json"],
    "item update": [
      "authcore item update mail ann --set-label Post",
      "printf %s \"$TOKEN\" | authcore item update mail ann --secret",
    ],
    "item remove": ["authcore item remove mail ann"],
    "key list": ["authcore key list"],
    "key identities": ["authcore key identities"],
    "key public": ["authcore key public deploy --format ssh"],
    "key sign": ["authcore key sign deploy < release.tar > release.tar.sig"],
    "key encrypt": ["authcore key encrypt deploy < notes.txt > notes.enc"],
    "key decrypt": ["authcore key decrypt deploy < notes.enc"],
    "key remove": ["authcore key remove deploy"],
    "keychain check": ["authcore keychain check"],
    "keychain repair": ["authcore keychain repair"],
    "backup inspect": ["authcore backup inspect keychain.backup"],
    "export": ["authcore export passwords.csv"],
    "root-key migrate": ["authcore root-key migrate --to tpm"],
    "driver info": ["authcore driver info replay"],
    "driver check": ["authcore driver check ./libauthcore-driver-mine.so"],
    "driver new": ["authcore driver new mine --language swift"],
    "driver udev-rules": [
      "authcore driver udev-rules | sudo tee /etc/udev/rules.d/70-authcore.rules"
    ],
    "sensor watch": ["authcore sensor watch"],
    "sensor capture": ["authcore sensor capture finger.png"],
    "sensor record": ["authcore sensor record touches.tape"],
    "ssh setup": ["authcore ssh setup", "authcore ssh setup --key work --yes"],
    "pam enable": ["sudo authcore pam enable sudo"],
    "pam disable": ["sudo authcore pam disable sudo"],
    "sdk install": ["authcore sdk install ~/sdk && swift build --toolset ~/sdk/toolset.json"],
    "serve": ["authcore serve --home /tmp/state"],
    "quit": ["authcore quit"],
  ]
}
