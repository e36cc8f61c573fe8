import CSystemCalls
import Glibc

/// The program that a process runs, by the kernel's word: a file, and where it lies.
package struct RunningExecutable: Equatable, Sendable {
  /// Absolute and canonical, at most 4,095 bytes, which need not be UTF-8. Of a file that was
  /// replaced or removed while the process runs, where it lay.
  package let path: [UInt8]
  private let file: FileNumber

  /// As another process saw it.
  package init(path: [UInt8], device: UInt64, inode: UInt64) {
    self.path = path
    file = FileNumber(device: device, inode: inode)
  }

  /// The file's device (stat(2)).
  package var device: UInt64 { file.device }
  /// Its number on that.
  package var inode: UInt64 { file.inode }

  /// Which file it is, wherever it lies.
  private struct FileNumber: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(device: UInt64, inode: UInt64) {
      (self.device, self.inode) = (device, inode)
    }

    /// Of an open file; nil where the kernel does not know. Never waits for a file system, which may
    /// be the user's own.
    init?(of file: borrowing Descriptor) {
      var (device, inode): (UInt64, UInt64) = (0, 0)
      guard unsafe ac_file_number(file.number, &device, &inode) == 0 else { return nil }
      self.init(device: device, inode: inode)
    }

    /// Of the file at a path, behind links (stat(2)); nil where there is none.
    init?(at path: [UInt8]) {
      var status = stat()
      guard unsafe stat((path + [0]).map(CChar.init(bitPattern:)), &status) == 0 else { return nil }
      self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
  }

  /// What this process runs; nil where there is no `/proc`.
  package static func ofThisProcess() -> RunningExecutable? { RunningExecutable(of: "self") }

  /// What a process runs; nil where the kernel does not say: it has ended, lets nobody look into it
  /// (`PR_SET_DUMPABLE`, prctl(2)), or runs what lies in no folder (`memfd_create(2)`).
  package init?(of process: borrowing RunningProcess) {
    guard let found = RunningExecutable(of: "\(process.identifier)"), !process.hasEnded
    else { return nil }
    self = found
  }

  /// Whether this is the file at a path, behind links.
  package func isFile(at path: [UInt8]) -> Bool { FileNumber(at: path) == file }

  /// What is behind `/proc/PROCESS/exe`. The link is opened without its file (O_PATH), so that path
  /// and file are of one program also where the process begins another one meanwhile.
  private init?(of process: String) {
    let link = unsafe open("/proc/\(process)/exe", Self.pathOnly | O_CLOEXEC)
    guard link >= 0 else { return nil }
    let held = Descriptor(owning: link)
    guard let file = FileNumber(of: held),
      let text = Self.target(of: "/proc/self/fd/\(held.number)"), text.first == UInt8(ascii: "/")
    else { return nil }
    self.file = file
    // proc(5) says so at the end of the path of a file that is no longer there; one may be called
    // so, too.
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
  private static let pathOnly: Int32 = 0o10_000_000  // O_PATH

  /// The whole text of a link (readlink(2)); nil where it does not fit PATH_MAX, as the kernel's own
  /// limit has it.
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
