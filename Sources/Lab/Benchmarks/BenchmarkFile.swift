import FingerprintMatching
import Glibc
import GrayImage

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
}

extension BenchmarkFile {
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
