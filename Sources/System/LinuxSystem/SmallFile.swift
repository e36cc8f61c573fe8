import Glibc

/// Files that the kernel makes up, such as those of `/proc`.
package enum SmallFile {
  /// Nil if the file cannot be read, or is longer than `limit` bytes.
  package static func contents(of path: String, limit: Int = 65_536) -> [UInt8]? {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY)
    guard number >= 0 else { return nil }
    let file = Descriptor(owning: number)
    guard let bytes = DescriptorBytes.read(from: file.number, limit: limit), bytes.count <= limit
    else { return nil }
    return bytes
  }
}

package enum FolderNames {
  /// The names in `folder` without hidden ones; empty if it cannot be read.
  package static func sorted(in folder: String) -> [String] {
    all(in: folder).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The names in `folder`, in any order; empty if it cannot be read.
  package static func all(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    // The entry is copied before the next call replaces it.
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

package enum CanonicalPath {
  /// The absolute path without links (realpath(3)); nil on failure, see `errno`.
  package static func of(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}
