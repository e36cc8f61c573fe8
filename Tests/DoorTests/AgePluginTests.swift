import Cryptography
import Protocol
import Testing

@testable import age_plugin_authcore

@Suite("The plugin of age, without a core", .timeLimit(.minutes(60)))
struct AgePluginTests {
  /// Keys of this process instead of those of the enclave.
  private final class Keys: AgeKeys {
    private let key: P256PrivateKey
    var failure: Failure?
    private(set) var asked = 0

    init(_ key: consuming P256PrivateKey) { self.key = key }

    var recipient: AgeRecipient { AgeRecipient(key.publicKey) }

    func identity() throws -> AgeIdentity { try AgeIdentity(of: key.publicKey) }

    func recipient(of identity: AgeIdentity) throws(Failure) -> AgeRecipient {
      guard (try? self.identity()) == identity else { throw Failure(.errSecItemNotFound, "none") }
      return recipient
    }

    func fileKey(in stanza: TaggedStanza, for identity: AgeIdentity) throws(Failure) -> SecretBytes
    {
      guard (try? self.identity()) == identity else { throw Failure(.errSecItemNotFound, "none") }
      asked += 1
      if let failure { throw failure }
      do throws(CryptographyError) {
        let shared = try key.sharedSecret(with: stanza.encapsulated)
        return try stanza.open(sharedSecret: shared, by: key.publicKey)
      } catch {
        throw Failure(.errSecDecode, "changed")
      }
    }
  }

  private let keys: Keys

  init() throws { keys = Keys(try P256PrivateKey()) }

  /// What the plugin sends, a line for each stanza with its body as text, if age sends these lines
  /// and answers each stanza with `ok`.
  private func say<Machine: PluginMachine>(
    _ machine: Machine.Type, _ lines: [String], answers: String = "-> ok\n\n", partsOf size: Int = 7
  ) throws(Failure) -> [String] {
    var input = Array(lines.map { $0 + "\n" }.joined().utf8)[...]
    input += Array(String(repeating: answers, count: 40).utf8)
    var reader = StanzaReader { buffer, start in
      let part = input.prefix(min(size, buffer.count - start))
      input = input.dropFirst(part.count)
      buffer.copy(Array(part).span, at: start)
      return part.count
    }
    var sent: [String] = []
    try Machine.run(keys, reading: &reader) { (stanza) throws(Failure) in
      // ASCII: a character that joins the space before it would hide that.
      let body = String(
        decoding: stanza.body.copied.map { 32..<127 ~= $0 ? $0 : 63 }, as: UTF8.self)
      sent.append((stanza.words + (stanza.body.count > 0 ? [body] : [])).joined(separator: " "))
    }
    return sent
  }

  private static let fileKey = "AAECAwQFBgcICQoLDA0ODw"

  private func wrapped(for recipient: AgeRecipient? = nil) throws -> (words: String, body: String) {
    let bytes = SecretBytes(count: 16)
    let stanza = try TaggedStanza(wrapping: bytes, to: recipient ?? keys.recipient)
    let body = Base64.encoded(unpadded: stanza.body.span)
    return (
      "p256tag " + stanza.words.joined(separator: " "), String(decoding: body.copied, as: UTF8.self)
    )
  }

  private func foreign() throws -> AgeRecipient { AgeRecipient(try P256PrivateKey().publicKey) }

  @Test("X8: each file key is wrapped for each recipient and identity")
  func wraps() throws {
    let sent = try say(
      RecipientMachine.self,
      [
        "-> grease 1 2", "AAAA", "-> add-recipient \(keys.recipient.text)", "",
        "-> add-identity \(keys.identity().text)", "", "-> wrap-file-key", Self.fileKey,
        "-> extension-labels", "", "-> wrap-file-key", Self.fileKey, "-> done", "",
      ])
    #expect(sent.count == 5 && sent.last == "done")
    for (line, file) in zip(sent, ["0", "0", "1", "1"]) {
      let words = line.split(separator: " ").map(String.init)
      #expect(words.prefix(3) == ["recipient-stanza", file, "p256tag"] && words.count >= 6)
    }
  }

  @Test("X8: a bad recipient or identity is reported, and no stanza is sent")
  func refusesRecipients() throws {
    let other = try AgeIdentity(of: foreign().key).text
    let sent = try say(
      RecipientMachine.self,
      [
        "-> add-recipient \(keys.recipient.text)", "", "-> add-recipient age1yubikey1q", "",
        "-> add-identity \(other)", "", "-> wrap-file-key", Self.fileKey, "-> done", "",
      ])
    #expect(
      sent == [
        "error recipient 1 This is not a recipient of authcore", "error identity 0 none", "done",
      ])
  }

  @Test("E2: the owner is asked once for each file, and never for files of others")
  func asks() throws {
    let (ours, body) = try wrapped()
    let (theirs, other) = try wrapped(for: foreign())
    let identity = try "-> add-identity \(keys.identity().text)"
    let sent = try say(
      IdentityMachine.self,
      [
        identity, "", identity, "", "-> recipient-stanza 0 \(theirs)", other,
        "-> recipient-stanza 2 X25519 abc", "AAAA", "-> recipient-stanza 2 \(ours)", body,
        "-> recipient-stanza 2 \(ours)", body, "-> recipient-stanza 3 \(ours)", body, "-> done", "",
      ])
    #expect(sent.map { String($0.prefix(10)) } == ["file-key 2", "file-key 3", "done"])
    #expect(keys.asked == 2)
  }

  @Test("E2: an identity of another plugin is reported, and no file is opened")
  func refusesIdentities() throws {
    let (ours, body) = try wrapped()
    let sent = try say(
      IdentityMachine.self,
      [
        "-> add-identity \(keys.identity().text)", "", "-> add-identity AGE-PLUGIN-YUBIKEY-1QQQ",
        "",
        "-> recipient-stanza 0 \(ours)", body, "-> done", "",
      ])
    #expect(sent == ["error identity 1 This is not an identity of authcore", "done"])
    #expect(keys.asked == 0)
  }

  @Test("E2: an identity without its key is reported once")
  func missingKey() throws {
    let key = try foreign()
    let (ours, body) = try wrapped(for: key)
    let identity = try AgeIdentity(of: key.key).text
    let sent = try say(
      IdentityMachine.self,
      [
        "-> add-identity \(identity)", "", "-> recipient-stanza 0 \(ours)", body,
        "-> recipient-stanza 1 \(ours)", body, "-> done", "",
      ])
    #expect(sent == ["error identity 0 none", "done"])
  }

  @Test("E2: a damaged stanza closes its file without a question, and no other file")
  func damaged() throws {
    let (ours, body) = try wrapped()
    let sent = try say(
      IdentityMachine.self,
      [
        "-> add-identity \(keys.identity().text)", "", "-> recipient-stanza 0 \(ours)", body,
        "-> recipient-stanza 0 p256tag AAAA", body, "-> recipient-stanza 1 \(ours) more", body,
        "-> recipient-stanza 2 \(ours)", "AAAA", "-> recipient-stanza 3 \(ours)", body, "-> done",
        "",
      ])
    #expect(
      sent.map { $0.prefix(16) } == [
        "error stanza 0 1", "error stanza 1 0", "error stanza 2 0", sent[3].prefix(16), "done",
      ])
    #expect(sent[3].hasPrefix("file-key 3") && keys.asked == 1)
  }

  @Test("E2: a refused touch and a body that does not open are errors of the stanza")
  func refused() throws {
    let (ours, body) = try wrapped()
    let (_, other) = try wrapped()
    let lines = [
      "-> add-identity \(try keys.identity().text)", "", "-> recipient-stanza 0 \(ours)", other,
      "-> recipient-stanza 1 \(ours)", body, "-> done", "",
    ]
    let sent = try say(IdentityMachine.self, lines)
    #expect(sent[0] == "error stanza 0 0 changed" && sent[1].hasPrefix("file-key 1"))
    keys.failure = Failure(.userCancel, "no")
    #expect(
      try say(IdentityMachine.self, lines) == [
        "error stanza 0 0 no", "error stanza 1 0 no", "done",
      ])
  }

  @Test(
    "X8: age may refuse what the plugin says, or answer something else",
    arguments: ["-> fail\n\n", "-> ok extra\nAAAA\n", "-> unknown\n\n"])
  func refusedAnswers(answers: String) throws {
    let sent = try say(
      RecipientMachine.self, ["-> add-recipient x", "", "-> done", ""], answers: answers)
    #expect(sent.count == 2)
  }

  @Test(
    "X8: anything but the protocol ends the plugin",
    arguments: [
      [], ["-> add-identity"], ["hello"], [""], ["->"], ["-> "], ["->  x", ""], ["-> a\tb", ""],
      ["-> ü", ""], ["-> done"], ["-> x", "?"], ["-> x", "AAAAA"], ["-> x", "AB"],
      ["-> x", String(repeating: "A", count: 64)], ["-> x", String(repeating: "A", count: 65), ""],
      ["-> add-identity", ""], ["-> add-identity a b", ""], ["-> add-recipient", ""],
      ["-> wrap-file-key", ""], ["-> wrap-file-key x", fileKey], ["-> wrap-file-key", "AAAA"],
      ["-> recipient-stanza", ""], ["-> recipient-stanza 0", ""], ["-> recipient-stanza x y", ""],
      ["-> recipient-stanza -1 y", ""], ["-> recipient-stanza 00 y", ""],
      ["-> recipient-stanza 99999999999999999999 y", ""],
      ["-> recipient-stanza 1 y", "", "-> recipient-stanza 0 y", ""],
      ["-> \(String(repeating: "x", count: StanzaReader.longestLine))", ""],
      ["-> x"] + [String](repeating: String(repeating: "A", count: 64), count: 1400) + [""],
    ])
  func garbage(lines: [String]) {
    // The commands of one machine are unknown to the other.
    let known = lines.first?.contains("recipient-stanza") == true
    #expect(throws: Failure.self) {
      _ =
        try known
        ? say(IdentityMachine.self, lines, answers: "", partsOf: 5000)
        : say(RecipientMachine.self, lines, answers: "", partsOf: 5000)
    }
  }

  @Test("X8: a stanza is read as it was written, whatever the length of its body")
  func lengths() throws {
    for count in [0, 1, 47, 48, 49, 96, 1000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let encoded = Stanza("x", "y", body: SecretBytes(copying: bytes.span)).encoded()
      var input = encoded.copied[...]
      let lines = String(decoding: input, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.dropFirst().allSatisfy { $0.count <= 64 })
      #expect(lines.dropLast().last.map { $0.count < 64 } == true)
      var reader = StanzaReader { buffer, start in
        let part = input.prefix(buffer.count - start)
        input = input.dropFirst(part.count)
        buffer.copy(Array(part).span, at: start)
        return part.count
      }
      let read = try reader.next()
      #expect(read.words == ["x", "y"] && read.body.copied == bytes)
    }
  }
}
