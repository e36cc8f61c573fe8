import ArgumentParser
import CoreClient
import Glibc
import PluginHosting
import Protocol

struct PAMEnableCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Have a service ask for a touch or the passcode first.",
    discussion: """
      Adds one line to the service's file in /etc/pam.d and keeps a copy of what it was. Whoever gives neither goes on \
      as before. Try it in another terminal before you close the one you have.
      """)

  @OptionGroup var arguments: PAMArguments
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let (service, root) = (arguments.service, arguments.root(invocation))
    let file = try PAMServiceFile(service, root: root)
    try PAMRights.check(root: root, "authcore pam enable \(service)")
    let before = file.configuration
    let folders = PAMFolders(root: root)
    let reading: PAMConfiguration.Reading = { folders.file($0)?.configuration }
    let other = before.namesModule ? file.path : folders.placeOfModule(readBy: before)
    if !before.isEnabled, let other {
      return unchanged(file, "\(other.printable) asks authcore already.", invocation)
    }
    let readers = PAMReaders(folders)
    if !before.isEnabled { try readers.checkAlone(service) }
    let variants = readers.variants(of: service)
    let name = try InstalledPAMModule.name(root: root, .current(isService: false))
    let after = try before.enabled(name, of: service, reading: reading)
    guard after != before.bytes else {
      return unchanged(file, "\(service) asks authcore already.", invocation)
    }
    let line = PAMConfiguration(after).line ?? PAMConfiguration.line(name)
    let skipped =
      before.isEnabled ? [] : try before.place(for: service, reading: reading).skipped
    if !before.isEnabled { try file.keepBackup() }
    try file.replace(with: after)
    let shown = line.replacing("\t", with: " ").printable
    let hasBackup = file.backedUp != nil
    invocation.output.result(
      .object([
        "service": .string(service), "file": .string(file.path), "enabled": .bool(true),
        "changed": .bool(true), "line": .string(line),
        "backup": hasBackup ? .string(file.backup) : nil,
        "skipped": .array(skipped.map { .string($0) }),
        "readBy": .array(variants.map { .string($0) }),
      ]),
      [
        "\(service) asks for a touch or authcore's passcode first, then as before.",
        before.isEnabled
          ? "The module lies elsewhere; in \(file.path.printable) stands:  \(shown)"
          : "Added to \(file.path.printable):  \(shown)",
      ]
        + (variants.isEmpty
          ? [] : ["So does what reads this file: \(variants.joined(separator: ", "))"])
        + (skipped.isEmpty ? [] : ["Not run after a touch: \(skipped.joined(separator: ", "))"])
        + (hasService || !root.isEmpty
          ? [] : ["The service does not run yet: sudo systemctl enable --now authcored.socket"]) + [
          "", "Try it in another terminal before you close this one\(trial(service)).",
          "The way back:  sudo authcore pam disable \(service)",
        ]
        + (hasBackup
          ? ["         or:  sudo cp \(file.backup.printable) \(file.path.printable)"] : []))
    return .done
  }

  private var hasService: Bool { unsafe access("/run/authcore/core.sock", F_OK) == 0 }

  private func trial(_ service: String) -> String {
    switch service {
    case "sudo", "sudo-i": ":  sudo -k; sudo true"
    case "su": ":  su -c true \"$USER\""
    default: ""
    }
  }

  private func unchanged(
    _ file: PAMServiceFile, _ reason: String, _ invocation: Invocation
  ) -> CommandEnd {
    invocation.output.result(
      .object([
        "service": .string(arguments.service), "file": .string(file.path),
        "enabled": .bool(true), "changed": .bool(false),
      ]), [reason + " Nothing was changed."])
    return .done
  }
}

/// Who may change what the machine asks people for.
enum PAMRights {
  /// - Throws: `errSecMissingEntitlement` for anybody but root, where it is about this machine.
  static func check(root: String, _ command: String) throws(Failure) {
    guard root.isEmpty, geteuid() != 0 else { return }
    throw Failure(
      .errSecMissingEntitlement, "Only root changes /etc/pam.d", hint: "sudo \(command)")
  }
}
