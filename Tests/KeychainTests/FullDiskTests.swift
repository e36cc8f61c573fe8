import CTestSupport
import Foundation
import GRDB
import Glibc
import Protocol
import Testing

/// The disk is full from one write on, each in turn, and has room again after the request.
@Suite("A full disk", .timeLimit(.minutes(60)))
struct FullDiskTests {
  struct Request: CustomTestStringConvertible, Sendable {
    let name: String
    let ask: @Sendable (TestKeychain) throws -> Void
    var testDescription: String { name }
  }

  private static let long = String(repeating: "long", count: 4000)
  private static let longest = String(repeating: "longest", count: 6800)
  private static let requests: [Request] = [
    .init(name: "add") { try $0.add("new", secret: long) },
    .init(name: "find") { _ = try $0.find() },
    .init(name: "get") { _ = try $0.get(query("mail", "0")) },
    .init(name: "update") { try $0.update(query("mail", "1"), secret: long) },
    .init(name: "update of several") { try $0.update(query("mail"), secret: long, all: true) },
    .init(name: "rename") { try $0.update(query("mail", "1"), changes(account: "moved")) },
    .init(name: "remove") { try $0.remove(query("mail", "2")) },
    .init(name: "remove of several") { try $0.remove(query("mail"), all: true) },
    .init(name: "key create") { try $0.createKey("new") },
    .init(name: "key remove") { try $0.removeKey("old") },
    .init(name: "removal with the passcode") { _ = try $0.removePasscodeBound() },
  ]

  /// The files of a keychain with some of everything.
  private static let filled = Result<[String: Data], any Error> {
    let folder = try TestFolder()
    let keychain = try TestKeychain(folder)
    for number in 0..<3 { try keychain.add("mail", "\(number)", secret: "\(number)") }
    try keychain.add("guarded", access: "passcode")
    try keychain.createKey("old")
    return try folder.files
  }

  /// That keychain in a folder of its own.
  private func copied(isOpen: Bool) throws -> (TestFolder, TestKeychain) {
    let folder = try TestFolder()
    try folder.write(Self.filled.get())
    let keychain = try TestKeychain(folder)
    if isOpen { _ = try keychain.find() }
    return (folder, keychain)
  }

  @Test(
    "K1: whichever write finds the disk full, nothing else changes, and with room it works",
    arguments: requests, [false, true])
  func everyWrite(request: Request, isOpen: Bool) throws {
    let (sampleFolder, sample) = try copied(isOpen: true)
    defer { withExtendedLifetime(sampleFolder) {} }
    let before = try sample.outline()
    try request.ask(sample)
    let after = try sample.outline()
    for room in 0..<200 {
      let (folder, keychain) = try copied(isOpen: isOpen)
      let disk = try SimulatedDisk(under: folder.path)
      defer { disk.end() }
      keychain.enclave.evidence[1] = [.biometry, .passcode]
      disk.isFull(after: room)
      let failure = try failure { try request.ask(keychain) }
      let wrote = disk.writes
      disk.isFull(after: nil)
      let context = "room for \(room) writes: \(failure.map { "\($0)" } ?? "done")"
      #expect(try keychain.outline() == (failure == nil ? after : before), "\(context)")
      if let failure {
        #expect(failure.code == .storageFailed, "\(context)")
        #expect(failure.message.contains("nothing was changed"), "\(context)")
        #expect(failure.hint?.contains("free space") == true, "\(context)")
        try request.ask(keychain)
        #expect(try keychain.outline() == after, "\(context)")
      }
      guard wrote > room else {
        #expect(try TestKeychain(folder).outline() == after, "\(context)")
        return
      }
    }
    Issue.record("more writes than any request needs")
  }

  // In a child with one thread, which alone may have a namespace of its own.
  @Test("K1: on a file system that is really full an add fails clearly, and with room it works")
  func realDisk() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      let child = tap_fork()
      if child == 0 { _exit(Self.fillRealDisk(folder)) }
      var status: Int32 = 0
      guard unsafe waitpid(child, &status, 0) == child else { exit(1) }
      exit(status & 0x7F == 0 ? status >> 8 : 1)
    }
  }

  @Test(
    "FINDINGS B13: items are removed on a file system that is really full, by a new engine too",
    arguments: [false, true])
  func removalOnRealDisk(isReopened: Bool) async throws {
    await #expect(processExitsWith: .success) { [isReopened] in
      let folder = try TestFolder()
      let child = tap_fork()
      if child == 0 { _exit(Self.removeOnRealDisk(folder, isReopened: isReopened)) }
      var status: Int32 = 0
      guard unsafe waitpid(child, &status, 0) == child else { exit(1) }
      exit(status & 0x7F == 0 ? status >> 8 : 1)
    }
  }

  /// What is wrong, as a number; 0: nothing, or mounting is forbidden.
  private static func removeOnRealDisk(_ folder: TestFolder, isReopened: Bool) -> Int32 {
    guard unsafe tap_mount_memory(folder.path, 2000) == 0 else { return 0 }
    do {
      var keychain = try TestKeychain(folder)
      for number in 0..<12 { try keychain.add("\(number)") }
      try keychain.add("large", secret: long)
      if isReopened { keychain = try TestKeychain(folder) }
      try fill(folder)
      if isReopened {
        // An engine that was there before has room in its log.
        let failed = try failure { try keychain.add("more", secret: Self.longest) }
        guard failed?.code == .storageFailed else { return 2 }
      }
      for number in ["3", "large", "4", "5", "6"] {
        try keychain.remove(query(number))
        try fill(folder)
        if isReopened { keychain = try TestKeychain(folder) }
      }
      guard try keychain.find().count == 8 else { return 3 }
      for number in [0, 1, 2, 7, 8, 9, 10, 11]
      where try keychain.get(query("\(number)")) != "s3cret" {
        return 4
      }
      return 0
    } catch {
      return 5
    }
  }

  /// Leaves no block of the disk that others can take.
  private static func fill(_ folder: TestFolder) throws {
    let descriptor = unsafe open(folder.path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 4096)
    while unsafe Glibc.write(descriptor, block, block.count) > 0 {}
  }

  /// What is wrong, as a number; 0: nothing, or mounting is forbidden.
  private static func fillRealDisk(_ folder: TestFolder) -> Int32 {
    guard unsafe tap_mount_memory(folder.path, 600) == 0 else { return 0 }
    do {
      let ballast = folder.path + "/ballast"
      try write(Data(count: 200_000), to: ballast)
      let keychain = try TestKeychain(folder)
      var count = 0
      while count < 100_000 {
        let failure = try failure { try keychain.add("\(count)", secret: long) }
        guard let failure else {
          count += 1
          continue
        }
        guard failure.code == .storageFailed, failure.message.contains("no space") else { return 2 }
        break
      }
      guard count > 0, try keychain.find().count == count else { return 3 }
      try FileManager.default.removeItem(atPath: ballast)
      try keychain.add("\(count)", secret: long)
      for number in 0...count where try keychain.get(query("\(number)")) != long { return 4 }
      return 0
    } catch {
      return 5
    }
  }
}

@Suite("Room in the write-ahead log")
final class LogRoomTests: OneKeychain {
  private var log: String { folder.database + "-wal" }

  private func length() throws -> Int { try contents(of: log).count }

  @Test("K4: most adds write into room that is there, and none needs more than a megabyte more")
  func seldomLonger() throws {
    var lengths: [Int] = []
    for number in 0..<120 {
      try keychain.add("service \(number)")
      lengths.append(try length())
    }
    let steps = zip(lengths, lengths.dropFirst()).map { $1 - $0 }
    #expect(steps.filter { $0 != 0 }.count < 15, "\(steps)")
    #expect(steps.allSatisfy { 0...(1 << 20) + (64 << 10) ~= $0 })
    #expect(try keychain.find().count == 120)
  }

  @Test("what lies in the room is read by nobody, whatever it is")
  func strangeRoom() throws {
    try keychain.add("service 0")
    let file = try FileHandle(forUpdating: URL(filePath: log))
    let end = try file.seekToEnd()
    try file.seek(toOffset: end - 16_000)
    try file.write(contentsOf: Data((0..<16_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
    try file.close()
    let other = try TestKeychain(folder)
    #expect(try other.find().count == 1)
    for number in 1..<30 { try other.add("service \(number)") }
    #expect(try keychain.find().count == 30)
  }

  @Test("a removal overwrites the log in its place, which others then find whole")
  func afterRemoval() throws {
    for number in 0..<10 { try keychain.add("service \(number)") }
    let before = try length()
    for number in 3..<6 { try keychain.remove(query("service \(number)")) }
    #expect(try length() == before)
    #expect(try contents(of: log).suffix(before / 4).allSatisfy { $0 == 0 })
    for number in 10..<20 { try keychain.add("service \(number)") }
    let other = try TestKeychain(folder)
    #expect(try other.find().count == 17)
    try other.remove(query("service 12"))
    try keychain.remove(query("service 13"))
    #expect(try keychain.find().count == 15)
    #expect(try other.find().count == 15)
  }

  @Test("another file in the log's place is not touched", arguments: [false, true])
  func anotherFile(isSymbolicLink: Bool) throws {
    for number in 0..<3 { try keychain.add("service \(number)") }
    let precious = folder.path + "/precious"
    let before = Data(repeating: 7, count: 1 << 20)
    try write(before, to: precious)
    try FileManager.default.removeItem(atPath: log)
    if isSymbolicLink {
      try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: precious)
    } else {
      try FileManager.default.linkItem(atPath: precious, toPath: log)
    }
    for number in 3..<9 { _ = try? keychain.add("service \(number)") }
    #expect(try contents(of: precious) == before)
  }
}
