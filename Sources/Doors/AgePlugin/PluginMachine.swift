import Cryptography
import Protocol

/// The keys of the enclave, as age uses them.
protocol AgeKeys {
  /// The public half of a key; never prompts.
  func recipient(of identity: AgeIdentity) throws(Failure) -> AgeRecipient
  /// The file key in a stanza for this key. Asks the owner as the key demands.
  /// - Throws: `errSecItemNotFound` if the key is not there.
  func fileKey(in stanza: TaggedStanza, for identity: AgeIdentity) throws(Failure) -> SecretBytes
}

/// One of the plugin's state machines (C2SP age-plugin). First age speaks, until `done`; then the
/// plugin does.
protocol PluginMachine {
  init()
  /// Takes a stanza of the first phase. Unknown commands are ignored.
  /// - Throws: `usage` if a known command has a wrong form.
  mutating func take(_ stanza: Stanza) throws(Failure)
  /// Sends the stanzas of the second phase; `say` returns when age has answered.
  func conclude(
    _ keys: some AgeKeys, _ say: (Stanza) throws(Failure) -> Void
  ) throws(Failure)
}

extension PluginMachine {
  /// Carries out both phases.
  static func run(
    _ keys: some AgeKeys, reading reader: inout StanzaReader,
    writing write: (Stanza) throws(Failure) -> Void
  ) throws(Failure) {
    var machine = Self()
    for _ in 0..<mostStanzas {
      let stanza = try reader.next()
      guard stanza.words[0] == "done" else {
        try machine.take(stanza)
        continue
      }
      try machine.conclude(keys) { (stanza) throws(Failure) in
        try write(stanza)
        // What age refuses, it will report itself.
        _ = try reader.next()
      }
      return try write(Stanza("done"))
    }
    throw .malformed("more than \(mostStanzas) stanzas")
  }
}

private let mostStanzas = 10_000

/// `recipient-v1`: wraps file keys for recipients, and for the keys that identities name.
struct RecipientMachine: PluginMachine {
  private var recipients: [String] = []
  private var identities: [String] = []
  private var files: [Stanza] = []

  mutating func take(_ stanza: Stanza) throws(Failure) {
    switch stanza.words[0] {
    case "add-recipient": recipients.append(try stanza.onlyWord())
    case "add-identity": identities.append(try stanza.onlyWord())
    case "wrap-file-key":
      guard stanza.words.count == 1, stanza.body.count == TaggedStanza.fileKeySize else {
        throw .malformed("a wrong wrap-file-key")
      }
      files.append(stanza)
    default: break
    }
  }

  func conclude(
    _ keys: some AgeKeys, _ say: (Stanza) throws(Failure) -> Void
  ) throws(Failure) {
    var known: [AgeRecipient] = []
    var isRefused = false
    for (index, text) in recipients.enumerated() {
      if let recipient = try? AgeRecipient(text) {
        known.append(recipient)
      } else {
        isRefused = true
        try say(.error("recipient", index, text: "This is not a recipient of authcore"))
      }
    }
    for (index, text) in identities.enumerated() {
      do throws(Failure) {
        known.append(try keys.recipient(of: .read(text)))
      } catch {
        isRefused = true
        try say(.error("identity", index, text: error.withHint))
      }
    }
    guard !isRefused else { return }
    for (index, file) in files.enumerated() {
      for recipient in known {
        let wrapped = try cryptographic { () throws(CryptographyError) in
          try TaggedStanza(wrapping: file.body, to: recipient)
        }
        let (tag, point) = (wrapped.words[0], wrapped.words[1])
        try say(
          Stanza(
            "recipient-stanza", String(index), TaggedStanza.type, tag, point,
            body: SecretBytes(copying: wrapped.body.span)))
      }
    }
  }
}

/// `identity-v1`: unwraps the file keys of stanzas for our keys, and asks the owner only for those.
struct IdentityMachine: PluginMachine {
  private struct File {
    let number: Int
    var stanzas: [Stanza] = []
  }

  private var identities: [String] = []
  private var files: [File] = []

  mutating func take(_ stanza: Stanza) throws(Failure) {
    switch stanza.words[0] {
    case "add-identity": identities.append(try stanza.onlyWord())
    case "recipient-stanza":
      guard stanza.words.count > 2, let number = Int(stanza.words[1]), number >= 0,
        String(number) == stanza.words[1], number >= files.last?.number ?? 0
      else { throw .malformed("a wrong recipient-stanza") }
      if files.last?.number != number { files.append(File(number: number)) }
      files[files.count - 1].stanzas.append(stanza)
    default: break
    }
  }

  func conclude(
    _ keys: some AgeKeys, _ say: (Stanza) throws(Failure) -> Void
  ) throws(Failure) {
    var known: [(index: Int, identity: AgeIdentity)] = []
    var isRefused = false
    for (index, text) in identities.enumerated() {
      do throws(Failure) {
        let identity = try AgeIdentity.read(text)
        if !known.contains(where: { $0.identity == identity }) { known.append((index, identity)) }
      } catch {
        isRefused = true
        try say(.error("identity", index, text: error.withHint))
      }
    }
    guard !isRefused else { return }
    for file in files { try open(file, &known, keys, say) }
  }

  /// Sends the key of one file, or the first reason why there is none. A stanza for others has no
  /// answer.
  private func open(
    _ file: File, _ known: inout [(index: Int, identity: AgeIdentity)], _ keys: some AgeKeys,
    _ say: (Stanza) throws(Failure) -> Void
  ) throws(Failure) {
    var tagged: [(index: Int, stanza: TaggedStanza)] = []
    for (index, stanza) in file.stanzas.enumerated() where stanza.words[2] == TaggedStanza.type {
      guard let read = try? TaggedStanza(stanza.words.dropFirst(3), body: stanza.body.copied) else {
        return try say(
          .error("stanza", file.number, index, text: "The stanza \(TaggedStanza.type) is damaged"))
      }
      tagged.append((index, read))
    }
    for (index, stanza) in tagged {
      for (position, identity) in known where (try? stanza.isFor(identity)) == true {
        do throws(Failure) {
          let key = try keys.fileKey(in: stanza, for: identity)
          return try say(Stanza("file-key", String(file.number), body: key))
        } catch  where error.code == .errSecItemNotFound {
          known.removeAll { $0.identity == identity }
          try say(.error("identity", position, text: error.withHint))
        } catch {
          return try say(.error("stanza", file.number, index, text: error.withHint))
        }
      }
    }
  }
}

extension Stanza {
  /// The one word behind the command.
  fileprivate func onlyWord() throws(Failure) -> String {
    guard words.count == 2 else { throw .malformed("a wrong \(words[0])") }
    return words[1]
  }

  fileprivate static func error(_ kind: String, _ numbers: Int..., text: String) -> Stanza {
    let words = [kind] + numbers.map(String.init)
    return Stanza(
      "error", words.joined(separator: " "), body: SecretBytes(copying: Array(text.utf8).span))
  }
}

extension AgeIdentity {
  fileprivate static func read(_ text: String) throws(Failure) -> AgeIdentity {
    guard let identity = AgeIdentity(text) else {
      throw Failure(.errSecParam, "This is not an identity of authcore")
    }
    return identity
  }
}
