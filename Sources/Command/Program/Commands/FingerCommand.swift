import ArgumentParser
import CoreClient
import Protocol

struct FingerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "finger", "Enroll, list, rename, remove or test fingers.",
    subcommands: [
      FingerEnrollCommand.self, FingerListCommand.self, FingerRenameCommand.self,
      FingerRemoveCommand.self, FingerTestCommand.self, FingerClearReaderCommand.self,
    ])
}

private struct FingerListCommand: ClientCommand {
  static let configuration = CommandConfiguration("list", "List the enrolled fingers.")

  @Flag(
    help: ArgumentHelp(
      "Count the templates that the reader's chip holds.",
      discussion: "Only a reader that matches on the chip holds any. No name is shown."))
  var onReader = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    guard !onReader else {
      let reply: ReaderReport = try invocation.openSession().request(
        WorkOnReader(work: .list, options: invocation.promptOptions()))
      return invocation.output.result(reply.contents.json, [reply.contents.sentence])
    }
    let reply: FingerList = try invocation.openSession().ask(ListFingers())
    invocation.output.result(
      .object(["fingers": .array(reply.fingers.map(\.json))]),
      FingerText.table(reply.fingers, invocation.output.paint))
  }
}

private struct FingerEnrollCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "enroll", "Enroll a finger from several touches.",
    discussion: """
      Needs the passcode. Touch the reader again and again, a little differently each time, until \
      enough of the finger is known. If no further touch comes, the finger is kept if at least \
      three touches could be used.

      Another finger closes for good what biometry-current guards. The command lists that, and \
      asks.

      On a reader that matches on the chip, the computer has to believe the reader. The command \
      says what that means, and asks.
      """)

  @Option(help: ArgumentHelp("The finger's name.", valueName: "name"))
  var name = ""

  @Option(
    help: ArgumentHelp(
      "Take this many touches (3…100) instead of as many as needed.", valueName: "n"))
  var touches: UInt32?

  @Flag(
    help: ArgumentHelp(
      "Accept touches of this finger more readily on a small sensor.",
      discussion: """
        On a sensor of up to 45 mm² (132 by 132 pixels at 500 per inch), five touches by a \
        stranger may then be accepted once in 10,000 times, over all fingers. Items added with \
        --strict-match refuse such a touch. On a larger sensor nothing changes.
        """))
  var relaxed = false

  @Flag(
    help: ArgumentHelp(
      "Let a finger on a chip open items and keys that ask for a finger.",
      discussion: """
        Without this it unlocks, and opens what the passcode opens too. A finger on a reader that \
        delivers images opens them anyhow.
        """))
  var opensItems = false

  @OptionGroup var asking: YesOption
  @OptionGroup var log: LogOption
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) {
    if let touches, !(3...100 ~= touches) {
      throw .usage("--touches is between 3 and 100")
    }
    let name = try FingerName.checked(name)
    let session = try invocation.openSession(showsLog: log.log)
    if !asking.yes { try session.confirmChangeOfFingers("enroll", invocation) }
    let consent = try session.consent(
      opensItems: opensItems, acceptsAll: asking.yes, invocation)
    let reply: EnrolledFinger = try session.request(
      EnrollFinger(
        name: name, touches: touches ?? 0, isRelaxed: relaxed, consent: consent,
        options: invocation.promptOptions()))
    invocation.output.result(
      reply.json, [reply.sentence(invocation.output.paint)] + rateRemark(reply.finger))
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

private struct FingerRenameCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "rename", "Give a finger another name.",
    discussion: """
      Needs an unlocked device, and a touch or the passcode.
      """)

  @Argument(help: "The finger's name or identifier.", completion: .fingers)
  var finger: String

  @Argument(help: "The new name.")
  var name: String

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    guard !name.isEmpty else { throw .usage("The new name is empty") }
    let request = RenameFinger(
      finger: try FingerName.checked(finger), name: try FingerName.checked(name))
    let _: Done = try invocation.openSession().ask(
      request,
      invocation.promptOptions(reason: "Rename the finger \(request.finger) to \(request.name)"))
    invocation.output.result(.object([:]), ["\(finger.printable) is called \(name.printable)."])
  }
}

private struct FingerRemoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove a finger.",
    discussion: """
      Needs the passcode. It closes for good what biometry-current guards. The command lists that, \
      and asks.
      """)

  @Argument(help: "The finger's name or identifier.", completion: .fingers)
  var finger: String

  @OptionGroup var asking: YesOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let finger = try FingerName.checked(finger)
    let session = try invocation.openSession()
    if !asking.yes { try session.confirmChangeOfFingers("remove", invocation) }
    let list: FingerList = try session.ask(ListFingers())
    let removed = list.fingers.first { $0.identifier == finger || $0.name == finger }
    let _: Done = try session.ask(
      RemoveFinger(finger: finger), invocation.promptOptions(reason: "Remove the finger \(finger)"))
    if let removed, removed.kind != .image { tidy(session, invocation) }
    invocation.output.result(.object([:]), ["\(finger.printable) is removed."])
  }
}

extension FingerRemoveCommand {
  /// Removes the finger's template on the chip, if the reader is there. Otherwise that is done with
  /// the next enrollment there; the template matches nothing until then.
  fileprivate func tidy(_ session: CoreSession, _ invocation: Invocation) {
    do throws(Failure) {
      let _: ReaderReport = try session.request(
        WorkOnReader(work: .tidy, options: invocation.promptOptions()))
    } catch {
      invocation.output.note(
        "The reader still holds its template, which matches nothing: \(error.message.printable)")
    }
  }
}

private struct FingerClearReaderCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "clear-reader", "Remove all templates from the reader's chip.",
    discussion: """
      Needs the passcode. It removes your fingers on this reader, and the templates of other systems
      and users. In the service only root removes those of others.
      """)

  @OptionGroup var asking: YesOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let session = try invocation.openSession()
    let found: ReaderReport = try session.request(
      WorkOnReader(work: .list, options: invocation.promptOptions()))
    guard found.contents.count > 0 else {
      return invocation.output.result(found.contents.json, ["The reader holds no templates."])
    }
    if !asking.yes {
      try session.confirmChangeOfFingers("clear", invocation)
      try invocation.confirm(
        "This removes all templates from the reader. \(found.contents.sentence)", typing: "clear",
        otherwise: Failure(
          .usage, "This removes all templates from the reader. \(found.contents.sentence)",
          hint: "add --yes to do it without asking"))
    }
    let reply: ReaderReport = try session.request(
      WorkOnReader(
        work: .clear,
        options: invocation.promptOptions(reason: "Remove all templates of the reader")))
    invocation.output.result(reply.contents.json, [reply.contents.sentence])
  }
}

private struct FingerTestCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "test", "Compare one touch with the enrolled fingers.",
    discussion: """
      It counts as an attempt and releases nothing. Exits with 0 on a match, and with 1 without.
      """)

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let reply = try invocation.openSession().test(invocation.promptOptions())
    invocation.output.result(reply.json, [reply.sentence(invocation.output.paint)])
    if !reply.isMatch { invocation.result = .noMatch }
  }
}

private enum FingerName {
  /// Checks the length of a finger's name.
  /// - Throws: `usage`, naming the limit.
  static func checked(_ name: String) throws(Failure) -> String {
    guard name.count <= Finger.mostNameCharacters, name.utf8.count <= Finger.longestName else {
      throw .usage(
        """
        The name of a finger has at most \(Finger.mostNameCharacters) characters, and \
        \(Finger.longestName) bytes
        """)
    }
    return name
  }
}
