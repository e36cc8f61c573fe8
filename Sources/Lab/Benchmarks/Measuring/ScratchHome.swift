import CoreClient
import FoundationEssentials
import Glibc
import Protocol

/// A fresh folder, gone when the value is.
final class ScratchFolder {
  let path: String
  fileprivate var isKept = false

  init() throws {
    var template = Array("/tmp/authcore-bench-XXXXXX".utf8CString)
    // mkdtemp(3) writes the name into the template.
    guard let name = unsafe mkdtemp(&template) else {
      throw BenchmarkFailure("cannot make a folder in /tmp")
    }
    path = unsafe String(cString: name)
  }

  deinit { if !isKept { try? FileManager.default.removeItem(atPath: path) } }
}

/// A fresh state folder with a core of its own; both are gone when the value is.
final class ScratchHome {
  /// The state folder; the core makes it.
  let path: String
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    path = folder.path + "/state"
  }

  /// How a client comes to its core.
  var access: CoreAccess { CoreAccess(to: .folder(path)) }

  deinit {
    // A core that does not end is reported by nobody here; its folder stays, so that it can be
    // looked at.
    folder.isKept = (try? access.quit()) == nil
  }
}
