import ArgumentParser
import CoreClient
import Cryptography
import Protocol

struct KeyEncryptCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "encrypt",
    abstract: "Encrypt standard input for a key, to standard output.",
    discussion: """
      The form is Apple's eciesEncryptionCofactorX963SHA256AESGCM. Nothing has to be proved: whoever \
      has the public key can do the same, on an Apple device or anywhere else.
      """)

  @OptionGroup var key: KeyName
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try key.query()
    guard let text = try StandardInput(invocation).read(limit: largestItemSecret) else {
      throw Failure(
        .usage, "Standard input holds more than \(largestItemSecret) bytes",
        hint: "Encrypt what is longer with a key of its own, and that key here.")
    }
    let key = try invocation.openSession().key(query).point()
    let sealed = try KeyText.cryptographic { () throws(CryptographyError) in
      try ECIES.seal(text.bytes, to: key)
    }
    invocation.output.data("data", sealed.span)
    return .done
  }
}

struct KeyDecryptCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "decrypt",
    abstract: "Decrypt standard input, which was encrypted for a key, to standard output.",
    discussion: "Asks for what the key says: a touch, the passcode.")

  @OptionGroup var key: KeyName
  @OptionGroup var useOptions: KeyUseOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let use = try useOptions.use(of: key, invocation)
    let limit = largestItemSecret + ECIES.overhead
    let sealed = try use.input.read(limit: limit)
    guard let sealed, sealed.count >= ECIES.overhead else {
      throw Failure(
        .usage, "Standard input holds nothing that was encrypted for a key",
        hint: "That has \(ECIES.overhead) to \(limit) bytes; give them as they are, not in base64.")
    }
    let input = sealed.copied
    let reply = try use.output(.decrypt, of: input, invocation)
    invocation.output.data("data", reply.output.bytes)
    if !invocation.output.isJSON { invocation.output.endSecretOnTerminal() }
    return .done
  }
}
