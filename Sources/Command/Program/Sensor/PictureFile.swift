import CoreClient
import Glibc
import GrayImage
import LinuxSystem
import Protocol

/// Where a picture goes: a file that only its owner can read and that is whole or not there, or a
/// stream (pipe, device, standard output).
struct PictureFile {
  enum Format {
    case pgm, png
  }

  private enum Place {
    /// With all links resolved.
    case file(String)
    case stream(String)
    case standardOutput
  }

  let format: Format
  private let place: Place
  private let replaces: Bool

  var isStandardOutput: Bool { if case .standardOutput = place { true } else { false } }

  /// - Parameters:
  ///   - path: absolute, or `-`. A stream gets PGM; a file's ending says its format.
  ///   - replaces: whether a file that is there may be replaced.
  /// - Throws: `usage` for another ending or a folder, `errSecDuplicateItem` for a file that must
  ///   stay.
  init(_ path: String, replaces: Bool = false) throws(Failure) {
    self.replaces = replaces
    guard !["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path) else {
      (format, place) = (.pgm, .standardOutput)
      return
    }
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    guard !isThere || kind == S_IFREG || kind == S_IFDIR else {
      (format, place) = (.pgm, .stream(path))
      return
    }
    guard !isThere || kind != S_IFDIR else {
      throw .usage("\(path.printable) is a folder", hint: "Name a file in it, such as print.pgm.")
    }
    format = try Self.format(of: path)
    place = .file(try Self.endOfLinks(path))
    guard !isThere || replaces else { throw .isThere(path) }
  }

  private static func format(of path: String) throws(Failure) -> Format {
    let name = path.lowercased()
    if name.hasSuffix(".pgm") { return .pgm }
    if name.hasSuffix(".png") { return .png }
    throw .usage(
      "\(path.printable) ends neither in .pgm nor in .png",
      hint: "The ending says how the picture is written; - is PGM on standard output.")
  }

  /// Follows links to the file that is written, which may not exist.
  private static func endOfLinks(_ path: String) throws(Failure) -> String {
    var path = path
    // As many as path_resolution(7) follows.
    for _ in 0..<40 {
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe readlink(path, &target, target.count)
      guard count > 0 else { return path }
      let name = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = name.hasPrefix("/") ? name : folder + name
    }
    throw .usage("\(path.printable) is a link that leads nowhere")
  }

  /// Writes the picture as a binary PGM.
  /// - Throws: `storageFailed`, or `errSecDuplicateItem` if the file has appeared meanwhile.
  func write(_ image: GrayImage) throws(Failure) { try write(image.encodedPGM()) }

  /// - Throws: `storageFailed`, or `errSecDuplicateItem` if the file has appeared meanwhile.
  func write(_ bytes: [UInt8]) throws(Failure) {
    switch place {
    case .file(let path):
      let file = try WholeFile(path, replaces: replaces)
      try file.write(bytes.span)
      try file.finish()
    case .stream(let path):
      let number = unsafe open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
      guard number >= 0 else { throw .cannotWrite(path) }
      let file = Descriptor(owning: number)
      guard DescriptorBytes.write(bytes.span, to: file.number) else { throw .cannotWrite(path) }
    case .standardOutput:
      guard DescriptorBytes.write(bytes.span, to: STDOUT_FILENO) else {
        throw .cannotWrite("standard output")
      }
    }
  }
}
