import ArgumentParser
import ClientProtocol
import Wire

/// `authcore finger enroll`
struct FingerEnrollCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll",
    abstract: "Enrol a finger, from several touches of it.",
    discussion: """
      Needs the passcode. Touch the sensor again and again, each time a little differently, until \
      enough of the finger is known. When \
      no further touch comes, what is known is kept if at least three touches could be used.
      """)

  @Option(help: ArgumentHelp("What to call it.", valueName: "name"))
  var name = ""

  @Option(
    help: ArgumentHelp(
      "Take this many touches (3…100) instead of as many as needed.", valueName: "n"))
  var touches: UInt32?

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    if let touches, !(3...100 ~= touches) {
      throw Failure(.usage, "--touches is between 3 and 100")
    }
    let reply: FingerEnrolled = try invocation.openSession().request(
      EnrollFinger(
        name: name, touches: touches ?? 0,
        options: invocation.promptOptions(reason: "Enrol a finger")))
    invocation.output.result(reply.json, [reply.sentence(invocation.output.paint)])
    return .done
  }
}
