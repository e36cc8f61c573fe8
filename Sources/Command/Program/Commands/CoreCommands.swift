import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import Protocol

struct StatusCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the sensor, the engines, and whether the device is locked.")

  @Flag(help: "Show the paths of driver and engines, too.")
  var verbose = false

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .imagined }

  func run(_ invocation: Invocation) throws(Failure) {
    let status = try invocation.openSession().status()
    invocation.output.result(
      status.json, StatusText.lines(status, paths: verbose, invocation.output.paint))
  }
}

struct DoctorCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find out why it does not work, and the command that mends it.",
    discussion: """
      Exit code 0 whatever it finds; each finding says what to do. With --driver it also opens that driver's device.
      """)

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .imagined }

  func run(_ invocation: Invocation) throws(Failure) {
    let findings = Examination(invocation).findings()
    let output = invocation.output
    output.result(FindingText.json(findings), FindingText.lines(findings, output.paint))
  }
}

struct ServeCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the core of this state folder in the foreground.",
    discussion: "It says what it does on standard error, until Ctrl-C or authcore quit.")

  @Option(
    help: ArgumentHelp(
      "Lock after so long without a match or a correct passcode (1…604800), whatever is set.",
      valueName: "seconds"))
  var lockAfter: UInt32?

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) {
    guard lockAfter.map({ 1...604_800 ~= $0 }) ?? true else {
      throw Failure(.usage, "--lock-after is between 1 and 604800 seconds")
    }
    let location = try CoreLocation.choose(
      home: options.home, prints: try invocation.chosenDriver().prints,
      environment: invocation.environment, service: nil)
    _ = try invocation.settleStateFolder(of: location)
    throw CoreProgram.become(home: location.path, lockAfterSeconds: lockAfter)
  }
}

struct QuitCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit",
    abstract: "End the core of this state folder.",
    discussion:
      """
      Returns when the core and its hosts are gone. The next command starts a new one, which is \
      locked.
      """
  )

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let prints = try invocation.chosenDriver().prints
    let didRun = try invocation.access(prints: prints).quit()
    invocation.output.result(.object([:]), [didRun ? "The core has ended." : "No core runs."])
  }
}

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

  func run(_ invocation: Invocation) throws(Failure) {
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
  }
}

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

  func run(_ invocation: Invocation) throws(Failure) {
    let reply: RootKeyMigrated = try invocation.openSession().request(
      MigrateRootKey(
        to: to?.place, options: invocation.promptOptions()))
    let place = reply.place == .tpm ? "in the TPM" : "in a file"
    invocation.output.result(
      .object(["rootKey": .string(reply.place.name), "moved": .bool(reply.didMove)]),
      ["The root key is \(place)\(reply.didMove ? "" : " already")."])
  }
}
