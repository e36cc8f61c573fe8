import Cryptography
import Glibc
import TestSupport

/// Recordings of real readers, where the machine has them: never part of the project.
enum SharedRecordings {
  /// The folder, from the environment or beside the package.
  static let folder: String = {
    let shared = unsafe getenv("AUTHCORE_SHARED").map { unsafe String(cString: $0) }
    let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return (shared ?? "/\(package)/../shared") + "/recordings"
  }()

  static var areThere: Bool { unsafe access(folder + "/nb1010/capture.ioctl", R_OK) == 0 }

  /// By which pictures are compared with what the readers' own software made of them.
  static func sha256(_ bytes: [UInt8]) throws -> String {
    try SHA2.sha256(bytes.span).hexDigits.joined()
  }

  /// A whole file, such as "nb1010/capture.ioctl".
  static func bytes(_ name: String) throws -> [UInt8] {
    guard let file = unsafe fopen("\(folder)/\(name)", "r") else {
      throw BuiltPlugin.LoadError(description: "\(folder)/\(name) cannot be opened")
    }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
