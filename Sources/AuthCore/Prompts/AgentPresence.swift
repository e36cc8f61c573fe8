import ClientProtocol
import Glibc
import LinuxSystem

/// Agents that wait for a core to serve a state folder: one that was started for a request a moment
/// ago gives them the time to come.
enum AgentPresence {
  /// Whether there is one.
  static func isKnown(in home: String) -> Bool {
    let number = unsafe open(
      home + "/" + StateFolder.agentLock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return false }
    let file = Descriptor(owning: number)
    // Held shared by agents; what is taken here ends with the descriptor.
    return flock(file.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
