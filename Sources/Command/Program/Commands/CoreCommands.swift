import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import Protocol

struct StatusCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "status", "Show the sensor, the engines, and whether the device is locked.")

  @Flag(help: "Show the paths of driver and engines too.")
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
    "doctor", "Find out what is wrong, and how to fix it.",
    discussion: """
      Each finding says what to do. The exit code is 0 whatever it finds. With --driver, it also \
      opens that driver's device.
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
    "serve", "Run the core of this state folder in the foreground.",
    discussion: """
      It writes its log to standard error, until Ctrl-C or authcore quit.
      """)

  @Option(
    help: ArgumentHelp(
      """
      Lock after this long without a match or a correct passcode (1…604800), whatever is set.
      """,
      valueName: "seconds"))
  var lockAfter: UInt32?

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) {
    guard lockAfter.map({ 1...604_800 ~= $0 }) ?? true else {
      throw .usage("--lock-after is between 1 and 604800 seconds")
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
    "quit", "End the core of this state folder.",
    discussion: """
      Returns when the core and its hosts have ended. The next command starts a new core, which is \
      locked.
      """)

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let prints = try invocation.chosenDriver().prints
    let didRun = try invocation.access(prints: prints).quit()
    invocation.output.result(.object([:]), [didRun ? "The core has ended." : "No core runs."])
  }
}

struct MigrateCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "migrate", "Move the keychain of your state folder into this machine's service.",
    discussion: """
      Fingers, passcode, items and keys move too. You must have nothing in the service yet, and \
      the root key must be in a file. Move one out of the TPM first: authcore root-key migrate \
      --to file. The folder is renamed and kept. With --remove, it is removed once the service has \
      shown that it can use what it was given.

          authcore migrate
      """)

  @Flag(help: "Remove the folder afterwards.")
  var remove = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let environment = invocation.environment
    guard let socket = environment.service.presentSocket else {
      throw Failure(
        .coreFailed, "This machine has no service to move into",
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
        + (kept.map { ["The old folder is \($0.printable)"] } ?? []))
  }
}

struct RootKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "root-key", "Move the secret of this device into the TPM, or out of it.",
    subcommands: [RootKeyMigrateCommand.self])
}

private struct RootKeyMigrateCommand: ClientCommand {
  /// What `--to` takes.
  enum Place: String, ExpressibleByArgument, CaseIterable {
    case tpm, file

    var place: RootKeyPlace { self == .tpm ? .tpm : .file }
  }

  static let configuration = CommandConfiguration(
    "migrate", "Move the root key into the TPM, or out of it into a file.",
    discussion: """
      Fingers, items and keys stay usable. The passcode is asked for if one is set. An old copy of \
      the state folder cannot open anything that is stored later.
      """)

  @Option(help: "Where to: tpm or file. Without it: to the other one.")
  var to: Place?

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let reply: RootKeyMigrated = try invocation.openSession().request(
      MigrateRootKey(to: to?.place, options: invocation.promptOptions()))
    let place = reply.place == .tpm ? "in the TPM" : "in a file"
    invocation.output.result(
      .object(["rootKey": .string(reply.place.name), "moved": .bool(reply.didMove)]),
      ["The root key is \(place)\(reply.didMove ? "" : " already")."])
  }
}
