import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol

/// The descriptions of drivers, by the identity of their files, kept in a file to save asking
/// again.
package struct DescriptionCache: Sendable {
  struct Key: Hashable, Sendable {
    let path: String
    let identity: FileIdentity
  }

  private(set) var entries: [Key: DriverDescription] = [:]

  /// A cache with another mark is ignored.
  private static let mark = "authcore-descriptions 3"
  private static let maximumEntries = 256
  private static let maximumSize = 4 << 20

  init() {}

  subscript(file: TrustedFile) -> DriverDescription? {
    entries[Key(path: file.path, identity: file.identity)]
  }

  mutating func insert(_ description: DriverDescription, for file: TrustedFile) {
    entries = entries.filter { $0.key.path != file.path }
    if entries.count >= Self.maximumEntries { entries = [:] }
    entries[Key(path: file.path, identity: file.identity)] = description
  }

  func encoded() -> SecretBytes {
    var encoder = WireEncoder(capacity: 4096)
    encoder.writeText(Self.mark)
    encoder.writeArray(entries.sorted { $0.key.path < $1.key.path }) { encoder, entry in
      encoder.writeText(entry.key.path)
      entry.key.identity.encode(into: &encoder)
      entry.value.encode(into: &encoder)
    }
    return encoder.finish()
  }

  package init(decoding bytes: Span<UInt8>) throws(DecodeError) {
    var decoder = WireDecoder(bytes)
    guard try decoder.readText(limit: 64) == Self.mark else {
      throw .invalidValue(field: "mark of the cache")
    }
    let count = try decoder.readCount(limit: Self.maximumEntries, elementSize: 100)
    for _ in 0..<count {
      let path = try decoder.readText(limit: 8192)
      let identity = try FileIdentity(from: &decoder)
      entries[Key(path: path, identity: identity)] = try DriverDescription(from: &decoder)
    }
    try decoder.finish()
  }

  /// Reads a file that only this user can have written; else the cache is empty.
  init(reading path: String) {
    let number = unsafe ac_open_at(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0)
    guard number >= 0 else { return }
    let file = Descriptor(owning: number)
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & (S_IWGRP | S_IWOTH) == 0,
      1...Self.maximumSize ~= Int(status.st_size)
    else { return }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    guard unsafe read(file.number, &bytes, bytes.count) == bytes.count else { return }
    // If it is damaged, drivers are asked again.
    if let cache = try? DescriptionCache(decoding: bytes.span) { self = cache }
  }

  /// Replaces the file. Failure only costs time later.
  func write(to path: String) {
    let temporary = path + ".\(getpid())"
    let number = unsafe ac_open_at(
      AT_FDCWD, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { return }
    let file = Descriptor(owning: number)
    let bytes = encoded()
    if DescriptorBytes.write(bytes.bytes, to: file.number),
      unsafe rename(temporary, path) == 0
    {
      return
    }
    unsafe unlink(temporary)
  }
}
