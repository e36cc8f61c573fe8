package import Glibc
package import Protocol

extension FileIdentity {
  package init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
      size: UInt64(bitPattern: Int64(status.st_size)),
      modificationSeconds: UInt64(bitPattern: Int64(status.st_mtim.tv_sec)),
      modificationNanoseconds: UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
      changeSeconds: UInt64(bitPattern: Int64(status.st_ctim.tv_sec)),
      changeNanoseconds: UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)))
  }
}
