import ArgumentParser
import ClientProtocol
import Wire

/// `authcore key …`
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
  @Argument(help: "The key's name.")
  var name: String

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
    let name = try key.checked()
    guard reason != "" else {
      throw Failure(
        .invalidReason, "The reason is empty", hint: "Say what the owner permits: --reason TEXT")
    }
    let given = try appPassword.given(invocation)
    return KeyUse(
      name: name, prompt: invocation.promptOptions(reason: reason ?? name), appPassword: given,
      input: try StandardInput(invocation, beside: given))
  }
}

/// One use of a private key, on what standard input holds.
struct KeyUse {
  let name: String
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
      UseKey(query: KeyQuery(name: name), operation: operation, input: input), prompt)
  }
}

extension CoreSession {
  /// The one key of a name.
  func key(named name: String) throws(Failure) -> EnclaveKey {
    let found: FoundKeys = try ask(FindKeys(query: KeyQuery(name: name)))
    guard let key = found.keys.first else {
      throw Failure(
        .errSecItemNotFound, "There is no such key", hint: "authcore key list shows all.")
    }
    return key
  }
}
