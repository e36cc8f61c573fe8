import Glibc
import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import PluginHosting

@Suite("The enclave's folder", .timeLimit(.minutes(60)))
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

  @Test("a file is replaced in the room of the reserve, again and again, and leaves its own")
  func inReserve() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    try store.save("attempts", [UInt8](repeating: 1, count: 100).span)
    let number = unsafe open(store.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let descriptor = Descriptor(owning: number)
    let reserve = RoomReserve()
    for round in 0..<5 {
      let bytes = [UInt8](repeating: UInt8(round), count: 100)
      let isReplaced = try reserve.replace("attempts", bytes.span, in: descriptor)
      #expect(isReplaced)
      #expect(SmallFile.contents(of: store.path + "/attempts") == bytes)
      let rest = try #require(SmallFile.contents(of: store.path + "/.reserve"))
      // What the file was before does not lie there any longer.
      #expect(rest.count == 100 && Set(rest).count > 20, "round \(round)")
    }
    // More than the blocks of a file of 100 bytes hold.
    let large = [UInt8](repeating: 9, count: 64 << 10)
    let isTooLarge = try !reserve.replace("attempts", large.span, in: descriptor)
    #expect(isTooLarge, "it would take new room")
    #expect(SmallFile.contents(of: store.path + "/attempts")?.first == 4)
    #expect(unsafe link(store.path + "/.reserve", store.path + "/other") == 0)
    let isOfOthers = try !reserve.replace("attempts", [1].span, in: descriptor)
    #expect(isOfOthers, "it would be written through another name")
    #expect(unsafe unlink(store.path + "/other") == 0)
    #expect(SmallFile.contents(of: store.path + "/.reserve")?.count == 100, "for smaller files")
    let isNew = try reserve.replace("keybag", [7].span, in: descriptor)
    #expect(isNew && SmallFile.contents(of: store.path + "/keybag") == [7])
    let isGone = try !reserve.replace("keybag", [8].span, in: descriptor)
    #expect(isGone && SmallFile.contents(of: store.path + "/keybag") == [7])
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
