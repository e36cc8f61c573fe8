import LinuxSystem
import Protocol

/// Units of the system's service manager, by control groups, which only that manager makes there.
enum SystemUnit {
  /// The service that a control group belongs to; nil: none of the system's. What is below
  /// `user.slice` its user's own manager names.
  static func name(in group: String) -> String? {
    let parts = group.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.first == "system.slice",
      let index = parts.firstIndex(where: { !$0.hasSuffix(".slice") })
    else { return nil }
    let unit = String(parts[index])
    guard unit.hasSuffix(".service"), unit.utf8.count <= 200 else { return nil }
    return unit
  }

  /// Whether a unit is of one user from its beginning: one that runs what others order, as cron does,
  /// began as somebody else.
  /// - Parameters:
  ///   - group: the control group of the unit.
  ///   - user: whose it should be.
  /// - Returns: whether the process that is in it longest is that user's.
  static func began(_ group: String, as user: UInt32) -> Bool {
    let parts = group.split(separator: "/", omittingEmptySubsequences: true)
    guard let index = parts.firstIndex(where: { !$0.hasSuffix(".slice") }) else { return false }
    let path = "/sys/fs/cgroup/" + parts[...index].joined(separator: "/") + "/cgroup.procs"
    guard let bytes = SmallFile.contents(of: path) else { return false }
    let processes = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .compactMap { Int32($0) }
    let first = processes.compactMap { process in
      ProcessStatus(of: process).map { (process, $0.startTime) }
    }.min { $0.1 < $1.1 }
    guard let first else { return false }
    return ObservedProcess.user(of: first.0) == user
  }

  /// The snap that a confinement is of, as AppArmor writes it where it is enforced:
  /// `snap.NAME.APP (enforce)`; nil: none.
  static func snap(in confinement: String) -> String? {
    let (begin, end) = ("snap.", " (enforce)")
    guard confinement.hasPrefix(begin), confinement.hasSuffix(end) else { return nil }
    let parts = confinement.dropFirst(begin.count).dropLast(end.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, let name = parts.first, !name.isEmpty,
      name.utf8.allSatisfy({ byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      })
    else { return nil }
    return String(name)
  }
}
