import AuthcoreABI
import Cryptography
import FrameAssembly
import Glibc
import TestSupport
import Testing

/// The drivers as built, against recordings of real readers.
@Suite(
  "X3: recorded touches and swipes of real readers come out bit by bit",
  .enabled(if: SharedRecordings.areThere, "no recordings; AUTHCORE_SHARED names their folder"))
struct RecordedReaderTests {
  /// Ridges bright, turned by half.
  private static let turned =
    UInt32(AC_FRAME_INVERTED | AC_FRAME_FLIP_HORIZONTAL | AC_FRAME_FLIP_VERTICAL)

  /// The first frame of a recording; closing is in some recordings, too.
  private func frame(
    _ driver: String, _ file: String, of model: String, log: [String]? = []
  ) throws -> CapturedFrame {
    try TestHost.run { host in
      let device = try LoadedTransport.recording("\(SharedRecordings.folder)/\(file)", text: model)
      let frame = try LoadedDriver.built(driver).open().capture(milliseconds: 30_000).get()
      // Requests that are not in the recording are logged.
      if let log { #expect(host.log == log) }
      withExtendedLifetime(device) {}
      return frame
    }
  }

  /// Of the picture as the host turns it.
  private func hash(_ frame: CapturedFrame) throws -> String {
    try SharedRecordings.sha256(
      FrameLayout(rawValue: frame.flags).applied(to: frame.pixels, width: frame.width))
  }

  @Test("08ff:5731, AES3500: a touch")
  func aes3500() throws {
    let frame = try frame(
      "authentec", "aes3500/capture.ioctl", of: "08ff:5731",
      log: ["The recording begins again at line 4, for write bulk 02 : 80 00"])
    #expect([frame.width, frame.height, frame.pixelsPerInch] == [256, 256, 1000])
    #expect(frame.flags == Self.turned)
    #expect(
      try hash(frame) == "590000fb25eb30dab513b2dcfb5ae256b796a05709df65c0e48625f3f04e6694")
  }

  @Test("08ff:2580, AES2501: a swipe, after 706 looks for a finger")
  func aes2501() throws {
    let frame = try frame("authentec", "aes2501/capture.pcapng", of: "08ff:2580")
    #expect([frame.width, frame.height, frame.pixelsPerInch] == [288, 118, 500])
    let extents = try #require(frame.extents)
    #expect(extents.count == 118 && extents.allSatisfy { 192...288 ~= $0.count })
    #expect(frame.flags == Self.turned)
    #expect(
      try hash(frame) == "74b9380722b2fb6ab0abcda4d07da5d830d35656a3c38fc6d838b7ba17cd5229")
  }

  @Test("04f3:0c26, Elan: calibrated once, ten stripes, one image of 216x235")
  func elan() throws {
    let frame = try frame("elan", "elan/capture.ioctl", of: "04f3:0c26", log: nil)
    #expect((frame.width, frame.height) == (216, 235))
    #expect(frame.flags == UInt32(AC_FRAME_INVERTED))
    let extents = try #require(frame.extents)
    #expect(extents.count == 235 && extents.allSatisfy { 144...216 ~= $0.count })
    #expect(
      try hash(frame) == "db87c1cb6376dbbb76f9e9b4332d18db5c4bd3d29d578dc8bc51670fc45d14f7")
  }

  @Test("298d:1010, NB-1010-U: polled once, three commands, ninety parts of one image")
  func nb1010() throws {
    let frame = try frame("nb1010", "nb1010/capture.ioctl", of: "298d:1010:0001")
    #expect((frame.width, frame.height, frame.flags) == (256, 180, 0))
    #expect(
      try hash(frame) == "109c2187aeb38c6414524f69b3c55032103205219f9a76226dafbe2a0b88477f")
  }

  @Test("147e:2016, UPEK: a swipe over a TCS4, from the opening to the closing")
  func upek() throws {
    let frame = try frame(
      "upek", "upektc_img/capture.pcapng", of: "147e:2016",
      log: ["The UPEK reader has the swipe sensor TCS4"])
    #expect((frame.width, frame.height, frame.flags) == (144, 384, 0))
    #expect(
      try hash(frame) == "f154ad22533e50eacf7fa7ae727d044b6430879f4c3678d80fbb92ba3b89fe34")
  }
}

/// Recordings of real readers, which are not part of the project, if the machine has them.
enum SharedRecordings {
  /// The folder, from the environment or beside the package.
  static let folder: String = {
    let shared = unsafe getenv("AUTHCORE_SHARED").map { unsafe String(cString: $0) }
    // Tests/DriverTests/RecordedReaderTests.swift
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return (shared ?? "/\(package)/../shared") + "/recordings"
  }()

  static var areThere: Bool { unsafe access(folder + "/nb1010/capture.ioctl", R_OK) == 0 }

  /// Pictures are compared by their hashes, which come from the readers' own software.
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
