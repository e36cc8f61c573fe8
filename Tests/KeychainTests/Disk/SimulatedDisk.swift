import CTestSupport
import Foundation
import Glibc
import Synchronization

/// The disk under one folder, which notes what is asked of it and can be full. Whatever writes
/// there in this process is noted, SQLite and the keychain alike; the index of the write-ahead log
/// is not, because SQLite makes it anew after a loss of power.
final class SimulatedDisk: Sendable {
  private let folder: String
  private let state: Mutex<State>

  private struct State {
    var events: [DiskEvent] = []
    var names: [String: UInt64] = [:]
    var numbers: [UInt64: Int] = [:]
    var files = 0
    /// How many more writes succeed; nil: all.
    var room: Int?
    var writes = 0
    /// How many more calls this process lives for; nil: it is not killed.
    var life: Int?
  }

  /// How many of the events say what lay in the folder before.
  let beginning: Int

  private static let disks = Mutex<[String: SimulatedDisk]>([:])

  /// Begins with the files that lie in the folder, as if they had been synced.
  init(under folder: String) throws {
    self.folder = folder
    var state = State()
    Self.lookForFiles(in: folder, &state)
    for (name, inode) in state.names {
      guard let file = state.numbers[inode] else { continue }
      let bytes = try [UInt8](contents(of: folder + "/" + name))
      state.events += [.wrote(file: file, offset: 0, bytes: bytes), .synced(file: file)]
    }
    state.events.append(.syncedFolder)
    beginning = state.events.count
    self.state = Mutex(state)
    Self.disks.withLock { $0[folder] = self }
    unsafe tap_calls { call in unsafe SimulatedDisk.pass(call) }
  }

  /// Notes nothing from here on.
  func end() { Self.disks.withLock { $0[folder] = nil } }

  /// Everything that was asked, a moment at a time.
  var events: [DiskEvent] { state.withLock { $0.events } }

  /// How many writes were asked for.
  var writes: Int { state.withLock { $0.writes } }

  /// The writes after the next `count` find no space left; nil: there is enough again.
  func isFull(after count: Int?) { state.withLock { $0.room = count } }

  /// This process is killed instead of making the call after the next `count`.
  func killsAtCall(_ count: Int) { state.withLock { $0.life = count } }

  /// Notes that a request was answered.
  func answered() {
    state.withLock { state in
      Self.lookForFiles(in: folder, &state)
      state.events.append(.answered)
    }
  }

  /// Notes which files there are that were not there before.
  private static func lookForFiles(in folder: String, _ state: inout State) {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in found.sorted() where state.names[name] == nil && !name.hasSuffix("-shm") {
      var status = stat()
      guard unsafe stat(folder + "/" + name, &status) == 0 else { continue }
      state.files += 1
      state.names[name] = UInt64(status.st_ino)
      state.numbers[UInt64(status.st_ino)] = state.files
      state.events.append(.created(file: state.files, name: name))
    }
  }

  /// The tap: finds the disk a call is for.
  @unsafe private static func pass(_ call: UnsafePointer<tapped_call>?) -> Int32 {
    guard let call = unsafe call?.pointee else { return 0 }
    let path =
      unsafe call.path.map { unsafe String(cString: $0) }
      ?? Self.path(of: call.descriptor)
    guard let path else { return 0 }
    let parent = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    let disk = disks.withLock { $0[parent] ?? $0[path] }
    guard let disk else { return 0 }
    let name = String(path.dropFirst(disk.folder.count + 1))
    return disk.state.withLock { unsafe disk.note(call, of: name, in: &$0) }
  }

  private static func path(of descriptor: Int32) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @unsafe private func note(_ call: tapped_call, of name: String, in state: inout State) -> Int32 {
    if let life = state.life {
      if life == 0 { kill(getpid(), SIGKILL) }
      state.life = life - 1
    }
    Self.lookForFiles(in: folder, &state)
    let isWrite = unsafe call.kind == TAPPED_WRITE
    if isWrite, name != "" {
      state.writes += 1
      if let room = state.room {
        guard room > 0 else { return ENOSPC }
        state.room = room - 1
      }
    }
    if unsafe call.kind == TAPPED_SYNC, name.isEmpty {
      state.events.append(.syncedFolder)
      return 0
    }
    if let target = unsafe call.target {
      let target = unsafe String(cString: target).dropFirst(folder.count + 1)
      let isRename = unsafe call.kind == TAPPED_RENAME
      rename(name, to: String(target), keepsOld: !isRename, in: &state)
      return 0
    }
    guard let inode = state.names[name], let file = state.numbers[inode] else { return 0 }
    switch unsafe call.kind {
    case TAPPED_WRITE:
      let bytes = unsafe Array(UnsafeBufferPointer(start: call.bytes, count: call.count))
      state.events.append(unsafe .wrote(file: file, offset: Int(call.offset), bytes: bytes))
    case TAPPED_TRUNCATE:
      state.events.append(unsafe .truncated(file: file, count: Int(call.offset)))
    case TAPPED_SYNC: state.events.append(.synced(file: file))
    case TAPPED_UNLINK:
      state.events.append(.removed(name))
      state.names[name] = nil
    default: break
    }
    return 0
  }

  private func rename(
    _ name: String, to target: String, keepsOld: Bool, in state: inout State
  ) {
    guard let inode = state.names[name], !keepsOld || state.names[target] == nil else { return }
    state.events.append(keepsOld ? .linked(name, to: target) : .renamed(name, to: target))
    state.names[target] = inode
    if !keepsOld { state.names[name] = nil }
  }
}

/// What was asked of a disk, in its order. A file has a number of its own for as long as it exists,
/// whatever it is called.
enum DiskEvent {
  case created(file: Int, name: String)
  case renamed(String, to: String)
  case linked(String, to: String)
  case removed(String)
  case wrote(file: Int, offset: Int, bytes: [UInt8])
  case truncated(file: Int, count: Int)
  /// Nothing that was asked of this file before can be lost any more.
  case synced(file: Int)
  /// Nor any name that was given or taken before.
  case syncedFolder
  /// A request was answered.
  case answered
}
