import Glibc
import LinuxSystem
import Testing
import Wire

@testable import PluginHosting

@Suite("The enclave's folder", .timeLimit(.minutes(15)))
struct FolderStoreTests {
  private func store(_ folder: TemporaryFolder) throws -> FolderStore {
    try FolderStore(path: folder.file("store"))
  }

  @Test(
    "what is no regular file is refused by name, at once", arguments: ["fifo", "link", "folder"])
  func notRegular(kind: String) throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    let path = store.path + "/finger-1"
    switch kind {
    case "fifo": #expect(unsafe mkfifo(path, 0o600) == 0)
    case "link": #expect(unsafe symlink("/etc/hostname", path) == 0)
    default: #expect(unsafe mkdir(path, 0o700) == 0)
    }
    do {
      _ = try store.open("finger-1") == nil
      Issue.record("a \(kind) was opened")
    } catch {
      #expect(error.code == .storageFailed)
      #expect(error.message.contains("finger-1 is no regular file"))
    }
  }

  @Test("what is removed is overwritten first; what has another name too stays as it is there")
  func overwritten() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    let bytes = [UInt8](repeating: 7, count: 10_000)
    for isLinked in [false, true] {
      try store.save("root.key", bytes.span)
      let descriptor = unsafe open(store.path + "/root.key", O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      let backup = folder.file("backup")
      if isLinked { #expect(unsafe link(store.path + "/root.key", backup) == 0) }
      try store.remove("root.key")
      var found = [UInt8](repeating: 1, count: bytes.count + 1)
      let count = unsafe read(descriptor, &found, found.count)
      #expect(count == bytes.count)
      #expect(found.dropLast() == (isLinked ? bytes : bytes.map { _ in 0 })[...])
      #expect(unsafe access(store.path + "/root.key", F_OK) != 0)
    }
  }

  @Test("room is kept in reserve from the first save on, and made anew where somebody cut it short")
  func reserve() throws {
    let folder = try TemporaryFolder()
    let reserve = folder.file("store/.reserve")
    func size() -> Int {
      var status = stat()
      return unsafe stat(reserve, &status) == 0 ? Int(status.st_size) : -1
    }
    for cut in [nil, 0, 100] as [Int?] {
      if let cut { #expect(unsafe truncate(reserve, cut) == 0) }
      let store = try store(folder)
      #expect(size() == cut ?? -1, "nothing is written before something is saved")
      try store.save("attempts", ([1, 2, 3] as [UInt8]).span)
      #expect(size() == 64 << 10)
    }
  }

  @Test("room is kept in reserve after a save that failed, too")
  func reserveAfterFailure() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    #expect(unsafe mkdir(store.path + "/.attempts.new", 0o700) == 0)
    let failure = #expect(throws: Failure.self) {
      try store.save("attempts", ([1, 2, 3] as [UInt8]).span)
    }
    #expect(failure?.code == .storageFailed)
    #expect(failure?.message.contains("Is a directory") == true, "of the save, not of the reserve")
    #expect(SmallFile.contents(of: store.path + "/.reserve")?.count == 64 << 10)
  }

  @Test("what is kept in reserve takes its room on a file system that compresses, too")
  func incompressible() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    try store.save("attempts", ([1, 2, 3] as [UInt8]).span)
    let bytes = try #require(SmallFile.contents(of: store.path + "/.reserve"))
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes { counts[Int(byte)] += 1 }
    // 256 of each are expected; no code for single bytes makes less of that, and repetitions of eight
    // would be found by any other.
    #expect(counts.allSatisfy { 128...512 ~= $0 }, "\(counts)")
    let words = stride(from: 0, to: bytes.count, by: 8).map { bytes[$0..<$0 + 8] }
    #expect(Set(words).count == words.count)
  }

  @Test("what lies where a file is prepared is not written through and keeps nobody waiting")
  func temporary() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    let bytes: [UInt8] = [1, 2, 3]
    let temporary = store.path + "/.attempts.new"
    #expect(unsafe mkfifo(temporary, 0o600) == 0)
    try store.save("attempts", bytes.span)
    let elsewhere = folder.file("elsewhere")
    #expect(unsafe symlink(elsewhere, temporary) == 0)
    try store.save("attempts", bytes.span)
    let size = try store.open("attempts")?.size
    #expect(size == 3)
    #expect(unsafe access(elsewhere, F_OK) != 0)
  }
}
