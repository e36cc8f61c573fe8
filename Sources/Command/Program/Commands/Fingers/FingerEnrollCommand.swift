import ArgumentParser
import Protocol

/// `authcore finger enroll`
struct FingerEnrollCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll",
    abstract: "Enroll a finger, from several touches of it.",
    discussion: """
      Needs the passcode. Touch the reader again and again, each time a little differently, until \
      enough of the finger is known. When \
      no further touch comes, what is known is kept if at least three touches could be used.
      """)

  @Option(help: ArgumentHelp("What to call it.", valueName: "name"))
  var name = ""

  @Option(
    help: ArgumentHelp(
      "Take this many touches (3…100) instead of as many as needed.", valueName: "n"))
  var touches: UInt32?

  @Flag(
    help: ArgumentHelp(
      "Accept touches of this finger more readily, on a small sensor.",
      discussion: """
        With a sensor of up to 45 mm² (132 by 132 pixels at 500 per inch), five touches by a \
        stranger may then be accepted once in 10,000 times, over all fingers. Items added with \
        --strict-match refuse such a touch. With a larger sensor nothing is relaxed.
        """))
  var relaxed = false

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    if let touches, !(3...100 ~= touches) {
      throw Failure(.usage, "--touches is between 3 and 100")
    }
    let name = try FingerName.checked(name)
    let reply: EnrolledFinger = try invocation.openSession().request(
      EnrollFinger(
        name: name, touches: touches ?? 0, isRelaxed: relaxed,
        options: invocation.promptOptions()))
    invocation.output.result(
      reply.json, [reply.sentence(invocation.output.paint)] + rateRemark(reply.finger))
    return .done
  }

  private func rateRemark(_ finger: Finger) -> [String] {
    guard relaxed else { return [] }
    return [
      finger.isRelaxed
        ? "Its touches are accepted at the relaxed rate."
        : "This sensor is large enough: its touches are held to the strict rate all the same."
    ]
  }
}
