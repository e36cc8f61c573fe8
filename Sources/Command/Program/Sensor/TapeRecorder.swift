import Glibc
import LinuxSystem
import Protocol

/// Writes a tape (docs/tapes.md), and its pictures in numbered files. The tape is valid at any
/// moment, so an interrupted recording can be played.
struct TapeRecorder: ~Copyable {
  private let path: String
  /// The beginning of the pictures' names.
  private let pictures: String
  private let file: Descriptor
  private var pixelsPerInch: UInt32 = 500
  /// When the last event was written; nil before the first.
  private var last: ContinuousClock.Instant?
  /// How many pictures were written.
  private(set) var touches = 0

  /// Shorter pauses are not written. In milliseconds.
  private static let leastWait = 250
  /// The longest pause of a tape.
  private static let longestWait = 3_600_000

  /// Begins a tape.
  /// - Parameters:
  ///   - path: absolute and ending in `.tape`, or `-` for standard output.
  ///   - folder: where pictures go if the tape goes to standard output.
  /// - Throws: `usage`, `errSecDuplicateItem` for a file that exists, `storageFailed`.
  init(_ path: String, picturesIn folder: String) throws(Failure) {
    let isStandardOutput = path == "-"
    let name = isStandardOutput ? "standard output" : path
    let tape = try isStandardOutput ? Self.standardOutput() : Self.create(path)
    try Self.write("authcore-tape 1\n", to: tape.number, name)
    file = tape
    self.path = name
    pictures = isStandardOutput ? folder + "/touch" : String(path.dropLast(".tape".utf8.count))
  }

  private static func standardOutput() throws(Failure) -> Descriptor {
    let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .cannotWrite("standard output") }
    return Descriptor(owning: copy)
  }

  private static func create(_ path: String) throws(Failure) -> Descriptor {
    guard path.hasSuffix(".tape") else {
      throw .usage("\(path) does not end in .tape", hint: "Name the tape, such as touches.tape.")
    }
    return try WholeFile.create(path)
  }

  /// Writes a picture, then its touch.
  mutating func touch(_ frame: SensorFrame) throws(Failure) {
    let digits = String(touches + 1)
    let number = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    let picture = "\(pictures)-\(number).pgm"
    try PictureFile(picture).write(frame.image)
    touches += 1
    try writeWait()
    if frame.pixelsPerInch != pixelsPerInch {
      pixelsPerInch = frame.pixelsPerInch
      try write("ppi \(pixelsPerInch)\n")
    }
    // Relative to the tape, so that both can be moved.
    let name = picture.split(separator: "/").last.map(String.init) ?? picture
    try write("touch \(name)\n")
  }

  /// Writes a touch that the sensor could not read. `reason` is `AC_RETRY_…`.
  mutating func retry(_ reason: Int32) throws(Failure) {
    try writeWait()
    let words = Self.words
    let index = Int(reason) - 1
    try write("noise \(words.indices.contains(index) ? words[index] : words[0])\n")
  }

  /// Writes that the device was unplugged.
  mutating func unplug() throws(Failure) {
    try writeWait()
    try write("unplug\n")
  }

  /// The words after `noise`, in the order of `AC_RETRY_…` from 1.
  private static let words = [
    "general", "too-dry", "too-wet", "too-short", "too-fast", "too-slow", "center", "lift",
    "too-skewed",
  ]

  private mutating func writeWait() throws(Failure) {
    let now = ContinuousClock.now
    defer { last = now }
    guard let last else { return }
    let milliseconds = min(Int((now - last) / .milliseconds(1)), Self.longestWait)
    if milliseconds >= Self.leastWait { try write("wait \(milliseconds)ms\n") }
  }

  private borrowing func write(_ line: String) throws(Failure) {
    try Self.write(line, to: file.number, path)
  }

  private static func write(_ line: String, to file: Int32, _ path: String) throws(Failure) {
    guard DescriptorBytes.write(Array(line.utf8).span, to: file) else { throw .cannotWrite(path) }
  }
}
