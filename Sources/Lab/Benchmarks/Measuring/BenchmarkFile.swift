import CoreClient
import FingerprintMatching
import FoundationEssentials
import Glibc
import GrayImage
import Protocol

/// A file that a benchmark reads or writes as a whole.
struct BenchmarkFile {
  let path: String

  init(_ path: String) { self.path = path }

  var exists: Bool { unsafe access(path, F_OK) == 0 }

  /// Its length in bytes; 0 if it does not exist.
  var size: Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// - Throws: ``BenchmarkFailure`` naming the file and the reason.
  func read() throws(BenchmarkFailure) -> [UInt8] {
    guard let file = unsafe fopen(path, "r") else { throw failure("open") }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    guard unsafe ferror(file) == 0 else { throw failure("read") }
    return bytes
  }

  func text() throws(BenchmarkFailure) -> String { String(decoding: try read(), as: UTF8.self) }

  func write(_ text: String, isPrivate: Bool = false) throws(BenchmarkFailure) {
    try write(Array(text.utf8), isPrivate: isPrivate)
  }

  /// Replaces the contents of the file. A private one becomes readable by its owner only.
  func write(_ bytes: [UInt8], isPrivate: Bool = false) throws(BenchmarkFailure) {
    if isPrivate {
      let number = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      guard number >= 0 else { throw failure("create") }
      defer { close(number) }
      guard fchmod(number, 0o600) == 0 else { throw failure("protect") }
    }
    guard let file = unsafe fopen(path, "w") else { throw failure("create") }
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    guard unsafe fclose(file) == 0, written == bytes.count else { throw failure("write") }
  }

  /// Makes the folder of this path unless it exists.
  func makeFolder(_ mode: mode_t = 0o777) throws(BenchmarkFailure) {
    if unsafe mkdir(path, mode) != 0 && errno != EEXIST { throw failure("make the folder") }
  }

  private func failure(_ doing: String) -> BenchmarkFailure {
    BenchmarkFailure("cannot \(doing) \(path): \(unsafe String(cString: strerror(errno)))")
  }

  func picture() throws(BenchmarkFailure) -> GrayImage {
    let bytes = try read()
    do {
      return try GrayImage(decodingPGM: bytes)
    } catch {
      throw BenchmarkFailure("\(path): \(error)")
    }
  }

  /// The fingerprint image of a PGM file, which does not tell its resolution.
  func fingerprint(pixelsPerInch: Int) throws(BenchmarkFailure) -> FingerprintImage {
    try picture().fingerprint(named: path, pixelsPerInch: pixelsPerInch)
  }
}

/// A new folder, deleted with the value.
final class ScratchFolder {
  let path: String
  fileprivate var isKept = false

  init() throws {
    var template = Array("/tmp/authcore-bench-XXXXXX".utf8CString)
    // mkdtemp(3) writes the name into the template.
    guard let name = unsafe mkdtemp(&template) else {
      throw BenchmarkFailure("cannot make a folder in /tmp")
    }
    path = unsafe String(cString: name)
  }

  deinit { if !isKept { try? FileManager.default.removeItem(atPath: path) } }
}

/// A new state folder with a core of its own; both are gone when the value is.
final class ScratchHome {
  let path: String
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    path = folder.path + "/state"
  }

  var access: CoreAccess { CoreAccess(to: .folder(path)) }

  deinit {
    // If the core does not end, its folder stays so that it can be looked at.
    folder.isKept = (try? access.quit()) == nil
  }
}
