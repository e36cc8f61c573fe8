import ArgumentParser
import CoreClient
import LinuxSystem
import Protocol

struct MigrateCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Move the keychain of your state folder into the service of this machine.",
    discussion:
      """
      Fingers, passcode, items and keys go along. It needs a user who has nothing in the service yet, \
      and a root key in a file: one in the TPM is moved out of it first (authcore root-key migrate --to \
      file). The folder stays, renamed, until it is removed; with --remove it is removed when the \
      service has shown that it can use what it was given.

          authcore migrate
      """
  )

  @Flag(help: "Remove the folder afterwards.")
  var remove = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let environment = invocation.environment
    guard let socket = environment.service.presentSocket else {
      throw Failure(
        .coreFailed, "There is no service on this machine to move into",
        hint: "systemctl status authcored.socket says whether it is installed")
    }
    let folder = try CoreLocation.choose(
      home: options.home, prints: .real, environment: environment, service: nil)
    let kept = try StateMigration(
      from: folder.path, program: CoreProgram.path(), socket: socket
    ).run(removing: remove)
    invocation.output.result(
      .object(["migrated": .bool(true), "kept": kept.map { .string($0) } ?? .null]),
      ["Your keychain is in the service now. Unlock it: authcore unlock"]
        + (kept.map { ["What you had is in \($0.printable)"] } ?? []))
    return .done
  }
}
