import CSystemCalls
import Glibc

/// The program file that a process runs, by the kernel's word.
package struct RunningExecutable: Equatable, Sendable {
  /// Absolute and canonical, at most 4,095 bytes, perhaps not UTF-8; the former path of a file that
  /// was replaced or removed.
  package let path: [UInt8]
  private let file: FileNumber

  package init(path: [UInt8], device: UInt64, inode: UInt64) {
    self.path = path
    file = FileNumber(device: device, inode: inode)
  }

  /// Device and inode (stat(2)).
  package var device: UInt64 { file.device }
  package var inode: UInt64 { file.inode }

  fileprivate struct FileNumber: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  /// Nil without `/proc`.
  package static func ofThisProcess() -> RunningExecutable? { RunningExecutable(of: "self") }

  /// Nil if the kernel does not say: the process has ended, forbids it (`PR_SET_DUMPABLE`,
  /// prctl(2)), or runs a file without a path (`memfd_create(2)`).
  package init?(of process: borrowing RunningProcess) {
    guard let found = RunningExecutable(of: "\(process.identifier)"), !process.hasEnded
    else { return nil }
    self = found
  }

  /// Whether this is the file at a path, behind links.
  package func isFile(at path: [UInt8]) -> Bool { FileNumber(at: path) == file }

  /// Reads `/proc/PROCESS/exe`. Opens the link with O_PATH, so that path and file belong to one
  /// program even if the process begins another.
  private init?(of process: String) {
    let link = unsafe open("/proc/\(process)/exe", Descriptor.pathOnly | O_CLOEXEC)
    guard link >= 0 else { return nil }
    let held = Descriptor(owning: link)
    guard let file = FileNumber(of: held),
      let text = Self.target(of: "/proc/self/fd/\(held.number)"), text.first == UInt8(ascii: "/")
    else { return nil }
    self.file = file
    // proc(5) marks the path of a missing file this way; a file's name may also end so.
    guard text.suffix(Self.deleted.count) == Self.deleted[...], FileNumber(at: text) != file
    else {
      path = text
      return
    }
    guard !text.starts(with: Self.inMemory) else { return nil }
    path = text.dropLast(Self.deleted.count)
  }

  private static let deleted = Array(" (deleted)".utf8)
  private static let inMemory = Array("/memfd:".utf8)

  /// The whole text of a link (readlink(2)); nil if it exceeds PATH_MAX.
  private static func target(of link: String) -> [UInt8]? {
    var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe text.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe readlink(link, start, buffer.count)
    }
    guard count > 0, count < text.count else { return nil }
    return Array(text[..<count])
  }
}

extension RunningExecutable.FileNumber {
  /// Nil if the kernel does not know. Never waits for a file system, which may be the user's own.
  init?(of file: borrowing Descriptor) {
    var (device, inode): (UInt64, UInt64) = (0, 0)
    guard unsafe ac_file_number(file.number, &device, &inode) == 0 else { return nil }
    self.init(device: device, inode: inode)
  }

  /// The file at a path, behind links (stat(2)).
  init?(at path: [UInt8]) {
    var status = stat()
    guard unsafe stat((path + [0]).map(CChar.init(bitPattern:)), &status) == 0 else { return nil }
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}

/// The files that a process has mapped as code. For another user's process this needs
/// `CAP_SYS_PTRACE` but, unlike `/proc/PID/environ`, no right to that user's files.
package struct LoadedCode: Equatable, Sendable {
  package struct File: Hashable, Sendable {
    /// The path that the process sees, or the former path of a file that is gone.
    package let path: [UInt8]
    package let device: UInt64
    package let inode: UInt64
    /// Whether it was replaced or removed since.
    package let isGone: Bool
  }

  /// Without memory that has no path (`memfd_create(2)`).
  package let mapped: Set<File>

  /// Most bytes read.
  private static let limit = 1 << 20

  /// Nil if the kernel does not tell, or tells more than an ordinary program has. Waits while
  /// another thread holds the lock of that process's memory.
  package init?(of process: Int32) {
    guard let maps = SmallFile.contents(of: "/proc/\(process)/maps", limit: Self.limit)
    else { return nil }
    self.init(maps: maps)
  }

  /// `maps` is as in `/proc/PID/maps`.
  package init(maps: [UInt8]) {
    mapped = Set(maps.split(separator: UInt8(ascii: "\n")).compactMap { Self.file(in: $0) })
  }

  /// `7f00-7f10 r-xp 00000000 fd:01 1234    /usr/lib/x.so` (proc(5)).
  private static func file(in line: ArraySlice<UInt8>) -> File? {
    let permissions = line.drop { $0 != UInt8(ascii: " ") }.dropFirst()
    guard permissions.dropFirst(2).first == UInt8(ascii: "x") else { return nil }
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard fields.count == 6 else { return nil }
    let path = fields[5].drop { $0 == UInt8(ascii: " ") }
    guard path.first == UInt8(ascii: "/"), !path.starts(with: inMemory),
      let inode = UInt64(String(decoding: fields[4], as: UTF8.self))
    else { return nil }
    let device = fields[3].split(separator: UInt8(ascii: ":")).map { part in
      UInt64(String(decoding: part, as: UTF8.self), radix: 16) ?? 0
    }
    guard device.count == 2 else { return nil }
    let isGone = path.suffix(gone.count) == gone[...]
    return File(
      path: Array(isGone ? path.dropLast(gone.count) : path),
      device: makeDevice(major: device[0], minor: device[1]), inode: inode, isGone: isGone)
  }

  /// Like stat(2) (makedev(3)).
  private static func makeDevice(major: UInt64, minor: UInt64) -> UInt64 {
    (major & 0xffff_f000) << 32 | (major & 0xfff) << 8 | (minor & 0xffff_ff00) << 12 | minor & 0xff
  }

  /// Whether a device number belongs to a file system without a device. Some, such as btrfs, use
  /// other numbers in stat(2) than in `/proc/PID/maps`.
  package static func isMadeUp(device: UInt64) -> Bool {
    device >> 8 & 0xfff == 0 && device >> 44 == 0
  }

  private static let gone = Array(" (deleted)".utf8)
  private static let inMemory = Array("/memfd:".utf8)
}
