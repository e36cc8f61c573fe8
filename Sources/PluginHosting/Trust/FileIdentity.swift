import Glibc
import Wire

/// What makes a file the same file with the same content: a change of any of these means another plugin.
package struct FileIdentity: Hashable, Sendable {
  let device, inode, size: UInt64
  let modificationSeconds, modificationNanoseconds: UInt64
  let changeSeconds, changeNanoseconds: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(bitPattern: Int64(status.st_size))
    modificationSeconds = UInt64(bitPattern: Int64(status.st_mtim.tv_sec))
    modificationNanoseconds = UInt64(bitPattern: Int64(status.st_mtim.tv_nsec))
    changeSeconds = UInt64(bitPattern: Int64(status.st_ctim.tv_sec))
    changeNanoseconds = UInt64(bitPattern: Int64(status.st_ctim.tv_nsec))
  }

  func encode(into encoder: inout WireEncoder) {
    for value in [
      device, inode, size, modificationSeconds, modificationNanoseconds, changeSeconds,
      changeNanoseconds,
    ] { encoder.writeUInt64(value) }
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    device = try decoder.readUInt64()
    inode = try decoder.readUInt64()
    size = try decoder.readUInt64()
    modificationSeconds = try decoder.readUInt64()
    modificationNanoseconds = try decoder.readUInt64()
    changeSeconds = try decoder.readUInt64()
    changeNanoseconds = try decoder.readUInt64()
  }
}
