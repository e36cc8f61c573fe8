import ArgumentParser
import CoreClient
import Protocol

struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "key", "P-256 keys that never leave the enclave: sign, decrypt, and show the public half.",
    subcommands: [
      KeyCreateCommand.self, KeyListCommand.self, KeyIdentitiesCommand.self, KeyPublicCommand.self,
      KeySignCommand.self,
      KeyEncryptCommand.self, KeyDecryptCommand.self, KeyRemoveCommand.self,
    ])
}

/// The key that a command means.
struct KeyName: ParsableArguments {
  @Argument(help: "The key's name.", completion: .keys)
  var name: String

  @Option(help: ArgumentHelp("The access group it belongs to.", valueName: "name"))
  var group: String?

  func query() throws(Failure) -> KeyQuery {
    var query = KeyQuery(name: try checked())
    query.group = group
    return query
  }

  /// The name, if it is a valid one.
  func checked() throws(Failure) -> String {
    guard !name.isEmpty else {
      throw .usage("The name of the key is empty", hint: "authcore key list shows them.")
    }
    guard name.utf8.count <= AttributeValue.longestText else {
      throw .usage("The name of the key is longer than \(AttributeValue.longestText) bytes")
    }
    return name
  }
}

/// How a command uses a private key.
struct KeyUseOptions: ParsableArguments {
  @OptionGroup var reason: ReasonOption
  @OptionGroup var appPassword: SecretOptions<AppPassword>

  /// The use of a key that the options describe.
  func use(of key: KeyName, _ invocation: Invocation) throws(Failure) -> KeyUse {
    let query = try key.query()
    try reason.check()
    let given = try appPassword.answering(invocation)
    return KeyUse(
      query: query, prompt: invocation.promptOptions(reason: reason.text ?? ""),
      appPassword: given, input: try InputFile(nil, invocation, beside: [given?.source]))
  }
}

/// One use of a private key on standard input.
struct KeyUse {
  let query: KeyQuery
  let prompt: PromptOptions
  let appPassword: GivenPasscode?
  let input: InputFile

  /// Has the enclave use the key on `input`.
  func output(
    _ operation: KeyOperation, of input: [UInt8], _ invocation: Invocation
  ) throws(Failure) -> KeyUsed {
    let session = try invocation.openSession()
    session.use(appPassword: appPassword)
    return try session.ask(UseKey(query: query, operation: operation, input: input), prompt)
  }
}

extension CoreSession {
  func key(_ query: KeyQuery) throws(Failure) -> EnclaveKey {
    let found: FoundKeys = try ask(FindKeys(query: query))
    guard let key = found.keys.first else {
      throw Failure(
        .errSecItemNotFound, "There is no such key", hint: "authcore key list shows all.")
    }
    return key
  }
}

private struct KeyCreateCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "create", "Make a key. Its private half never leaves the enclave.",
    discussion: """
      --access says what signing and decrypting ask for, as for items. Without it, they ask for \
      nothing while the key can be reached.

          authcore key create deploy --access presence
      """)

  @OptionGroup var key: KeyName

  @Option(
    help: ArgumentHelp(
      "When it can be reached: " + Self.classes.joined(separator: ", ") + ".", valueName: "class"),
    completion: .list(Self.classes))
  var accessible = Accessibility.whenUnlockedThisDeviceOnly.name

  @OptionGroup var guarding: AccessOptions

  @Option(
    help: ArgumentHelp(
      "What programs find it by (kSecAttrApplicationTag). Several keys may share a tag.",
      valueName: "text"))
  var tag: String?

  @Flag(
    help: """
      With --access: let authcore agent ssh --reuse use one proof for several signatures.
      """)
  var reusable = false

  @OptionGroup var appPassword: SecretOptions<AppPassword>
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  private static let classes = Accessibility.allCases.filter(\.isThisDeviceOnly).map(\.name)

  func run(_ invocation: Invocation) throws(Failure) {
    var request = CreateKey(
      name: try key.checked(), accessibility: try accessibility(),
      accessControl: try guarding.control(isReusable: reusable))
    request.applicationTag = try ItemSelection.checked(tag, "--tag").map { Array($0.utf8) } ?? []
    request.group = key.group ?? ""
    guard !reusable || request.accessControl != nil else {
      throw .usage("--reusable without --access: the key asks for no proof that could be reused")
    }
    let reply: KeyCreated = try invocation.seal(
      request, under: request.accessControl, that: guarding.access,
      appPassword.answering(invocation))
    invocation.output.result(
      .object(["key": reply.key.json]), ["Created the key \(reply.key.name.printable)."])
  }

  private func accessibility() throws(Failure) -> Accessibility {
    let hint = "The classes of keys: " + Self.classes.joined(separator: ", ")
    guard let found = Accessibility(name: accessible) else {
      throw .noAccessibility(accessible, hint)
    }
    guard found.isThisDeviceOnly else {
      throw .usage("A key never leaves this device, and \(accessible) is for what may", hint: hint)
    }
    return found
  }
}
