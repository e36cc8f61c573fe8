import Glibc

/// A folder of this user's alone, gone with the value.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/authcore-client-XXXXXX".utf8CString)
    // mkdtemp(3) writes the name into the template.
    path = unsafe mkdtemp(&template).map { unsafe String(cString: $0) } ?? "/nonexistent"
  }

  deinit {
    for name in ["core.sock", "stale", "folder"] {
      unsafe unlink("\(path)/\(name)")
      unsafe rmdir("\(path)/\(name)")
    }
    unsafe rmdir(path)
  }
}
