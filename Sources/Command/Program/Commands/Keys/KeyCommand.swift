import ArgumentParser
import Protocol

struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "P-256 keys that never leave the enclave: sign, decrypt, and show the public half.",
    subcommands: [
      KeyCreateCommand.self, KeyListCommand.self, KeyIdentitiesCommand.self, KeyPublicCommand.self,
      KeySignCommand.self,
      KeyEncryptCommand.self, KeyDecryptCommand.self, KeyRemoveCommand.self,
    ])
}

/// Which key a command means.
struct KeyName: ParsableArguments {
  @Argument(help: "The key's name.", completion: .keys)
  var name: String

  @Option(help: ArgumentHelp("The access group it belongs to.", valueName: "name"))
  var group: String?

  /// The key as the core takes it.
  func query() throws(Failure) -> KeyQuery {
    var query = KeyQuery(name: try checked())
    query.group = group
    return query
  }

  /// The name, where it can be one.
  func checked() throws(Failure) -> String {
    guard !name.isEmpty else {
      throw Failure(.usage, "The name of the key is empty", hint: "authcore key list shows them.")
    }
    guard name.utf8.count <= AttributeValue.longestText else {
      throw Failure(
        .usage, "The name of the key is longer than \(AttributeValue.longestText) bytes")
    }
    return name
  }
}

/// How a command uses a private key.
struct KeyUseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the owner is asked to permit; default: the key's name.", valueName: "text"))
  var reason: String?

  @OptionGroup var appPassword: AppPasswordOptions

  /// The use of the key of this name that these options mean.
  func use(of key: KeyName, _ invocation: Invocation) throws(Failure) -> KeyUse {
    let query = try key.query()
    try GivenReason.check(reason)
    let given = try appPassword.given(invocation)
    return KeyUse(
      query: query, prompt: invocation.promptOptions(reason: reason ?? key.name),
      appPassword: given, input: try StandardInput(invocation, beside: given))
  }
}

/// One use of a private key, on what standard input holds.
struct KeyUse {
  let query: KeyQuery
  let prompt: PromptOptions
  let appPassword: GivenPasscode?
  let input: StandardInput

  /// What the enclave makes of `input` with the key.
  func output(
    _ operation: KeyOperation, of input: [UInt8], _ invocation: Invocation
  ) throws(Failure) -> KeyUsed {
    let session = try invocation.openSession()
    session.use(appPassword: appPassword)
    return try session.ask(
      UseKey(query: query, operation: operation, input: input), prompt)
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
