import Cryptography
import Glibc

/// The umockdev recordings beside the project (AUTHCORE_SHARED).
enum SharedRecording {
  static let folder: String? = {
    let path = unsafe getenv("AUTHCORE_SHARED").map { unsafe String(cString: $0) } ?? "../shared"
    return unsafe access("\(path)/recordings/elan/capture.ioctl", R_OK) == 0 ? path : nil
  }()

  static var areThere: Bool { folder != nil }

  struct Failure: Error {}

  /// The data of the completed transfers of one endpoint, those that asked for `requested` bytes
  /// and got as many, as umockdev-record writes them: `USBDEVFS_REAPURBNDELAY 0 <type> <endpoint>
  /// <status> <flags> <requested> <actual> <errors> <data>`.
  static func reads(of name: String, endpoint: Int, requested: Int) throws -> [[UInt8]] {
    guard let folder, let file = unsafe fopen("\(folder)/recordings/\(name)/capture.ioctl", "r")
    else { throw Failure() }
    defer { unsafe fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var room = 0
    defer { unsafe free(line) }
    var found: [[UInt8]] = []
    while unsafe getline(&line, &room, file) > 0, let text = unsafe line {
      let words = unsafe String(cString: text).split { $0 == " " || $0 == "\n" }
      guard words.count == 10, words[3] == "\(endpoint)", words[6] == "\(requested)",
        words[7] == "\(requested)"
      else { continue }
      found.append(bytes(words[9]))
    }
    return found
  }

  static func sha256(_ bytes: [UInt8]) throws -> String {
    try SHA2.sha256(bytes.span).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ digits: Substring) -> [UInt8] {
    let values = digits.utf8.map { UInt8($0 < 58 ? $0 - 48 : ($0 | 32) - 87) }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
