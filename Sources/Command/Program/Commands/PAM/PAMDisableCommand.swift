import ArgumentParser
import CoreClient
import Protocol

struct PAMDisableCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Have a service ask as it did before.",
    discussion: """
      Takes away the line that authcore pam enable added; whatever else was changed since stays. Lines that were \
      written by hand stay, too.
      """)

  @OptionGroup var arguments: PAMArguments
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let (service, root) = (arguments.service, arguments.root(invocation))
    let file = try PAMServiceFile(service, root: root)
    try PAMRights.check(root: root, "authcore pam disable \(service)")
    let after = file.configuration.disabled
    let isChanged = after != file.configuration.bytes
    if isChanged { try file.replace(with: after) }
    // A backup of something else is somebody's only copy of it.
    let kept = file.backedUp.map { $0 != after } ?? false
    if !kept { file.removeBackup() }
    let byHand = PAMConfiguration(after).namesModule
    var lines =
      isChanged
      ? ["\(service) asks as before: \(file.path.printable) has no line of authcore pam enable."]
      : ["Nothing was changed: there is no line of authcore pam enable in \(file.path.printable)."]
    if byHand { lines.append("A line for authcore that was written by hand is there, and stays.") }
    if kept {
      lines.append("It was changed since then; as it was is in \(file.backup.printable).")
    }
    invocation.output.result(
      .object([
        "service": .string(service), "file": .string(file.path), "enabled": .bool(byHand),
        "changed": .bool(isChanged), "backup": kept ? .string(file.backup) : nil,
      ]), lines)
    return .done
  }
}
