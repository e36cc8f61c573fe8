import CSystemCalls
import Glibc
import LinuxSystem
import Protocol

/// Which boot of the machine this is, from the kernel (`random(4)`, `boot_id`).
enum BootIdentity {
  /// Sixteen bytes, or nil where the kernel does not tell. Read once; a host reads it before its
  /// sandbox closes.
  static let bytes: [UInt8]? = {
    let number = unsafe ac_open_at(
      AT_FDCWD, "/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0)
    guard number >= 0 else { return nil }
    let file = Descriptor(owning: number)
    var text = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(file.number, &text, text.count)
    return count > 0 ? parse(text[..<count]) : nil
  }()

  /// Reads 32 hexadecimal digits with dashes among them.
  static func parse(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var digits: [UInt8] = []
    for character in text {
      guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { continue }
      digits.append(UInt8(digit))
    }
    guard digits.count == 32 else { return nil }
    return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
