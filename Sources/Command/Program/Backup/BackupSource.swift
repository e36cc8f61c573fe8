import ArgumentParser
import BackupFormat
import CoreClient
import Protocol

/// A backup that is read from its beginning to its end: a file, or standard input.
final class BackupSource {
  private let file: InputFile
  /// How many bytes were read.
  private(set) var position: UInt64 = 0
  /// Bytes that were read from the file.
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  /// Which of them are still to be given away.
  private var rest = 0..<0

  /// - Throws: `usage` if it cannot be opened, or a secret comes from the same place.
  init(
    _ path: String, beside passphrase: BackupPassphraseOptions, _ invocation: Invocation
  ) throws(Failure) {
    file = try InputFile(
      path, invocation, beside: [passphrase.source()], readingFailed: .storageFailed)
  }

  /// In bytes; nil for a pipe.
  var knownSize: UInt64? { file.size }

  /// How much there is, or how much there was so far.
  var size: UInt64 { knownSize ?? position }

  func reader() throws(Failure) -> BackupReader {
    try BackupReader { [self] (count) throws(Failure) in try next(count) }
  }

  /// The next `count` bytes; fewer at the end.
  private func next(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      if rest.isEmpty { rest = 0..<(try file.readPart(&buffer)) }
      if rest.isEmpty { break }
      let taken = rest.prefix(count - bytes.count)
      bytes += buffer[taken]
      rest = taken.upperBound..<rest.upperBound
    }
    position += UInt64(bytes.count)
    return bytes
  }
}

/// A backup to read, and where its passphrase comes from.
struct BackupArguments: ParsableArguments {
  @Argument(help: "The backup. - is standard input.", completion: .file())
  var file: String

  @OptionGroup var passphrase: BackupPassphraseOptions

  func source(_ invocation: Invocation) throws(Failure) -> BackupSource {
    try BackupSource(file, beside: passphrase, invocation)
  }
}
