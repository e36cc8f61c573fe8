import ArgumentParser
import CoreClient
import Protocol

struct KeyCreateCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make a key. Its private half is made in the enclave and stays there.",
    discussion: """
      --access says what signing and decrypting ask for, as for items; without it they ask for \
      nothing while the key's class is open.

          authcore key create deploy --access presence
      """)

  @OptionGroup var key: KeyName

  @Option(
    help: ArgumentHelp(
      "When it can be reached: " + Self.classes.joined(separator: ", ") + ".", valueName: "class"),
    completion: .list(Self.classes))
  var accessible = Accessibility.whenUnlockedThisDeviceOnly.name

  @Option(
    help: ArgumentHelp("What has to be proved to sign or decrypt.", valueName: "constraints"))
  var access: String?

  @Option(
    help: ArgumentHelp(
      "What programs find it by (kSecAttrApplicationTag); need not be its own.", valueName: "text"))
  var tag: String?

  @Flag(help: "With --access: refuse a finger that matches at a relaxed rate only.")
  var strictMatch = false

  @OptionGroup var appPassword: AppPasswordOptions
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  private static let classes = Accessibility.allCases.filter(\.isThisDeviceOnly).map(\.name)

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    var request = CreateKey(
      name: try key.checked(), accessibility: try accessibility(), accessControl: try control())
    request.applicationTag = try ItemSelection.checked(tag, "--tag").map { Array($0.utf8) } ?? []
    request.group = key.group ?? ""
    let reply: KeyCreated = try invocation.seal(
      request, under: request.accessControl, that: access, appPassword.given(invocation))
    invocation.output.result(
      .object(["key": reply.key.json]),
      ["Created the key \(reply.key.name.printable)."])
    return .done
  }

  private func accessibility() throws(Failure) -> Accessibility {
    let hint = "The classes of keys: " + Self.classes.joined(separator: ", ")
    guard let found = Accessibility(name: accessible) else {
      throw Failure(
        .usage, "There is no accessibility class \u{201C}\(accessible)\u{201D}", hint: hint)
    }
    guard found.isThisDeviceOnly else {
      throw Failure(
        .usage, "A key never leaves this device, and \(accessible) is for what may", hint: hint)
    }
    return found
  }

  private func control() throws(Failure) -> AccessControl? {
    guard let access else {
      guard !strictMatch else {
        throw Failure(
          .usage, "--strict-match without --access guards nothing",
          hint: "Say what uses of the key ask for, such as: --access biometry-any")
      }
      return nil
    }
    return try ItemText.accessControl(access, isStrict: strictMatch)
  }
}
