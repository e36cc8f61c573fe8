import ArgumentParser
import ClientProtocol
import Wire

/// `authcore key …`
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "P-256 keys that never leave the enclave: sign, decrypt, and show the public half.",
    subcommands: [
      KeyCreateCommand.self, KeyListCommand.self, KeyPublicCommand.self, KeySignCommand.self,
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
    guard name.utf8.count <= ItemAttributes.longestText else {
      throw Failure(
        .usage, "The name of the key is longer than \(ItemAttributes.longestText) bytes")
    }
    return name
  }
}

/// What a command says that uses a private key.
struct KeyPrompt: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the owner is asked to permit; default: the key's name.", valueName: "text"))
  var reason: String?

  /// How the request for `key` may prompt.
  func options(_ invocation: Invocation, key: String) throws(Failure) -> PromptOptions {
    guard reason != "" else {
      throw Failure(
        .invalidReason, "The reason is empty", hint: "Say what the owner permits: --reason TEXT")
    }
    return invocation.promptOptions(reason: reason ?? key)
  }
}

extension CoreSession {
  /// The one key of a name.
  func key(named name: String) throws(Failure) -> EnclaveKey {
    let found: FoundKeys = try ask(FindKeys(name: name))
    guard let key = found.keys.first else {
      throw Failure(
        .errSecItemNotFound, "There is no such key", hint: "authcore key list shows all.")
    }
    return key
  }
}
