import Glibc
import GreyImage
import System
import Wire

/// A picture of a print on the disk: readable by its owner alone.
struct PictureFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// What becomes of a file that is there already.
  enum Existing {
    case replaced, kept
  }

  /// Writes the picture as a binary PGM.
  /// - Throws: `storageFailed` naming the file.
  func write(_ image: GreyImage, existing: Existing = .replaced) throws(Failure) {
    try write(image.encodedPGM(), existing: existing)
  }

  /// Writes the bytes; they are there whole or not at all.
  /// - Throws: `storageFailed` naming the file; `errSecDuplicateItem` where it is to be kept.
  func write(_ bytes: [UInt8], existing: Existing = .replaced) throws(Failure) {
    let temporary = "\(path).\(getpid())"
    let number = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw failure() }
    let file = Descriptor(owning: number)
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
    switch existing {
    case .replaced:
      guard unsafe rename(temporary, path) == 0 else {
        let failure = failure()
        unsafe unlink(temporary)
        throw failure
      }
    case .kept:
      // link(2) never replaces a file.
      let isNew = unsafe link(temporary, path) == 0
      let failure = failure()
      unsafe unlink(temporary)
      guard isNew else { throw failure }
    }
  }

  private func failure() -> Failure {
    if errno == EEXIST {
      return Failure(.errSecDuplicateItem, "\(path) is there already", hint: "choose another name")
    }
    return Failure(.storageFailed, "Cannot write \(path): \(SystemCallError.text(of: errno))")
  }
}
