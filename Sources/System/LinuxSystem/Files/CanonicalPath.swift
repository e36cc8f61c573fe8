import Glibc

package enum CanonicalPath {
  /// The path of the same file without links, absolute (realpath(3)); nil where there is none, and
  /// `errno` says why.
  package static func of(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}
