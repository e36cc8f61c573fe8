/// What a process has mapped to run, as the kernel tells it. For a process of another user that takes
/// `CAP_SYS_PTRACE`, and no right to that user's files: `/proc/PID/environ` would take both.
package struct LoadedCode: Equatable, Sendable {
  /// A file that is mapped to run.
  package struct File: Hashable, Sendable {
    /// Where the process sees it; if it is gone, where it lay.
    package let path: [UInt8]
    package let device: UInt64
    package let inode: UInt64
    /// Whether it was replaced or removed since.
    package let isGone: Bool
  }

  /// Files that it has mapped to run. Memory that has no name in a folder (`memfd_create(2)`) is no
  /// file.
  package let mapped: Set<File>

  /// The most that is read of it, in bytes.
  private static let limit = 1 << 20

  /// Looks at a process; nil if the kernel does not tell, or tells more than a program ordinarily has.
  /// It waits for as long as somebody holds the lock of that process's memory.
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

  /// As stat(2) has it (makedev(3)).
  private static func makeDevice(major: UInt64, minor: UInt64) -> UInt64 {
    (major & 0xffff_f000) << 32 | (major & 0xfff) << 8 | (minor & 0xffff_ff00) << 12 | minor & 0xff
  }

  /// Whether a number of a device is one that a file system without a device was given. Some, as
  /// btrfs, give their files another one in stat(2) than in `/proc/PID/maps`.
  package static func isMadeUp(device: UInt64) -> Bool {
    device >> 8 & 0xfff == 0 && device >> 44 == 0
  }

  private static let gone = Array(" (deleted)".utf8)
  private static let inMemory = Array("/memfd:".utf8)
}
