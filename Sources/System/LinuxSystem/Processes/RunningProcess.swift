import CSystemCalls
import Glibc
package import Protocol

/// A process that is no child of this one, held by a descriptor so that its id cannot mean another.
package struct RunningProcess: ~Copyable, Sendable {
  /// In this process's namespace.
  package let identifier: Int32
  private let handle: Descriptor

  /// Nil if there is no such process in this process's namespace.
  package init?(_ identifier: Int32) {
    guard identifier > 0 else { return nil }
    self.init(identifier, heldBy: ac_pidfd_open(identifier))
  }

  /// The process that connected the other end of a Unix socket; nil if it is gone, or cannot be
  /// named here.
  ///
  /// A kernel before 6.5 gives only the id and no descriptor (`SO_PEERPIDFD`, unix(7)). The id may
  /// mean another process if the first has ended.
  package init?(connectedTo socket: Int32) {
    guard let peer = PeerCredentials(of: socket), peer.process > 0 else { return nil }
    let number = ac_peer_pidfd(socket)
    if number < 0, errno == ENOPROTOOPT {
      self.init(peer.process)
    } else {
      self.init(peer.process, heldBy: number)
    }
  }

  /// The process of a descriptor that another process sent (pidfd_open(2)); nil if it is no such
  /// descriptor, or the process has been reaped or cannot be named here.
  package init?(heldBy handle: consuming Descriptor) {
    let link = "/proc/self/fdinfo/\(handle.number)"
    // Only a pidfd has this line (fs/pidfs.c of Linux). Asks no file system, which another user may have made.
    let line = SmallFile.contents(of: link).flatMap { bytes in
      bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Self.label) }
    }
    guard let line, let number = Int32(String(decoding: line.dropFirst(5), as: UTF8.self)),
      number > 0
    else { return nil }
    identifier = number
    self.handle = handle
  }

  private static let label = Array("Pid:\t".utf8)

  /// The process that started this one; nil if it has ended.
  package static func parent() -> RunningProcess? {
    let parent = getppid()
    // If it had ended before it was opened, its number could mean another process.
    guard let process = RunningProcess(parent), getppid() == parent else { return nil }
    return process
  }

  /// The pidfd, to send or to poll, not to close.
  package var descriptor: Int32 { handle.number }

  private init?(_ identifier: Int32, heldBy number: Int32) {
    guard number >= 0 else { return nil }
    handle = Descriptor(owning: number)
    self.identifier = identifier
  }

  /// While it has not, its id is its own.
  package var hasEnded: Bool { awaitEnd(milliseconds: 0) }

  /// Waits until it has ended (pidfd_open(2)).
  /// - Returns: whether it did before the deadline.
  package borrowing func awaitEnd(milliseconds: Int32) -> Bool {
    let deadline = ContinuousClock.now + .milliseconds(Int(milliseconds))
    while true {
      var polled = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
      let left = max(0, (deadline - ContinuousClock.now) / .milliseconds(1))
      let ready = unsafe poll(&polled, 1, Int32(left))
      if ready > 0 { return true }
      if ready == 0 || errno != EINTR { return false }
    }
  }
}

extension ObservedProcess {
  package var executable: RunningExecutable {
    RunningExecutable(path: path, device: device, inode: inode)
  }

  package init(
    executable: RunningExecutable, startTime: UInt64, user: UInt32, controlGroup: String = "",
    confinement: String = "", isApart: Bool = false
  ) {
    self.init(
      path: executable.path, device: executable.device, inode: executable.inode,
      startTime: startTime, user: user, controlGroup: controlGroup, confinement: confinement,
      isApart: isApart)
  }

  /// Nil if the kernel does not tell what the process runs. Another user's process needs
  /// `CAP_SYS_PTRACE` (ptrace(2), "access mode checking").
  package init?(of process: borrowing RunningProcess) {
    let number = process.identifier
    let folder = "/proc/\(number)"
    let text = Self.text(folder + "/status")
    guard let executable = RunningExecutable(of: process),
      let status = ProcessStatus(of: number), let user = Self.user(in: text)
    else { return nil }
    let groups = Self.text(folder + "/cgroup")
    let confinement = Self.text(folder + "/attr/apparmor/current")
    let isApart =
      Self.numbers(in: text) > 1
      || Self.namespace("user", of: folder) != Self.namespace("user", of: "/proc/self")
    // Up to here the id has meant the same process.
    guard !process.hasEnded else { return nil }
    self.init(
      executable: executable, startTime: status.startTime, user: user,
      controlGroup: Self.unifiedGroup(in: groups),
      confinement: confinement.split(separator: "\n").first.map(String.init) ?? "",
      isApart: isApart)
  }

  /// The real user of a process (`/proc/PID/status`).
  package static func user(of process: Int32) -> UInt32? {
    user(in: text("/proc/\(process)/status"))
  }

  private static func user(in status: String) -> UInt32? {
    words(after: "Uid:", in: status).first.flatMap { UInt32($0) }
  }

  /// The number of ids of a process in `/proc/PID/status`: one in the process namespace of `/proc`,
  /// and one in each below; 0 if unknown.
  package static func numbers(in status: String) -> Int { words(after: "NSpid:", in: status).count }

  /// The words after a label. By bytes, for speed: the service asks at each request.
  private static func words(after label: String, in status: String) -> [String] {
    let line = status.utf8.split(separator: UInt8(ascii: "\n")).first {
      $0.starts(with: label.utf8)
    }
    let words = line?.dropFirst(label.utf8.count).split {
      $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ")
    }
    return (words ?? []).compactMap { String($0) }
  }

  /// What tells the namespaces of one kind apart (namespaces(7)).
  /// - Parameters:
  ///   - kind: such as `mnt` or `user`.
  ///   - folder: the folder of a process in `/proc`.
  /// - Returns: device and inode; nil if they may not be seen.
  package static func namespace(_ kind: String, of folder: String) -> [UInt64]? {
    var status = stat()
    guard unsafe stat(folder + "/ns/" + kind, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  /// The group of version 2 in `/proc/PID/cgroup`.
  package static func unifiedGroup(in text: String) -> String {
    text.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) } ?? ""
  }

  private static func text(_ path: String) -> String {
    SmallFile.contents(of: path).flatMap { String(validating: $0, as: UTF8.self) } ?? ""
  }
}
