import Glibc
import LinuxSystem
import Protocol

/// Notices when a core begins to serve a state folder (`inotify(7)`), and tells cores meanwhile that
/// an agent is there. Makes the folder where it is missing.
struct CoreArrival: ~Copyable {
  private let folder: String
  private let notices: Descriptor
  /// Held shared for as long as this lives.
  private let presence: Descriptor

  private init(_ folder: String, notices: consuming Descriptor, presence: consuming Descriptor) {
    self.folder = folder
    self.notices = notices
    self.presence = presence
  }

  /// Begins to watch; nil where folder or watch cannot be had.
  static func begin(in folder: String) -> CoreArrival? {
    var path = ""
    for name in folder.split(separator: "/") {
      path += "/" + name
      // One that is there, or cannot be made, shows in the next call.
      unsafe mkdir(path, StateFolder.mode)
    }
    let lock = unsafe open(
      folder + "/" + StateFolder.agentLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { return nil }
    let presence = Descriptor(owning: lock)
    let number = inotify_init1(Int32(IN_CLOEXEC))
    guard number >= 0 else { return nil }
    let notices = Descriptor(owning: number)
    let mask = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT
    guard flock(presence.number, LOCK_SH) == 0,
      unsafe inotify_add_watch(notices.number, folder, UInt32(mask)) >= 0
    else { return nil }
    return CoreArrival(folder, notices: notices, presence: presence)
  }

  /// Whether a core serves the folder, or is about to, or has left its socket behind.
  var isSocketThere: Bool { unsafe access(folder + "/" + StateFolder.socket, F_OK) == 0 }

  /// Waits until something has appeared in the folder.
  /// - Returns: false when the folder is not there any more.
  func wait() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(notices.number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      return unsafe access(folder + "/" + StateFolder.agentLock, F_OK) == 0
    }
  }
}
