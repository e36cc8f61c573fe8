import Glibc
import LinuxSystem
import Protocol

/// Notices when a state folder goes away (`inotify(7)`).
struct FolderWatch: ~Copyable, Sendable {
  private let notices: Descriptor

  /// Watches the folder at `path`; nil where the kernel has no watch left.
  init?(_ path: String) {
    let number = inotify_init1(Int32(IN_CLOEXEC))
    guard number >= 0 else { return nil }
    let notices = Descriptor(owning: number)
    // A folder that is held open is deleted for good only later; the end of its socket is heard at
    // once.
    let mask = IN_DELETE_SELF | IN_MOVE_SELF | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB | IN_UNMOUNT
    guard unsafe inotify_add_watch(number, path, UInt32(mask)) >= 0 else { return nil }
    self.notices = notices
  }

  /// Waits until something happened to the folder or in it.
  /// - Returns: false when nothing more will be heard.
  borrowing func wait() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(notices.number, $0.baseAddress, $0.count)
      }
      if count > 0 { return true }
      if count < 0, errno == EINTR { continue }
      return false
    }
  }
}
