import Glibc
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Taking a state folder's place")
struct StateAdoptionTests {
  private static let unused = [
    "enclave/.lock", "enclave/.reserve", "enclave/.attempts.new", "enclave/attempts",
    "enclave/keybag", "enclave/root.key", "keychain/keychain.sqlite",
    "keychain/keychain.sqlite-shm", "keychain/keychain.sqlite-wal",
  ]
  private static let moved = ["enclave/finger-1", "enclave/keybag", "keychain/keychain.sqlite"]

  /// Makes files, each with its `mark` and path in it, and the folders they lie in.
  private func make(_ files: [String], in folder: String, _ mark: String) throws {
    for file in files {
      let path = folder + "/" + file
      for (index, character) in path.enumerated() where character == "/" && index > 0 {
        _ = unsafe mkdir(String(path.prefix(index)), 0o700)
      }
      let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard number >= 0 else { throw SystemCallError("open") }
      let text = Array("\(mark) \(file)".utf8)
      let written = Descriptor(owning: number)
      #expect(unsafe write(written.number, text, text.count) == text.count)
    }
  }

  private func holds(_ file: String, _ mark: String, _ folder: String) -> Bool {
    SmallFile.contents(of: folder + "/" + file) == Array("\(mark) \(file)".utf8)
  }

  private func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// A state of the service's, and one that was gathered to take its place.
  private func makeBoth(_ own: [String], in folder: String) throws {
    try make(own, in: folder, "own")
    try make(Self.moved + ["replacing/x"], in: folder + "/adopted", "moved")
  }

  private final class Giver: Sendable {}

  /// A file as clients hand it over.
  private func file(_ path: String = "/etc/passwd") throws -> Descriptor {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemCallError("open") }
    return Descriptor(owning: number)
  }

  /// The file of a root key of this version, whatever its key.
  private func rootKey(_ version: UInt32, in folder: String) throws -> Descriptor {
    var encoder = WireEncoder()
    encoder.writeText(RootKeyFile.magic)
    encoder.writeUInt32(version)
    let path = folder + "/root-key-\(version)"
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemCallError("open") }
    let bytes = encoder.finishPlain()
    let written = Descriptor(owning: number)
    #expect(unsafe write(written.number, bytes, bytes.count) == bytes.count)
    return try file(path)
  }

  @Test(
    "FINDINGS A6: files that are no part of a state are not taken, that of an erasure above all")
  func names() throws {
    try withTemporaryFolder { folder in
      let adoption = StateAdoption(folder: folder)
      let giver = Giver()
      let names: [(StatePart, String)] = [
        (.enclave, "erasing"), (.enclave, "aside-1.root.key"), (.enclave, "finger-6"),
        (.enclave, ".reserve"), (.enclave, "../keybag"), (.enclave, ""),
        (.keychain, "keychain.sqlite-shm"), (.keychain, "keychain.sqlite-journal"),
        (.keychain, "keychain.sqlite.complete"), (.keychain, "given.sqlite"),
      ]
      for (part, name) in names {
        let refused = #expect(throws: Failure.self) {
          try adoption.take(try file(), part, name, from: giver)
        }
        #expect(refused?.code == .usage, "\(name)")
      }
    }
  }

  @Test("FINDINGS A6: a root key that is in a TPM is not taken in, nor one of another kind")
  func boundRootKey() throws {
    try withTemporaryFolder { folder in
      let cases: [(UInt32, FailureCode)] = [
        (RootKeyFile.boundVersion, .unsupported), (3, .stateDamaged),
      ]
      for (version, code) in cases {
        let adoption = StateAdoption(folder: folder)
        let giver = Giver()
        try adoption.take(try file(), .enclave, "keybag", from: giver)
        try adoption.take(try rootKey(version, in: folder), .enclave, "root.key", from: giver)
        for attempt in [
          { try adoption.requireState(from: giver) },
          { try adoption.rebuildDatabase(from: giver) {} }, { try adoption.complete(from: giver) },
        ] {
          let refused = #expect(throws: Failure.self) { try attempt() }
          #expect(refused?.code == code && refused?.hint != nil)
        }
        #expect(!isThere(folder + "/adopted"))
      }
    }
  }

  @Test(
    "FINDINGS A5: the database that becomes the user's is the keychain's own, never the one given")
  func rebuilt() throws {
    try withTemporaryFolder { folder in
      let adoption = StateAdoption(folder: folder)
      let giver = Giver()
      try adoption.take(try file(), .enclave, "keybag", from: giver)
      try adoption.take(try rootKey(1, in: folder), .enclave, "root.key", from: giver)
      for name in ["keychain.sqlite", "keychain.sqlite-wal"] {
        try adoption.take(try file(), .keychain, name, from: giver)
      }
      try adoption.requireNothingKept()
      // Without the keychain's copy there is nothing to take in.
      #expect(throws: Failure.self) { try adoption.complete(from: giver) }
      adoption.stopGathering()
      #expect(!isThere(folder + "/incoming") && !isThere(folder + "/keychain/given.sqlite"))
      try adoption.take(try file(), .enclave, "keybag", from: giver)
      try adoption.take(try rootKey(1, in: folder), .enclave, "root.key", from: giver)
      try adoption.take(try file(), .keychain, "keychain.sqlite", from: giver)
      try adoption.rebuildDatabase(from: giver) { () throws(Failure) in
        do {
          try make(["keychain/copied.sqlite"], in: folder, "copied")
        } catch {
          Issue.record("\(error)")
        }
      }
      try adoption.complete(from: giver)
      try adoption.finish()
      #expect(
        SmallFile.contents(of: folder + "/keychain/keychain.sqlite")
          == Array("copied keychain/copied.sqlite".utf8))
      #expect(!isThere(folder + "/keychain/given.sqlite"))
    }
  }

  @Test(
    "files come over one connection: no other adds to them, and one that ends leaves nothing in the way"
  )
  func givers() throws {
    try withTemporaryFolder { folder in
      let adoption = StateAdoption(folder: folder)
      var first: Giver? = Giver()
      let second = Giver()
      if let first {
        try adoption.take(try file(), .enclave, "keybag", from: first)
        try adoption.take(
          try rootKey(RootKeyFile.fileVersion, in: folder), .enclave, "root.key", from: first)
      }
      let refused = #expect(throws: Failure.self) {
        try adoption.take(try file(), .enclave, "attempts", from: second)
      }
      #expect(refused?.code == .busy)
      #expect(throws: Failure.self) { try adoption.requireState(from: second) }
      if let first { try adoption.requireState(from: first) }
      first = nil
      try adoption.take(try rootKey(1, in: folder), .enclave, "root.key", from: second)
      #expect(!isThere(folder + "/incoming/enclave/keybag"), "files of two states were mixed")
      try adoption.take(try file(), .enclave, "keybag", from: second)
      try adoption.complete(from: second)
      #expect(isThere(folder + "/adopted/enclave/root.key"))
    }
  }

  @Test("a state that was never used makes way")
  func unused() throws {
    try withTemporaryFolder { folder in
      try make(Self.unused, in: folder, "own")
      let adoption = StateAdoption(folder: folder)
      try adoption.requireNothingKept()
      try makeBoth([], in: folder)
      try adoption.finish()
      for file in Self.moved { #expect(holds(file, "moved", folder), "\(file)") }
      #expect(!isThere(folder + "/enclave/root.key") && !isThere(folder + "/adopted"))
    }
  }

  @Test(
    "a file that was put aside is named before anything moves, and nothing is lost",
    arguments: [
      "enclave/aside-1.root.key", "enclave/aside-16.finger-1", "enclave/finger-2",
      "enclave/erasing", "keychain/keychain.sqlite.lost-1", "keychain/keychain.sqlite.lost-1-wal",
      "keychain/keychain.sqlite.damaged-1", "keychain/keychain.sqlite.complete",
    ])
  func kept(file: String) throws {
    try withTemporaryFolder { folder in
      let files = Self.unused + [file]
      try make(files, in: folder, "own")
      let adoption = StateAdoption(folder: folder)
      let refusal = #expect(throws: Failure.self) { try adoption.requireNothingKept() }
      #expect(refusal?.code == .errSecDuplicateItem)
      #expect(refusal?.message.contains("\(folder)/\(file)") == true)
      #expect(refusal?.hint?.contains("authcore backup restore") == true)
      // It came between the last look and the end of that core.
      try makeBoth([], in: folder)
      let late = #expect(throws: Failure.self) { try adoption.finish() }
      #expect(late?.message == refusal?.message)
      for file in files { #expect(holds(file, "own", folder), "\(file)") }
      // Said once: the user goes on with what is theirs.
      try adoption.finish()
      for file in files { #expect(holds(file, "own", folder), "\(file)") }
      #expect(!isThere(folder + "/adopted") && !isThere(folder + "/incoming"))
    }
  }

  @Test("in the middle of it, a database that was put aside stays, and so does what comes")
  func keptInTheMiddle() throws {
    try withTemporaryFolder { folder in
      let file = "keychain/keychain.sqlite.lost-1"
      try make(["enclave/keybag", "keychain/keychain.sqlite", file], in: folder, "own")
      try make(["keychain/keychain.sqlite"], in: folder + "/adopted", "moved")
      let adoption = StateAdoption(folder: folder)
      #expect(throws: Failure.self) { try adoption.finish() }
      #expect(holds(file, "own", folder))
      #expect(holds("keychain/keychain.sqlite", "moved", folder + "/adopted"))
      // Somebody takes it away.
      #expect(unsafe unlink(folder + "/" + file) == 0)
      try adoption.finish()
      #expect(holds("keychain/keychain.sqlite", "moved", folder))
    }
  }
}
