import Glibc
import GreyImage
import Sandbox
import Wire

/// A picture of a print on the disk: readable by its owner alone.
struct PictureFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Writes the picture, replacing what was there only when all of it is written.
  /// - Throws: `storageFailed` naming the file.
  func write(_ image: GreyImage) throws(Failure) {
    let temporary = "\(path).\(getpid())"
    let number = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw failure() }
    let file = Descriptor(owning: number)
    let bytes = image.encodedPGM()
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.span.extracting(droppingFirst: written).withUnsafeBytes {
        unsafe Glibc.write(file.number, $0.baseAddress, $0.count)
      }
      guard count > 0 else {
        let failure = failure()
        unsafe unlink(temporary)
        throw failure
      }
      written += count
    }
    guard unsafe rename(temporary, path) == 0 else {
      let failure = failure()
      unsafe unlink(temporary)
      throw failure
    }
  }

  private func failure() -> Failure {
    Failure(.storageFailed, "Cannot write \(path): \(SystemCallError.text(of: errno))")
  }
}
