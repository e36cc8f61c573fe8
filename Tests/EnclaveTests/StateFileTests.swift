import Cryptography
import FingerprintMatching
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("State files that are authentic and wrong")
struct StateFileTests {
  private func device(with files: [String: [UInt8]]) -> SimulatedDevice {
    SimulatedDevice(SimulatedPlatform(files: files, seed: 6))
  }

  private func secret(_ bytes: [UInt8]?) throws -> SecretBytes {
    let bytes = try #require(bytes)
    return SecretBytes(copying: bytes.span)
  }

  /// A file of these, with a byte behind its contents, sealed with the right key.
  private func lengthened(
    _ files: [String: [UInt8]], _ name: String, _ magic: String, version: UInt32,
    _ purpose: KeyPurpose
  ) throws -> [String: [UInt8]] {
    let root = try RootKey.decode(secret(files["root.key"]))
    let key = try root.derivedKey(for: purpose)
    let form = SealedStateFile(magic: magic, versions: 1...version)
    let contents = try form.open(form.read(secret(files[name])), with: key)
    var longer = contents.bytes.indices.map { contents.bytes[$0] }
    longer.append(0)
    let sealed = try form.seal(SecretBytes(copying: longer.span), with: key)
    var changed = files
    changed[name] = sealed.bytes.indices.map { sealed.bytes[$0] }
    return changed
  }

  @Test("a keybag with a byte too many is damaged, also under the right key")
  func longKeybag() throws {
    let files = try EnrolledDevice.beforeFirstUnlock().platform.files
    let device = device(
      with: try lengthened(files, "keybag", "authcore keybag", version: 7, .keybag))
    #expect(try device.failure(GetEnclaveStatus()) == .stateDamaged)
  }

  @Test("E5: a record of attempts with a byte too many is none: the worst is assumed")
  func longAttempts() throws {
    let files = try EnrolledDevice.beforeFirstUnlock().platform.files
    let status = try device(
      with: lengthened(files, "attempts", "authcore attempts", version: 6, .attempts)
    ).status
    #expect(status.isLockedOut && status.passcodeDelay == 3600)
  }

  @Test("a file of another kind is told from a damaged one")
  func otherKind() throws {
    var files = try EnrolledDevice.beforeFirstUnlock().platform.files
    files["keybag"] = files["attempts"]
    #expect {
      _ = try device(with: files).status
    } throws: { error in
      let failure = error as? Failure
      return failure?.code == .stateDamaged
        && failure?.message.contains("keybag is not a state file") == true
    }
  }

  @Test("a finger lies in one of five slots, and its record says no other")
  func slots() throws {
    for slot in 0...7 as ClosedRange<UInt8> {
      let record = FingerRecord(
        identifier: 1, slot: slot, origin: .reader, rate: .strict, enrolledAt: 2, name: "n")
      var encoder = WireEncoder()
      record.encode(into: &encoder)
      let bytes = encoder.finish()
      var decoder = WireDecoder(bytes.bytes)
      let decoded = try? FingerRecord(from: &decoder, version: 6)
      #expect(decoded == (1...5 ~= slot ? record : nil), "\(slot)")
    }
  }

  @Test("a template fills its file at most")
  func templateSize() throws {
    let whole = try FingerTemplates.padded(SecretBytes(count: 8), to: 8)
    #expect(whole.count == 8)
    let shorter = try FingerTemplates.padded(SecretBytes(count: 3), to: 8)
    #expect(shorter.count == 8)
    #expect(throws: Failure.self) {
      let longer = try FingerTemplates.padded(SecretBytes(count: 9), to: 8)
      _ = longer.count
    }
  }

  @Test("a file left of an earlier finger that cannot be removed is logged and hinders nothing")
  func stuckLeftover() throws {
    var files = try EnrolledDevice.beforeFirstUnlock().platform.files
    files["finger-2"] = [1, 2, 3]
    let platform = SimulatedPlatform(files: files, seed: 6)
    platform.writesLeft = 0
    let device = SimulatedDevice(platform)
    #expect(try device.status.isPasscodeSet)
    #expect(platform.logged.contains { $0.contains("finger-2") })
  }

  @Test("E2: a score at the threshold is a match, and one below it is none")
  func threshold() throws {
    let finger = FingerRecord(
      identifier: 1, slot: 1, origin: .reader, rate: .strict, enrolledAt: 2, name: "n")
    func isMatch(_ score: Double) -> Bool {
      FingerComparison(finger: finger, score: score, threshold: 14).isMatch
    }
    #expect(isMatch(14) && !isMatch(14.0.nextDown))
  }

  @Test("E5: that the record of attempts is lost is logged where there was one to lose")
  func lostAttempts() throws {
    func logs(of files: [String: [UInt8]]) throws -> [String] {
      var files = files
      files["attempts"] = nil
      let device = device(with: files)
      _ = try device.status
      return device.platform.logged.filter { $0.contains("failed attempts") }
    }
    #expect(try logs(of: EnrolledDevice.beforeFirstUnlock().platform.files).count == 1)
    let bare = SimulatedDevice()
    _ = try bare.sealed("item")
    #expect(try logs(of: bare.platform.files).isEmpty)
  }

  @Test("K5: a keybag that is full of generations says so in the log, and one that is not does not")
  func manyGenerations() throws {
    let platform = SimulatedPlatform()
    let ring = try KeyRing(
      StoredState.load(from: platform), appPasswordCost: SimulatedDevice.cost.ofAppPasswords)
    var keys = ring.held
    for number in 2...UInt32(Generations.most - 1) {
      let isBegun = try keys.generations.begin(number, SymmetricKey())
      #expect(isBegun)
    }
    keys = try ring.renewed(keys)
    #expect(platform.logged.isEmpty)
    keys = try ring.renewed(keys)
    #expect(platform.logged.count == 1)
    // The same without the passcode at hand, by the key of the list.
    var keybag = ring.state.keybag
    keybag.wrapped = try WrappedClassKeys(ring.held, under: SymmetricKey())
    _ = try ring.renew(&keybag, with: #require(ring.held.generationsKey))
    #expect(platform.logged.count == 1)
    keybag.wrapped = try WrappedClassKeys(keys, under: SymmetricKey())
    _ = try ring.renew(&keybag, with: #require(keys.generationsKey))
    #expect(platform.logged.count == 2)
  }

  // MARK: The delay after wrong passcodes

  @Test("E5: an empty passcode is wrong and is no try")
  func emptyPasscode() throws {
    let device = try SimulatedDevice.withPasscode()
    for number in 0..<4 { #expect(try device.refusal(of: "wrong \(number)") != nil) }
    #expect(try device.refusal(of: "") == .authenticationFailed)
    #expect(try device.status.passcodeDelay == 0)
    #expect(try device.refusal(of: "wrong 4") == .authenticationFailed)
    #expect(try device.status.passcodeDelay == 60)
  }

  @Test("E5: who gives a wrong passcode is told how long the next one waits, where it waits")
  func hint() throws {
    let device = try SimulatedDevice.withPasscode()
    for number in 1...5 {
      try device.openContext(1)
      let wrong = try secret(Array("wrong \(number)".utf8))
      let request = VerifyPasscode(context: 1, unlocksDevice: false, passcode: wrong)
      #expect {
        try device.send(request)
      } throws: { error in
        let hint = (error as? Failure)?.hint
        return number < 5 ? hint == nil : hint?.contains("60 s") == true
      }
    }
  }

  @Test("E5: a record of more wrong passcodes than are remembered is read by the next enclave")
  func manyWrongPasscodes() throws {
    let device = try SimulatedDevice.withPasscode()
    for number in 0..<20 {
      device.platform.advance(seconds: 3600)
      #expect(try device.refusal(of: "wrong \(number)") == .authenticationFailed)
    }
    device.restart()
    let status = try device.status
    #expect(status.passcodeDelay == 3600)
    #expect(!status.isLockedOut, "the record was lost, and the worst assumed")
  }

  @Test("A4: a device without a passcode delays nobody, and neither does one just set")
  func noDelayWithoutPasscode() throws {
    let device = SimulatedDevice()
    _ = try device.sealed("item")
    let bare = device.platform.files["keybag"]
    try device.setPasscode()
    for number in 0..<5 { #expect(try device.refusal(of: "wrong \(number)") != nil) }
    #expect(try device.status.passcodeDelay == 60)
    device.platform.files["keybag"] = bare
    device.restart()
    #expect(try device.status.isPasscodeSet == false)
    #expect(try device.status.passcodeDelay == 0)
    try device.setPasscode()
    #expect(try device.status.passcodeDelay == 0)
    device.restart()
    #expect(try device.status.passcodeDelay == 0)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
  }
}
