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

  /// Whether there is anything of this name.
  var exists: Bool { unsafe access(path, F_OK) == 0 }

  /// Its length in bytes; 0 where there is none (stat(2)).
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

  /// Replaces what the file held.
  ///
  /// - Parameters:
  ///   - bytes: What it holds from here on.
  ///   - isPrivate: Whether its owner alone may read it, whatever could before.
  /// - Throws: ``BenchmarkFailure`` naming the file and the reason.
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

  /// Makes the folder of this path, if it is not there.
  ///
  /// - Throws: ``BenchmarkFailure`` naming the folder and the reason.
  func makeFolder(_ mode: mode_t = 0o777) throws(BenchmarkFailure) {
    if unsafe mkdir(path, mode) != 0 && errno != EEXIST { throw failure("make the folder") }
  }

  private func failure(_ doing: String) -> BenchmarkFailure {
    BenchmarkFailure("cannot \(doing) \(path): \(unsafe String(cString: strerror(errno)))")
  }

  /// The picture of a PGM file.
  ///
  /// - Throws: ``BenchmarkFailure`` naming the file and what is wrong with it.
  func picture() throws(BenchmarkFailure) -> GrayImage {
    let bytes = try read()
    do {
      return try GrayImage(decodingPGM: bytes)
    } catch {
      throw BenchmarkFailure("\(path): \(error)")
    }
  }

  /// Reads the fingerprint image of a PGM file.
  ///
  /// - Parameter pixelsPerInch: Its resolution, which the file does not tell.
  /// - Returns: The image.
  /// - Throws: ``BenchmarkFailure`` naming the file and what is wrong with it.
  func fingerprint(pixelsPerInch: Int) throws(BenchmarkFailure) -> FingerprintImage {
    try picture().fingerprint(named: path, pixelsPerInch: pixelsPerInch)
  }
}

/// A fresh folder, gone when the value is.
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

/// A fresh state folder with a core of its own; both are gone when the value is.
final class ScratchHome {
  /// The state folder; the core makes it.
  let path: String
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    path = folder.path + "/state"
  }

  /// How a client comes to its core.
  var access: CoreAccess { CoreAccess(to: .folder(path)) }

  deinit {
    // A core that does not end is reported by nobody here; its folder stays, so that it can be
    // looked at.
    folder.isKept = (try? access.quit()) == nil
  }
}
