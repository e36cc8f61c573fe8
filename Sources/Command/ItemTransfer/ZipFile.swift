import CZlib
import Protocol

/// Reads files out of a ZIP archive in memory, by its central directory (APPNOTE.TXT 4.3). Nothing
/// is written to a disk, so names lead nowhere. Archives of 4 GiB and encrypted files are refused.
struct ZipFile: ~Copyable {
  /// The largest file that is read, and the most of all together, in bytes.
  static let largestFile = 64 << 20
  /// Files beyond this size have to be at least a hundredth of it in the archive.
  private static let freelyPacked = 1 << 20
  private static let highestRatio = 100
  private static let deflated: UInt16 = 8

  struct Entry {
    let name: String
    fileprivate let flags, method: UInt16
    fileprivate let checksum: UInt32
    fileprivate let packed, size, offset: Int
    /// Where the next one begins.
    fileprivate var end = 0

    /// Without the folders.
    var lastName: String { name.split(separator: "/").last.map(String.init) ?? "" }
    var isFolder: Bool { name.hasSuffix("/") }
  }

  let entries: [Entry]
  private let bytes: SecretBytes
  /// How many bytes may still be unpacked.
  private var room = ZipFile.largestFile

  /// - Throws: `importUnreadable` for anything but such an archive.
  init(_ bytes: consuming SecretBytes) throws(Failure) {
    entries = try Self.entries(of: bytes.bytes)
    self.bytes = bytes
  }

  private static let broken = Failure(
    .importUnreadable, "the ZIP archive is broken or cut off", hint: "export the file again")

  private static func entries(of bytes: Span<UInt8>) throws(Failure) -> [Entry] {
    // The end of the directory has 22 bytes and a remark of at most 65,535.
    let latest = bytes.count - 22
    guard latest >= 0,
      let end = stride(from: latest, through: max(0, latest - 0xFFFF), by: -1).first(where: {
        bytes.number($0, 4) == 0x0605_4B50
      }), let count = bytes.number(end + 10, 2), let start = bytes.number(end + 16, 4)
    else { throw broken }
    var entries: [Entry] = []
    var place = start
    for _ in 0..<count {
      guard bytes.number(place, 4) == 0x0201_4B50, let nameCount = bytes.number(place + 28, 2),
        let extraCount = bytes.number(place + 30, 2), let remark = bytes.number(place + 32, 2),
        let flags = bytes.number(place + 8, 2), let method = bytes.number(place + 10, 2),
        let checksum = bytes.number(place + 16, 4), let packed = bytes.number(place + 20, 4),
        let size = bytes.number(place + 24, 4), let offset = bytes.number(place + 42, 4),
        place + 46 + nameCount <= end
      else { throw broken }
      let name = bytes.extracting(place + 46..<place + 46 + nameCount).text ?? "?"
      entries.append(
        Entry(
          name: name, flags: UInt16(flags), method: UInt16(method), checksum: UInt32(checksum),
          packed: packed, size: size, offset: offset))
      place += 46 + nameCount + extraCount + remark
    }
    // One that shares its place with another ends where it begins.
    entries.sort { $0.offset < $1.offset }
    for index in entries.indices {
      entries[index].end = index + 1 < entries.count ? entries[index + 1].offset : start
    }
    return entries
  }

  /// - Throws: `importUnreadable` if it is encrypted, packed in another way, damaged, reaches into
  ///   another one, or is larger than it says or than is allowed.
  mutating func read(_ entry: Entry) throws(Failure) -> SecretBytes {
    guard entry.flags & 1 == 0 else {
      throw Failure(
        .importUnreadable, "\(entry.name) in the archive is encrypted",
        hint: "export the file again without encryption")
    }
    guard entry.size <= room,
      entry.size <= Self.freelyPacked || entry.size / Self.highestRatio <= entry.packed
    else {
      throw Failure(
        .importUnreadable, "\(entry.name) in the archive is too large, or packed too densely")
    }
    room -= entry.size
    let all = bytes.bytes
    guard all.number(entry.offset, 4) == 0x0403_4B50,
      let nameCount = all.number(entry.offset + 26, 2),
      let extraCount = all.number(entry.offset + 28, 2)
    else { throw Self.broken }
    let start = entry.offset + 30 + nameCount + extraCount
    guard start + entry.packed <= min(entry.end, all.count) else { throw Self.broken }
    let packed = all.extracting(start..<start + entry.packed)
    guard let file = Self.unpack(packed, entry.method, count: entry.size) else { throw Self.broken }
    guard Self.checksum(file) == entry.checksum else { throw Self.broken }
    return file
  }

  private static func unpack(
    _ packed: Span<UInt8>, _ method: UInt16, count: Int
  ) -> SecretBytes? {
    if method == 0 { return packed.count == count ? SecretBytes(copying: packed) : nil }
    guard method == deflated else { return nil }
    var file = SecretBytes(count: count)
    var stream = unsafe z_stream()
    // A negative number means data without a header (zlib.h).
    guard
      unsafe inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        == Z_OK
    else { return nil }
    defer { unsafe inflateEnd(&stream) }
    // Both buffers outlive the one call that uses them. zlib does not write to its input.
    let isWhole = unsafe packed.withUnsafeBytes { source in
      unsafe file.withUnsafeMutableBytes { target in
        unsafe stream.next_in = UnsafeMutablePointer(
          mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.avail_in = UInt32(source.count)
        unsafe stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.avail_out = UInt32(target.count)
        return unsafe inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0
      }
    }
    guard isWhole else { return nil }
    return file
  }

  private static func checksum(_ file: borrowing SecretBytes) -> UInt32 {
    // zlib reads `count` bytes.
    unsafe file.withUnsafeBytes {
      UInt32(
        truncatingIfNeeded: unsafe crc32(
          0, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32($0.count)))
    }
  }
}

extension Span<UInt8> {
  /// A number with the lowest byte first; nil beyond the end.
  fileprivate func number(_ place: Int, _ size: Int) -> Int? {
    guard place >= 0, place + size <= count else { return nil }
    return (0..<size).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}
