package import Wire

/// What the kernel says of a process that somebody wants to know by name.
package struct ObservedProcess: Equatable, Sendable, WireField {
  /// What it runs.
  package let executable: RunningExecutable
  /// When it was started, in ticks since boot.
  package let startTime: UInt64
  /// Its real user.
  package let user: UInt32
  /// Where it is in the hierarchy of control groups (cgroups(7), version 2); empty where that is not
  /// known.
  package let controlGroup: String
  /// What confines it (apparmor(7)), with its mode; empty: nothing does.
  package let confinement: String

  /// Describes a process.
  package init(
    executable: RunningExecutable, startTime: UInt64, user: UInt32, controlGroup: String = "",
    confinement: String = ""
  ) {
    self.executable = executable
    self.startTime = startTime
    self.user = user
    self.controlGroup = controlGroup
    self.confinement = confinement
  }

  /// Looks at a process; nil where the kernel does not tell what it runs. Other users' takes
  /// `CAP_SYS_PTRACE` (ptrace(2), "access mode checking").
  package init?(of process: borrowing RunningProcess) {
    let number = process.identifier
    guard let executable = RunningExecutable(of: process),
      let status = ProcessStatus(of: number), let user = Self.user(of: number)
    else { return nil }
    let folder = "/proc/\(number)"
    let groups = Self.text(folder + "/cgroup")
    let confinement = Self.text(folder + "/attr/apparmor/current")
    // Until here the number has meant the same process.
    guard !process.hasEnded else { return nil }
    self.init(
      executable: executable, startTime: status.startTime, user: user,
      controlGroup: Self.unifiedGroup(in: groups),
      confinement: confinement.split(separator: "\n").first.map(String.init) ?? "")
  }

  /// The real user of a process (`/proc/PID/status`); nil where there is none.
  package static func user(of process: Int32) -> UInt32? {
    let lines = text("/proc/\(process)/status").split(separator: "\n")
    return lines.first { $0.hasPrefix("Uid:") }?.split { $0 == "\t" || $0 == " " }.dropFirst().first
      .flatMap { UInt32($0) }
  }

  /// Of the lines of `/proc/PID/cgroup` that of the one hierarchy of version 2.
  package static func unifiedGroup(in text: String) -> String {
    text.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) } ?? ""
  }

  private static func text(_ path: String) -> String {
    SmallFile.contents(of: path).flatMap { String(validating: $0, as: UTF8.self) } ?? ""
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(
      executable.path, executable.device, executable.inode, startTime, user, controlGroup,
      confinement)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (path, device, inode): ([UInt8], UInt64, UInt64) = try decoder.read()
    executable = RunningExecutable(path: path, device: device, inode: inode)
    (startTime, user, controlGroup, confinement) = try decoder.read()
  }
}
