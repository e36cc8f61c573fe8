import ArgumentParser
import CoreClient
import Cryptography
import Protocol

struct KeySignCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "sign", "Sign standard input with ECDSA and SHA-256, in DER.",
    discussion: """
      Asks for what the key wants: a touch or the passcode. Standard input may have any length.

          authcore key sign deploy < release.tar > release.sig
          openssl dgst -sha256 -verify deploy.pem -signature release.sig release.tar
      """)

  @OptionGroup var key: KeyName

  @Flag(help: "Standard input is the SHA-256 hash itself, 32 bytes.")
  var digest = false

  @Flag(help: "Write r and s, 32 bytes each, instead of DER.")
  var raw = false

  @OptionGroup var useOptions: KeyUseOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let use = try useOptions.use(of: key, invocation)
    let hash = digest ? try hash(use.input) : try hash(of: use.input)
    let reply = try use.output(.sign, of: hash, invocation)
    guard raw else {
      invocation.output.data("signature", reply.output.bytes)
      return
    }
    let signature = try cryptographic { () throws(CryptographyError) in
      try ECDSASignature(der: reply.output.copied)
    }
    invocation.output.data("signature", signature.raw.span)
  }

  private func hash(_ input: InputFile) throws(Failure) -> [UInt8] {
    let hash = try input.read(limit: SHA256Stream.size)
    guard let hash, hash.count == SHA256Stream.size else {
      throw .usage(
        "--digest takes \(SHA256Stream.size) bytes on standard input, no more and no fewer",
        hint: "A SHA-256 hash as bytes, not in hexadecimal: openssl dgst -sha256 -binary FILE")
    }
    return hash.copied
  }

  private func hash(of input: InputFile) throws(Failure) -> [UInt8] {
    var stream = try cryptographic { () throws(CryptographyError) in try SHA256Stream() }
    var part = SecretBytes(count: 64 << 10)
    while case let count = try input.readPart(&part), count > 0 {
      try cryptographic { () throws(CryptographyError) in
        try stream.update(part.bytes.extracting(first: count))
      }
    }
    return try cryptographic { () throws(CryptographyError) in try stream.finish() }
  }
}

struct KeyEncryptCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "encrypt", "Encrypt standard input for a key.",
    discussion: """
      Standard output gets Apple's form eciesEncryptionCofactorX963SHA256AESGCM. This needs no \
      proof: anybody who has the public key can do it, also on an Apple device.
      """)

  @OptionGroup var key: KeyName
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try key.query()
    guard let text = try InputFile(nil, invocation).read(limit: largestItemSecret) else {
      throw .usage(
        "Standard input holds more than \(largestItemSecret) bytes",
        hint: "Encrypt what is longer with a key of its own, and that key here.")
    }
    let key = try invocation.openSession().key(query).point()
    let sealed = try cryptographic { () throws(CryptographyError) in
      try ECIES.seal(text.bytes, to: key)
    }
    invocation.output.data("data", sealed.span)
  }
}

struct KeyDecryptCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "decrypt", "Decrypt standard input, which was encrypted for a key.",
    discussion: """
      Asks for what the key wants: a touch or the passcode.
      """)

  @OptionGroup var key: KeyName
  @OptionGroup var useOptions: KeyUseOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let use = try useOptions.use(of: key, invocation)
    let limit = largestItemSecret + ECIES.overhead
    let sealed = try use.input.read(limit: limit)
    guard let sealed, sealed.count >= ECIES.overhead else {
      throw .usage(
        "Standard input holds nothing that was encrypted for a key",
        hint: "That has \(ECIES.overhead) to \(limit) bytes; give them as they are, not in base64.")
    }
    let input = sealed.copied
    let reply = try use.output(.decrypt, of: input, invocation)
    invocation.output.data("data", reply.output.bytes)
    if !invocation.output.isJSON { invocation.output.endSecretOnTerminal() }
  }
}
