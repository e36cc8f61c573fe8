import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Private keys", .timeLimit(.minutes(60)))
struct KeyTests {
  private func output(_ outcome: KeyOutcome) throws -> [UInt8] {
    guard case .output(let bytes) = outcome else {
      throw Failure(.engineFailed, "no output but \(outcome)")
    }
    return bytes
  }

  @Test("E3: a key signs, decrypts and agrees inside as its public half says outside")
  func operations() throws {
    let device = try SimulatedDevice.withPasscode()
    let key = try device.generated()
    let first = try device.use(key)
    let second = try device.use(key)
    #expect(try key.signed(first) && key.signed(second))
    #expect(first != second, "every signature has a number of its own")
    let text = Array("for the enclave".utf8)
    #expect(
      try device.use(key, .decrypt, on: ECIES.seal(text.span, to: key.publicKey)) == .output(text))
    let other = try P256PrivateKey()
    let there = try other.sharedSecret(with: key.publicKey)
    let here = try output(device.use(key, .exchange, on: other.publicKey.point))
    let agrees = there.isEqual(to: here.span)
    #expect(agrees)
  }

  @Test("every key is another one, and outlives a restart")
  func everyKeyIsAnother() throws {
    let device = try SimulatedDevice.withPasscode()
    let keys = try (0..<8).map { _ in try device.generated() }
    #expect(Set(keys.map(\.publicKey.point)).count == 8)
    device.restart()
    try device.unlock()
    for key in keys { #expect(try key.signed(device.use(key))) }
  }

  @Test("E1: the scalar of a key is in no reply and in no file, whatever is asked")
  func scalarStaysInside() throws {
    let platform = SimulatedPlatform()
    let device = SimulatedDevice(platform)
    try device.setPasscode()
    var drawn: [[UInt8]] = []
    platform.onRandom = {
      drawn.append($0)
      return $0
    }
    let key = try device.generated()
    platform.onRandom = nil
    let scalar = try #require(
      drawn.first { Self.publicKey(of: $0) == key.publicKey },
      "the key was drawn from the platform's random bytes")
    func holds(_ bytes: [UInt8]) -> Bool {
      bytes.count >= 32 && (0...bytes.count - 32).contains { Array(bytes[$0..<$0 + 32]) == scalar }
    }
    #expect(holds([1] + scalar) && !holds(key.sealed))
    for file in platform.files.values { #expect(!holds(file)) }
    var body = WireEncoder()
    body.write(key.protection, key.sealed)
    let fields = body.finishPlain()
    for number in UInt8.min...UInt8.max {
      for end: [UInt8] in [[], [0], [1], [1, 0, 0, 0, 32] + digest, [0, 0, 0, 0]] {
        for envelope in Self.envelopes([number] + fields + end) {
          #expect(!holds(device.reply(to: envelope)), "\(number)")
        }
      }
    }
  }

  private static func publicKey(of scalar: [UInt8]) -> P256PublicKey? {
    do {
      return try P256PrivateKey(scalar: SecretBytes(copying: scalar.span)).publicKey
    } catch {
      return nil
    }
  }

  /// A message in each of the ways it can reach the enclave.
  private static func envelopes(_ message: [UInt8]) -> [[UInt8]] {
    let application = ApplicationRequest.encoded(
      context: contextName(noContext), message: SecretBytes(copying: message.span))
    let keychain = KeychainRequest.encoded(context: contextName(noContext), message: message.span)
    return [
      message, application.bytes.indices.map { application.bytes[$0] },
      keychain.bytes.indices.map { keychain.bytes[$0] },
    ]
  }

  @Test("a key is never imported: of all messages only GenerateKey gives one, and takes no scalar")
  func neverImported() throws {
    let device = try SimulatedDevice.withPasscode()
    let scalar = [UInt8](repeating: 7, count: 32)
    let own = try P256PrivateKey(scalar: SecretBytes(copying: scalar.span))
    let protection = try SimulatedDevice.protection(.whenUnlockedThisDeviceOnly, access: nil)
    var encoder = WireEncoder()
    encoder.write(protection)
    let guarded = encoder.finishPlain()
    let string: [UInt8] = [0, 0, 0, 32] + scalar
    let record: [UInt8] = [0, 0, 0, 97] + scalar + own.publicKey.point
    var given = 0
    for number in UInt8.min...UInt8.max {
      for body in [
        guarded, guarded + scalar, guarded + string, guarded + record, string + guarded,
        record + guarded, guarded + [1] + string, guarded + string + record,
      ] {
        for envelope in Self.envelopes([number] + body) {
          let reply = device.reply(to: envelope)
          guard reply.first == GeneratedKey.number else { continue }
          given += 1
          #expect(number == GenerateKey.number && body == guarded)
          let made = try GeneratedKey.decode(reply.span)
          #expect(made.publicKey != own.publicKey.point)
        }
      }
    }
    #expect(given == 1)
  }

  @Test("E4: an item's secret is never used as a key, nor a key opened as an item's secret")
  func swapped() throws {
    let device = try EnrolledDevice.unlocked()
    let own = try P256PrivateKey()
    var record = own.scalar.bytes.indices.map { own.scalar.bytes[$0] }
    record += own.publicKey.point
    for access in [nil, "presence", "biometry-current"] {
      for accessibility in Accessibility.allCases where accessibility.isThisDeviceOnly {
        try device.openContext(7000)
        try device.givePasscode()
        try device.match(7000, SimulatedFinger.owner.later)
        let key = try device.generated(accessibility, access: access)
        var item = StoredItem(protection: key.protection, sealed: key.sealed)
        #expect(try device.open(item, context: 7000) == .failed(.errSecDecode))
        #expect(
          try device.open(item, context: 7000, onlyAuthorize: true) == .failed(.errSecDecode))
        let sealed = try device.ask(
          OwnedSealItem(
            protection: key.protection, names: [], attributes: [],
            secret: SecretBytes(copying: record.span)),
          for: SealedItem.self)
        item.sealed = sealed.sealedSecret
        #expect(
          try device.open(item, context: 7000) != .failed(.errSecDecode), "as an item it opens")
        var swapped = key
        swapped.sealed = sealed.sealedSecret
        for operation in KeyOperation.allCases {
          #expect(
            try device.use(
              swapped, operation, on: swapped.input(for: operation), context: 7000)
              == .failed(.errSecDecode))
        }
        #expect(try key.signed(device.use(key, context: 7000)))
      }
    }
  }

  @Test("a sealed key that was changed anywhere, or is said to be another's, is damaged")
  func changed() throws {
    let device = try EnrolledDevice.unlocked()
    let key = try device.generated()
    for index in key.sealed.indices {
      var changed = key
      changed.sealed[index] ^= 1
      #expect(try device.use(changed) == .failed(.errSecDecode), "byte \(index)")
    }
    for count in key.sealed.indices {
      var cut = key
      cut.sealed = Array(key.sealed[..<count])
      #expect(try device.use(cut) == .failed(.errSecDecode), "\(count) bytes")
    }
    for (accessibility, access, identity): (Accessibility, String?, [UInt8]) in [
      (.afterFirstUnlockThisDeviceOnly, nil, [4, 5, 6]), (.whenUnlocked, nil, [4, 5, 6]),
      (.whenUnlockedThisDeviceOnly, "presence", [4, 5, 6]),
      (.whenUnlockedThisDeviceOnly, nil, [4, 5, 7]), (.whenUnlockedThisDeviceOnly, nil, []),
    ] {
      var other = key
      other.protection = try SimulatedDevice.protection(
        accessibility, access: access, identity: identity)
      #expect(try device.use(other) == .failed(.errSecDecode))
    }
  }

  @Test("what is no input of an operation is refused before anybody is asked for a proof")
  func badInput() throws {
    let device = try EnrolledDevice.unlocked()
    let key = try device.generated(access: "presence")
    let offCurve = Array(key.publicKey.point.dropLast()) + [key.publicKey.point[64] ^ 1]
    let inputs: [(KeyOperation, [[UInt8]])] = [
      (.sign, [0, 1, 31, 33, 64, 97].map { [UInt8](repeating: 1, count: $0) }),
      (
        .decrypt,
        [0, 1, 80, largestItemSecret + ECIES.overhead + 1].map { [UInt8](repeating: 4, count: $0) }
      ),
      (
        .exchange,
        [
          [], [0], offCurve, Array(key.publicKey.point.dropLast()), key.publicKey.point + [0],
          [4] + [UInt8](repeating: 0, count: 64), [2] + key.publicKey.point[1..<33],
          [6] + key.publicKey.point[1...],
        ]
      ),
    ]
    for (operation, wrong) in inputs {
      for input in wrong {
        #expect(
          try device.use(key, operation, on: input) == .failed(.errSecParam),
          "\(operation) \(input.count)")
      }
      let good = try key.input(for: operation)
      #expect(try device.use(key, operation, on: good) == .needed("presence", held: []))
    }
  }

  @Test("a message that was changed in any byte, cut, or is another key's does not decrypt")
  func changedMessage() throws {
    let device = try SimulatedDevice.withPasscode()
    let key = try device.generated()
    let message = try key.input(for: .decrypt)
    for index in message.indices {
      var changed = message
      changed[index] ^= 0x40
      #expect(try device.use(key, .decrypt, on: changed) == .failed(.errSecParam), "byte \(index)")
    }
    for count in message.indices {
      #expect(
        try device.use(key, .decrypt, on: Array(message[..<count])) == .failed(.errSecParam))
    }
    let other = try device.generated()
    #expect(try device.use(other, .decrypt, on: message) == .failed(.errSecParam))
    #expect(try device.use(key, .decrypt, on: message) == .output(signedMessage))
  }

  @Test("the longest message decrypts, and an empty one")
  func longestMessage() throws {
    let device = try SimulatedDevice.withPasscode()
    let key = try device.generated()
    for count in [0, largestItemSecret] {
      let text = [UInt8](repeating: 9, count: count)
      let message = try ECIES.seal(text.span, to: key.publicKey)
      #expect(try device.use(key, .decrypt, on: message) == .output(text))
    }
  }

  @Test("random bytes of which no key can be made are an error and no key")
  func brokenGenerator() throws {
    let device = try SimulatedDevice.withPasscode()
    for byte: UInt8 in [0, 255] {
      device.platform.onRandom = { [UInt8](repeating: byte, count: $0.count) }
      #expect(try device.generatingFailure(.whenUnlockedThisDeviceOnly) == .engineFailed)
    }
    // Once in a long time a number is too great; the next one is taken.
    var given = 0
    device.platform.onRandom = { bytes in
      given += 1
      return given == 1 ? [UInt8](repeating: 255, count: bytes.count) : bytes
    }
    let key = try device.generated()
    #expect(try key.signed(device.use(key)))
  }
}
