import LinuxSystem
import Protocol
import Synchronization

/// The programs of which root says that they run nobody else's code and do nobody else's bidding,
/// so that their names protect.
///
/// Nothing about a program tells that: any list of interpreters, debuggers and relays lacks some.
/// So those who know say so, the program's package or the administrator, in files whose lines are
/// paths.
struct DeclaredPrograms: Sendable {
  /// What packages say.
  static let packagesFolder = "/usr/lib/authcore/programs.d"
  /// What the administrator says, in the folder of the policy.
  static func administratorsFolder(in configuration: String) -> String {
    configuration + "/programs.d"
  }

  private static let mostFiles = 256
  private static let mostPrograms = 4096

  /// Paths as the kernel reports them.
  private(set) var paths: Set<[UInt8]> = []
  /// A sentence for each line and file that is not obeyed.
  private(set) var problems: [String] = []

  init() {}

  /// Reads the files `*.conf` in these folders. What only root can have written counts.
  init(in folders: [String]) {
    for folder in folders {
      guard let folder = CanonicalPath.of(folder) else { continue }
      let names = FolderNames.sorted(in: folder).filter { $0.hasSuffix(".conf") }
      if names.count > Self.mostFiles {
        problems.append("\(folder): files beyond \(Self.mostFiles) are not read")
      }
      for name in names.prefix(Self.mostFiles) { read("\(folder)/\(name)") }
    }
  }

  private mutating func read(_ file: String) {
    // A link could make any text of root's count, such as /etc/shells.
    guard CanonicalPath.of(file) == file else {
      return problems.append("\(file): not read: it is a link; put a file there")
    }
    do throws(Failure) {
      add(try RootsFile(path: file).text() ?? "", of: file)
    } catch {
      problems.append("\(error.message): not read")
    }
  }

  /// Adds what a file says: a path in each line; those that begin with # are for people.
  /// - Parameters:
  ///   - text: what it holds.
  ///   - file: its path.
  ///   - canonical: the path without links; nil if nothing is there.
  mutating func add(
    _ text: String, of file: String, canonical: (String) -> String? = CanonicalPath.of
  ) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let bytes = Self.trimmed(line)
      guard let first = bytes.first, first != UInt8(ascii: "#") else { continue }
      let path = String(decoding: bytes, as: UTF8.self)
      let reason: String? =
        if !Self.isPath(bytes) {
          "it is no absolute path"
        } else if let other = canonical(path), other != path {
          "it leads to \(other.withoutSteering): name that"
        } else if paths.count >= Self.mostPrograms {
          "more than \(Self.mostPrograms) programs are named"
        } else {
          nil
        }
      guard let reason else {
        paths.insert(bytes)
        continue
      }
      problems.append("\(file):\(index + 1): \(path.withoutSteering): ignored: \(reason)")
    }
  }

  private static func trimmed(_ line: Substring.UTF8View) -> [UInt8] {
    let white = Array(" \t\r".utf8)
    let begun = line.drop { white.contains($0) }
    let end = begun.lastIndex { !white.contains($0) }
    return end.map { Array(begun[...$0]) } ?? []
  }

  private static func isPath(_ bytes: [UInt8]) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return bytes.count <= longestApplication && parts.count > 1 && parts[0].isEmpty
      && parts.dropFirst().allSatisfy { !$0.isEmpty && $0 != [0x2E] && $0 != [0x2E, 0x2E] }
  }
}

/// The programs whose paths are names that protect, as root last said. Any thread.
final class ProtectedPrograms: Sendable {
  private let state = Mutex((declared: DeclaredPrograms(), locks: ScreenLocks.known))

  func use(_ declared: DeclaredPrograms) { state.withLock { $0.declared = declared } }

  /// Makes these programs count as screen locks, too.
  func use(_ locks: ScreenLocks) { state.withLock { $0.locks = locks } }

  /// Whether a program that only root can have put at a path has a name that protects.
  func include(_ path: [UInt8]) -> Bool {
    state.withLock { state in
      state.declared.paths.contains(path)
        || state.locks.include(String(decoding: path, as: UTF8.self), protects: true)
    }
  }
}
