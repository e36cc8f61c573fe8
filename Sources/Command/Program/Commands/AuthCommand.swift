import ArgumentParser
import CoreClient
import Protocol

struct AuthCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth",
    abstract: "Authenticate the owner: a finger, or the passcode.",
    discussion:
      "Exit code 0: it is the owner; 1: not; 2: it cannot be asked. Nothing is unlocked by it.")

  enum PolicyName: String, CaseIterable, ExpressibleByArgument {
    case owner
    case biometrics

    var policy: EvaluatedPolicy { self == .owner ? .owner : .biometrics }
  }

  @Option(help: "owner: a finger or the passcode. biometrics: a finger only.")
  var policy = PolicyName.owner

  @Option(
    help: ArgumentHelp(
      "What the owner is asked to permit; default on a terminal: authcore auth.",
      valueName: "text"))
  var reason: String?

  @Option(
    help: ArgumentHelp("The name of the fallback; empty: there is none.", valueName: "text"))
  var fallbackTitle: String?

  @Option(help: ArgumentHelp("The name of the way out.", valueName: "text"))
  var cancelTitle: String?

  @Option(
    help: ArgumentHelp(
      "Accept an unlock by touch that is at most this long ago (0…300).", valueName: "seconds"))
  var reuse: UInt32 = 0

  @Flag(help: "Only say whether it could be asked.")
  var can = false

  @Flag(help: "Say nothing but prompts and errors.")
  var quiet = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let output = invocation.output
    output.isQuiet = quiet
    if can { return try ask(invocation) }
    guard reuse <= longestReuse else {
      throw Failure(.usage, "--reuse is between 0 and \(longestReuse) seconds")
    }
    let reason = self.reason ?? (invocation.hasTerminal ? "authcore auth" : "")
    try GivenReason.check(reason)
    let reply: Evaluated = try invocation.openSession().request(
      Evaluate(
        policy: policy.policy, reuseSeconds: reuse,
        options: invocation.promptOptions(
          reason: reason, fallbackTitle: fallbackTitle, cancelTitle: cancelTitle)))
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
    commandName: "lock",
    abstract: "Lock the device: its items are out of reach until it is unlocked.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let _: Done = try invocation.openSession().ask(LockDevice())
    invocation.output.result(.object(["locked": .bool(true)]), ["Locked."])
  }
}

struct UnlockCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlock the device with the passcode, or with a finger where it may.",
    discussion: "A passcode that is given is used at once, and verified on an unlocked device too.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let reply: Evaluated = try invocation.openSession().request(
      UnlockDevice(
        options: invocation.promptOptions(usesPasscodeAtOnce: true)))
    let paint = invocation.output.paint
    invocation.output.result(
      reply.json(["unlocked": .bool(true)]),
      [reply.evidence == .nothing ? "It is unlocked already." : reply.sentence(paint)])
  }
}
