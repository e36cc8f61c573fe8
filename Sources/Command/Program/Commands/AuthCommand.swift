import ArgumentParser
import CoreClient
import Protocol

struct AuthCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "auth", "Authenticate the owner with a finger or the passcode.",
    discussion: """
      Exits with 0 if it is the owner, with 1 if not, and with 2 if the owner cannot be asked. It \
      unlocks nothing.
      """)

  enum PolicyName: String, CaseIterable, ExpressibleByArgument {
    case owner
    case biometrics

    var policy: EvaluatedPolicy { self == .owner ? .owner : .biometrics }
  }

  @Option(help: "owner: a finger or the passcode. biometrics: a finger only.")
  var policy = PolicyName.owner

  @OptionGroup var reason: ReasonOption

  @Option(
    help: ArgumentHelp(
      "The name of the fallback. If it is empty, there is no fallback.", valueName: "text"))
  var fallbackTitle: String?

  @Option(help: ArgumentHelp("The name of the button that cancels.", valueName: "text"))
  var cancelTitle: String?

  @Option(
    help: ArgumentHelp(
      "Accept an unlock by touch that is at most this long ago (0…300). Opens nothing.",
      valueName: "seconds"))
  var reuse: UInt32 = 0

  @Flag(help: "Only say whether the owner can be asked.")
  var can = false

  @Flag(help: "Print only prompts and errors.")
  var quiet = false

  @OptionGroup var log: LogOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let output = invocation.output
    output.isQuiet = quiet
    if can { return try ask(invocation) }
    guard reuse <= longestReuse else {
      throw .usage("--reuse is between 0 and \(longestReuse) seconds")
    }
    let text = reason.text ?? (invocation.hasTerminal ? "authcore auth" : "")
    guard text.hasVisibleCharacters else { throw ReasonOption.missing }
    let reply: Evaluated = try invocation.openSession(showsLog: log.log).request(
      Evaluate(
        policy: policy.policy, reuseSeconds: reuse,
        options: invocation.promptOptions(
          reason: text, fallbackTitle: fallbackTitle, cancelTitle: cancelTitle)))
    output.result(reply.json(["authenticated": .bool(true)]), [reply.sentence(output.paint)])
  }

  private func ask(_ invocation: Invocation) throws(Failure) {
    let session = try invocation.openSession()
    let _: Done = try session.request(CanEvaluate(policy: policy.policy))
    // The passcode alone may be enough.
    let status = try session.status()
    invocation.output.result(
      .object(["can": .bool(true), "biometryType": status.sensor == nil ? "none" : "touchID"]),
      ["The owner can be asked (\(policy.rawValue))."])
  }
}

struct LockCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "lock", "Lock the device. Its items are out of reach until it is unlocked.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let _: Done = try invocation.openSession().ask(LockDevice())
    invocation.output.result(.object(["locked": .bool(true)]), ["Locked."])
  }
}

struct UnlockCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "unlock", "Unlock the device with the passcode, or with a finger if that is allowed.",
    discussion: """
      A given passcode is used at once. It is checked even if the device is unlocked.
      """)

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let reply: Evaluated = try invocation.openSession().request(
      UnlockDevice(options: invocation.promptOptions(usesPasscodeAtOnce: true)))
    let paint = invocation.output.paint
    invocation.output.result(
      reply.json(["unlocked": .bool(true)]),
      [reply.evidence == .nothing ? "It is unlocked already." : reply.sentence(paint)])
  }
}
