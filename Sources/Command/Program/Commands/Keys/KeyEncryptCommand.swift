import ArgumentParser
import Cryptography
import Protocol

/// `authcore key encrypt`
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

  var unlocks: Bool { true }

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
