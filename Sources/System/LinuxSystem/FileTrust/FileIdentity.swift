package import Glibc
package import Protocol

/// What makes a file the same file with the same content: a change of any of these means another
/// plugin.
package struct FileIdentity: Hashable, Sendable {
  let device, inode, size: UInt64
  let modificationSeconds, modificationNanoseconds: UInt64
  let changeSeconds, changeNanoseconds: UInt64

  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(bitPattern: Int64(status.st_size))
    modificationSeconds = UInt64(bitPattern: Int64(status.st_mtim.tv_sec))
    modificationNanoseconds = UInt64(bitPattern: Int64(status.st_mtim.tv_nsec))
    changeSeconds = UInt64(bitPattern: Int64(status.st_ctim.tv_sec))
    changeNanoseconds = UInt64(bitPattern: Int64(status.st_ctim.tv_nsec))
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(
      device, inode, size, modificationSeconds, modificationNanoseconds, changeSeconds,
      changeNanoseconds)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      device, inode, size, modificationSeconds, modificationNanoseconds, changeSeconds,
      changeNanoseconds
    ) = try decoder.read()
  }
}
