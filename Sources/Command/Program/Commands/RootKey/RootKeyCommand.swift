import ArgumentParser
import Protocol

struct RootKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "root-key", abstract: "Move the secret of this device into the TPM, or out of it.",
    subcommands: [RootKeyMigrateCommand.self])
}

struct RootKeyMigrateCommand: ClientCommand {
  /// What `--to` takes.
  enum Place: String, ExpressibleByArgument, CaseIterable {
    case tpm, file

    var place: RootKeyPlace { self == .tpm ? .tpm : .file }
  }

  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Move the root key into the TPM, or out of it into a file.",
    discussion:
      """
      Fingers, items and keys stay usable. The passcode is asked for where one is set. An old copy \
      of the state folder opens nothing that is stored from then on.
      """
  )

  @Option(help: "Where to: tpm or file. Without it: to where it is not.")
  var to: Place?

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let reply: RootKeyMigrated = try invocation.openSession().request(
      MigrateRootKey(
        to: to?.place, options: invocation.promptOptions(reason: "Move the root key")))
    let place = reply.place == .tpm ? "in the TPM" : "in a file"
    invocation.output.result(
      .object(["rootKey": .string(reply.place.name), "moved": .bool(reply.didMove)]),
      ["The root key is \(place)\(reply.didMove ? "" : " already")."])
    return .done
  }
}
