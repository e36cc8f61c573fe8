import Cryptography
import GRDB
import Protocol
import TestSupport
import Testing

@Suite("Identities, and what keys are found by", .timeLimit(.minutes(60)))
final class IdentityTests: OneKeychain {
  private func certificate(_ serial: UInt8, of key: EnclaveKey) -> [UInt8] {
    var maker = TestCertificate(point: key.publicKey)
    maker.serialNumber = [serial]
    return maker.der()
  }

  private func query(_ change: (inout KeyQuery) -> Void) -> KeyQuery {
    var query = KeyQuery()
    change(&query)
    return query
  }

  @Test("K1: a certificate and the key it is for are an identity, whichever came first")
  func eitherOrder() throws {
    let key = try keychain.createKey("deploy")
    try keychain.createKey("unused")
    #expect(try code { _ = try keychain.identities() } == .errSecItemNotFound)
    let later = try keychain.add(certificate: certificate(1, of: key))
    let renewed = try keychain.add(certificate: certificate(2, of: key))
    let identities = try keychain.identities()
    #expect(identities.map(\.certificate) == [later, renewed])
    #expect(identities.map(\.key) == [key, key])

    // The fake enclave numbers its keys: the next one's public half can be told.
    var next = key
    next = try EnclaveKey(
      identifier: "", name: "", accessibility: .whenUnlockedThisDeviceOnly, accessControl: nil,
      createdAt: 0, publicKey: [4, #require(key.publicKey[1...].first) + 2] + key.publicKey[2...])
    let earlier = try keychain.add(certificate: certificate(3, of: next))
    #expect(try keychain.identities().count == 2)
    let made = try keychain.createKey("later")
    #expect(made.publicKey == next.publicKey)
    let third = try keychain.identities(key: KeyQuery(name: "later"))
    #expect(third == [KeychainIdentity(certificate: earlier, key: made)])
    var bySerial = ItemQuery()
    bySerial.terms[.serialNumber] = .data([2])
    #expect(try keychain.identities(bySerial).map(\.certificate) == [renewed])
    try keychain.removeKey("deploy")
    #expect(try keychain.identities() == third)
  }

  @Test("K2 K6: both halves must be reachable")
  func reachable() throws {
    let key = try keychain.createKey("deploy")
    try keychain.add(
      certificate: certificate(1, of: key), certificateAttributes(accessible: .afterFirstUnlock))
    #expect(try code { _ = try keychain.identities(app: "uid:1001") } == .errSecItemNotFound)
    try keychain.add(certificate: certificate(1, of: key), app: "uid:1001")
    #expect(try code { _ = try keychain.identities(app: "uid:1001") } == .errSecItemNotFound)
    var open = CreateKey(
      name: "open", accessibility: .afterFirstUnlockThisDeviceOnly, accessControl: nil)
    open.label = "no certificate is for it"
    _ = try keychain.createKey(open)
    keychain.enclave.isLocked = true
    // A certificate and a key are open but do not match. Nothing is said about closed ones.
    #expect(try code { _ = try keychain.identities() } == .errSecInteractionNotAllowed)
    keychain.enclave.isLocked = false
    #expect(try keychain.identities().count == 1)
  }

  @Test("K1: a key is found, used and removed by each thing it is known by")
  func keysByAttribute() throws {
    var request = CreateKey(
      name: "", accessibility: .whenUnlockedThisDeviceOnly, accessControl: nil)
    (request.applicationTag, request.label) = ([0, 1, 255], "Einsatz")
    let tagged = try keychain.createKey(request)
    let other = try keychain.createKey("deploy")
    #expect(tagged.name == "" && tagged.applicationTag == [0, 1, 255])
    #expect(try tagged.applicationLabel == SHA1.hash(tagged.publicKey.span))
    let queries = [
      query { $0.identifier = tagged.identifier }, query { $0.applicationTag = [0, 1, 255] },
      query { $0.applicationLabel = tagged.applicationLabel }, query { $0.label = "Einsatz" },
      query { $0.name = "" },
      query { ($0.label, $0.identifier) = ("Einsatz", tagged.identifier) },
    ]
    for query in queries {
      #expect(try keychain.keys(query) == [tagged])
      #expect(try keychain.useKey(query) == [1, 1, 9])
    }
    for query in [
      query { $0.identifier = "00" }, query { $0.applicationTag = [1] },
      query { $0.label = "einsatz" },
      query { ($0.name, $0.identifier) = ("deploy", tagged.identifier) },
    ] {
      #expect(try code { _ = try keychain.keys(query) } == .errSecItemNotFound)
      #expect(try code { _ = try keychain.useKey(query) } == .errSecItemNotFound)
      #expect(try code { try keychain.removeKey(query) } == .errSecItemNotFound)
    }
    // A tag is no name: two may have one, and then neither is meant.
    let twin = try keychain.createKey(request)
    #expect(try keychain.keys(queries[1]) == [tagged, twin])
    #expect(try code { _ = try keychain.useKey(queries[1]) } == .ambiguous)
    #expect(try code { try keychain.removeKey(queries[1]) } == .ambiguous)
    #expect(try code { try keychain.removeKey(KeyQuery()) } == .errSecParam)
    try keychain.removeKey(queries[0])
    #expect(try keychain.keys(KeyQuery()) == [other, twin])
    #expect(
      try code {
        _ = try keychain.createKey(
          CreateKey(
            name: "", accessibility: .whenUnlockedThisDeviceOnly, accessControl: nil))
      } == .errSecParam)
  }

  @Test("a row of a key of before, which has a name and no more, is read")
  func earlierRow() throws {
    let key = try keychain.createKey("deploy")
    keychain.enclave.intrusion = { request in
      // What that version had sealed, in place of what is sealed.
      guard request.first == OpenAttributes.number else { return nil }
      var encoder = WireEncoder()
      encoder.write(
        key.identifier, key.name, key.accessibility, key.accessControl, key.createdAt,
        key.publicKey)
      let batch = AttributeBatch(values: [encoder.finishPlain()])
      return bytes(of: batch.encoded())
    }
    #expect(try keychain.findKeys() == [key])
  }
}
