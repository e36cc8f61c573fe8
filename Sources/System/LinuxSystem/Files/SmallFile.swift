import Glibc

/// Files that the kernel makes up when they are read, as those of `/proc`.
package enum SmallFile {
  /// What a file holds; nil where it cannot be read, or holds more than `limit` bytes.
  package static func contents(of path: String, limit: Int = 65_536) -> [UInt8]? {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY)
    guard number >= 0 else { return nil }
    let file = Descriptor(owning: number)
    guard let bytes = DescriptorBytes.read(from: file.number, limit: limit), bytes.count <= limit
    else { return nil }
    return bytes
  }
}
