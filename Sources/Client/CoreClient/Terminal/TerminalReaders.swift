import Glibc
import LinuxSystem
package import Protocol

/// Which programs get the keys of a terminal: all of its foreground group that read it, each a part
/// of what is typed. The kernel does not tell who reads. It tells who has the terminal as standard
/// input, and that decides (SECURITY.md, "Who is asked").
extension Terminal {
  /// Whether this process gets the terminal's keys (A6) and is not in the background.
  package var isInForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

  /// Whether that process is in the foreground of this process's terminal, as this process is, or is
  /// the shell that put this process there.
  func isForeground(of process: Int32) -> Bool {
    if process == getsid(0) { return isInForeground }
    guard let own = ProcessStatus(of: getpid()), let other = ProcessStatus(of: process) else {
      return false
    }
    return own.sharesForeground(with: other)
  }

  /// Whether another process of the foreground group has the terminal as its standard input, or one
  /// that cannot be seen. Those that this process descends from do not count: they wait for it. They
  /// do if this is a daemon, for which nobody waits.
  package var hasOtherReader: Bool {
    let group = tcgetpgrp(descriptor)
    // Of a terminal that does not control this process nothing is known, and no key is read.
    guard group >= 0 else { return false }
    // The group of another namespace has the number 0 here.
    guard group > 0, let own = ProcessStatus(of: getpid()) else { return true }
    let family = isOfDaemon ? [] : Self.ancestors(own.parent)
    // In a pipeline only the first program has the terminal. If it is this one, no other has it.
    let unseenCounts = Self.isInput(of: getpid(), own.terminalDevice) != true
    let processes = FolderNames.all(in: "/proc").compactMap { Int32($0) }
    guard processes.contains(getpid()) else { return true }
    return processes.contains { process in
      getpgid(process) == group && process != getpid() && !family.contains(process)
        && (Self.isInput(of: process, own.terminalDevice) ?? unseenCounts)
    }
  }

  private static func ancestors(_ first: Int32) -> Set<Int32> {
    var found: Set<Int32> = []
    var next = first
    while next > 0, found.insert(next).inserted { next = ProcessStatus(of: next)?.parent ?? 0 }
    return found
  }

  /// Whether the terminal is the standard input of a process; nil if that cannot be seen.
  private static func isInput(of process: Int32, _ terminal: UInt64) -> Bool? {
    var input = stat()
    guard unsafe stat("/proc/\(process)/fd/0", &input) == 0 else {
      // It is closed, or the process is gone.
      if errno == ENOENT || errno == ESRCH { return false }
      return ProcessStatus(of: process).map(\.hasEnded) ?? true ? false : nil
    }
    guard input.st_mode & S_IFMT == S_IFCHR else { return false }
    // The terminal itself, or /dev/tty0, /dev/tty and /dev/console, which may lead to it.
    return [terminal, 0x400, 0x500, 0x501].contains(UInt64(input.st_rdev))
  }
}

extension Failure {
  /// No secret is typed where another program may get a part of it.
  package static let terminalIsShared = Failure(
    .notInteractive, "another program in the terminal's foreground reads what is typed there, too",
    hint: "run it without that one, or after authcore unlock, or start authcore-agent, which asks "
      + "in a window")
}
