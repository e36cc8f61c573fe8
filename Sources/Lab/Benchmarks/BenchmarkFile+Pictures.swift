import FingerprintMatching
import GrayImage

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
