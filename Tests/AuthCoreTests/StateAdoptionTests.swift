import ClientProtocol
import Glibc
import LinuxSystem
import Testing
import Wire

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
  private func sealedFile() throws -> Descriptor {
    let number = unsafe open("/etc/passwd", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemCallError("open") }
    let memory = try MemoryFile(copying: Descriptor(owning: number))
    return Descriptor(owning: dup(memory.number))
  }

  @Test(
    "files come over one connection: no other adds to them, and one that ends leaves nothing in the way"
  )
  func givers() throws {
    try withTemporaryFolder { folder in
      let adoption = StateAdoption(folder: folder)
      var first: Giver? = Giver()
      let second = Giver()
      if let first { try adoption.take(try sealedFile(), .enclave, "keybag", from: first) }
      let refused = #expect(throws: Failure.self) {
        try adoption.take(try sealedFile(), .enclave, "attempts", from: second)
      }
      #expect(refused?.code == .busy)
      #expect(throws: Failure.self) { try adoption.requireState(from: second) }
      if let first { try adoption.requireState(from: first) }
      first = nil
      try adoption.take(try sealedFile(), .enclave, "root.key", from: second)
      #expect(!isThere(folder + "/incoming/enclave/keybag"), "files of two states were mixed")
      try adoption.take(try sealedFile(), .enclave, "keybag", from: second)
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
