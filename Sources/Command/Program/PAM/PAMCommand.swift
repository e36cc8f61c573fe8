import ArgumentParser
import CoreClient
import Glibc
import PluginHosting
import Protocol

struct PAMCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "pam", "Let a finger or the passcode answer for sudo, login and others.",
    subcommands: [PAMEnableCommand.self, PAMDisableCommand.self])
}

/// Which service's file a command changes.
private struct PAMArguments: ParsableArguments {
  @Argument(help: "A service of PAM, which is a file in /etc/pam.d: sudo, login, polkit-1, …")
  var service: String

  /// Below which `etc/pam.d` lies; empty for this machine.
  @Option(name: .customLong("root"), help: .hidden)
  var folder = ""

  /// The file, and the folder below which it lies, without a slash at its end.
  /// - Throws: as ``PAMServiceFile``, and `errSecMissingEntitlement` unless root changes this
  ///   machine.
  func open(
    _ invocation: Invocation, for command: String
  ) throws(Failure) -> (file: PAMServiceFile, root: String) {
    var root = folder.isEmpty ? "" : invocation.environment.absolute(folder)
    while root.hasSuffix("/") { root.removeLast() }
    let file = try PAMServiceFile(service, root: root)
    guard !root.isEmpty || geteuid() == 0 else {
      throw Failure(
        .errSecMissingEntitlement, "Only root changes /etc/pam.d",
        hint: "sudo authcore pam \(command) \(service)")
    }
    return (file, root)
  }
}

private struct PAMEnableCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "enable", "Let a service ask for a touch or the passcode first.",
    discussion: """
      Adds one line to the service's file in /etc/pam.d, and keeps a copy of the file. Anybody who \
      gives neither goes on as before. Try it in another terminal before you close this one.
      """)

  @OptionGroup var arguments: PAMArguments
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let service = arguments.service
    let (file, root) = try arguments.open(invocation, for: "enable")
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
    let skipped = before.isEnabled ? [] : try before.place(for: service, reading: reading).skipped
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
          ? "The module has moved. The line in \(file.path.printable):  \(shown)"
          : "Added to \(file.path.printable):  \(shown)",
      ]
        + (variants.isEmpty
          ? [] : ["So does what reads this file: \(variants.joined(separator: ", "))"])
        + (skipped.isEmpty ? [] : ["Not run after a touch: \(skipped.joined(separator: ", "))"])
        + (hasService || !root.isEmpty
          ? [] : ["The service does not run yet: sudo systemctl enable --now authcored.socket"]) + [
          "", "Try it in another terminal before you close this one\(trial(service)).",
          "To undo:  sudo authcore pam disable \(service)",
        ]
        + (hasBackup ? ["     or:  sudo cp \(file.backup.printable) \(file.path.printable)"] : []))
  }

  private var hasService: Bool { unsafe access("/run/authcore/core.sock", F_OK) == 0 }

  private func trial(_ service: String) -> String {
    switch service {
    case "sudo", "sudo-i": ":  sudo -k; sudo true"
    case "su": ":  su -c true \"$USER\""
    default: ""
    }
  }

  private func unchanged(_ file: PAMServiceFile, _ reason: String, _ invocation: Invocation) {
    invocation.output.result(
      .object([
        "service": .string(arguments.service), "file": .string(file.path),
        "enabled": .bool(true), "changed": .bool(false),
      ]), [reason + " Nothing was changed."])
  }
}

private struct PAMDisableCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "disable", "Let a service ask as it did before.",
    discussion: """
      Removes the line that authcore pam enable added. Other changes stay, and so do lines that \
      were written by hand.
      """)

  @OptionGroup var arguments: PAMArguments
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let service = arguments.service
    let file = try arguments.open(invocation, for: "disable").file
    let after = file.configuration.disabled
    let isChanged = after != file.configuration.bytes
    if isChanged { try file.replace(with: after) }
    // A backup that differs may be the only copy of something.
    let kept = file.backedUp.map { $0 != after } ?? false
    if !kept { file.removeBackup() }
    let byHand = PAMConfiguration(after).namesModule
    var lines =
      isChanged
      ? ["\(service) asks as before: \(file.path.printable) has no line of authcore pam enable."]
      : ["Nothing was changed: there is no line of authcore pam enable in \(file.path.printable)."]
    if byHand { lines.append("A line for authcore that was written by hand stays.") }
    if kept {
      lines.append("The file was changed since then. The original is \(file.backup.printable).")
    }
    invocation.output.result(
      .object([
        "service": .string(service), "file": .string(file.path), "enabled": .bool(byHand),
        "changed": .bool(isChanged), "backup": kept ? .string(file.backup) : nil,
      ]), lines)
  }
}
