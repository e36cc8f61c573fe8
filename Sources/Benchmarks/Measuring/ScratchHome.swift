import AuthCoreClient
import FoundationEssentials
import Glibc
import Wire

/// A fresh state folder with a core of its own; both are gone when the value is.
final class ScratchHome {
  /// The state folder; the core makes it.
  let path: String
  private let folder: String

  init() throws {
    var template = Array("/tmp/authcore-bench-XXXXXX".utf8CString)
    // mkdtemp(3) writes the name into the template.
    guard let name = unsafe mkdtemp(&template) else {
      throw BenchmarkFailure("cannot make a folder in /tmp")
    }
    folder = unsafe String(cString: name)
    path = folder + "/state"
  }

  /// How a client comes to its core.
  var access: CoreAccess { CoreAccess(to: .folder(path)) }

  deinit {
    // A core that does not end is reported by nobody here; its folder stays, so that it can be
    // looked at.
    guard (try? access.quit()) != nil else { return }
    try? FileManager.default.removeItem(atPath: folder)
  }
}
