import ArgumentParser
import CoreClient
import Protocol

struct KeychainFileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "keychain", "Check the keychain's file, and repair it.",
    subcommands: [KeychainCheckCommand.self, KeychainRepairCommand.self])
}

private struct KeychainCheckCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "check", "Check the keychain's file and everything in it.",
    discussion: """
      Changes nothing and asks for nothing. What is locked is counted, but not checked. Exits with \
      5 if something is damaged.
      """)

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let reply: KeychainChecked = try invocation.openSession().ask(CheckKeychain())
    let findings = reply.findings
    invocation.output.result(KeychainText.json(findings), KeychainText.lines(ofChecking: findings))
    if findings.isDamaged { invocation.result = .foundFaults }
  }
}

private struct KeychainRepairCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "repair", "Put what can be read of a damaged keychain into a new file.",
    discussion: """
      The damaged file is kept beside it. Unlock the device first: what is locked is taken over \
      without a check. If nothing is damaged, nothing is done. If the file is gone, an empty \
      keychain is begun once you say so.
      """)

  @Flag(help: "Begin an empty keychain in place of one that is gone, without asking.")
  var yes = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let session = try invocation.openSession()
    var beginsAnew = yes
    if !yes {
      let checked: KeychainChecked = try session.ask(CheckKeychain())
      if checked.findings.isGone {
        try confirm(checked.findings, invocation)
        beginsAnew = true
      }
    }
    let reply: KeychainRepaired = try session.ask(RepairKeychain(beginsAnew: beginsAnew))
    invocation.output.result(KeychainText.json(reply), KeychainText.lines(ofRepairing: reply))
  }
}

extension KeychainRepairCommand {
  /// Asks whether to give up a keychain that is gone.
  private func confirm(
    _ findings: KeychainFindings, _ invocation: Invocation
  ) throws(Failure) {
    let lost = findings.problems.joined(separator: "; ").printable
    try invocation.confirm(
      "\(lost). Nothing of it can be recovered here. If you have a copy, put it back instead.",
      typing: "begin",
      otherwise: Failure(
        .stateDamaged, lost,
        hint: "Put it back from a copy, or begin an empty keychain: authcore keychain repair --yes")
    )
  }
}

private enum KeychainText {
  static func lines(ofChecking findings: KeychainFindings) -> [String] {
    var lines = findings.problems.map { "The file: \($0.printable)." }
    lines += damaged(findings)
    if findings.isGone {
      return lines + [
        "Put it back from a copy. authcore keychain repair begins an empty keychain instead."
      ]
    }
    if findings.needsRepair {
      lines.append("A repair keeps \(entries(findings)) and loses \(lost(findings)).")
      lines.append("authcore keychain repair mends the file and keeps the damaged one.")
    } else {
      lines.append("The file is whole: \(entries(findings)).")
    }
    return lines + unopened(findings)
  }

  static func lines(ofRepairing reply: KeychainRepaired) -> [String] {
    let findings = reply.findings
    if findings.isGone {
      return ["An empty keychain was begun."]
        + (reply.setAside.map { ["What lay in its place was kept as \($0.printable)."] } ?? [])
    }
    guard let path = reply.setAside else {
      return damaged(findings) + ["The file is whole, and nothing was done."]
    }
    return damaged(findings) + [
      "Recovered: \(entries(findings)). Lost: \(lost(findings)).",
      "The damaged file was kept as \(path.printable).",
    ] + unopened(findings)
  }

  private static func damaged(_ findings: KeychainFindings) -> [String] {
    var lines = findings.damaged.map { entry in
      let name = entry.name.isEmpty ? entry.identifier : entry.name.printable
      return entry.isKey
        ? "The key \(name) is damaged: remove it and make another."
        : "The secret of \(name) is damaged: give it a new one, or remove it."
    }
    let more = findings.damagedCount - UInt32(findings.damaged.count)
    if more > 0 { lines.append("\(more) more are damaged too.") }
    return lines
  }

  private static func unopened(_ findings: KeychainFindings) -> [String] {
    guard findings.unopened > 0 else { return [] }
    return [
      """
      \(findings.unopened) of them cannot be opened at the moment and \
      \(findings.unopened == 1 ? "was" : "were") not checked. Unlock the device and check again.
      """
    ]
  }

  private static func entries(_ findings: KeychainFindings) -> String {
    let items = ItemText.count(findings.items)
    guard findings.keys > 0 else { return items }
    return items + " and " + ItemText.count(findings.keys, "key")
  }

  private static func lost(_ findings: KeychainFindings) -> String {
    switch (findings.lost, findings.mayHaveLostMore) {
    case (0, false): "nothing"
    case (0, true): "anything that was on unreadable pages"
    case (let count, false): "\(count)"
    case (let count, true): "\(count), or more"
    }
  }

  static func json(_ findings: KeychainFindings) -> JSONValue {
    .object([
      "damaged": .bool(findings.isDamaged), "needsRepair": .bool(findings.needsRepair),
      "problems": .array(findings.problems.map(JSONValue.string)),
      "items": .count(findings.items), "keys": .count(findings.keys),
      "unopened": .count(findings.unopened), "lost": .count(findings.lost),
      "mayHaveLostMore": .bool(findings.mayHaveLostMore),
      "damagedCount": .count(findings.damagedCount),
      "damagedEntries": .array(
        findings.damaged.map { entry in
          .object([
            "id": .string(entry.identifier), "name": .string(entry.name),
            "kind": .string(entry.isKey ? "key" : "item"),
          ])
        }),
    ])
  }

  static func json(_ reply: KeychainRepaired) -> JSONValue {
    .object([
      "repaired": .bool(reply.setAside != nil || reply.findings.isGone),
      "setAside": reply.setAside.map(JSONValue.string), "findings": json(reply.findings),
    ])
  }
}
