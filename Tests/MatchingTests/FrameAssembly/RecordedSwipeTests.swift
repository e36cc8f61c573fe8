import Cryptography
import FrameAssembly
import Glibc
import Testing

@Suite(
  "X3: recorded swipes come out bit by bit",
  .enabled(if: SharedRecording.areThere, "no ../shared/recordings here: set AUTHCORE_SHARED"))
struct RecordedSwipeTests {
  @Test("elan: ten stripes of 144x50, the finger coming the other way")
  func elan() throws {
    let frames = try SharedRecording.reads(of: "elan", endpoint: 130, requested: 18_432)
      .map(Self.cropped)
    // Two of the empty sensor; the last two show the finger lifting.
    let background = frames[1]
    let stripes = try frames.dropFirst(2).dropLast(2).flatMap {
      try Self.mapped(BackgroundSubtraction.image($0, without: background))
    }
    let series = try StripeSeries(
      width: 144, height: 50, count: stripes.count / 7200, pixels: stripes)
    #expect(series.count == 10)
    let image = try series.assembled(imageWidth: 216, heights: 0...1000)
    #expect([image.width, image.height] == [216, 235])
    #expect(image.layout == [])
    let upright = try image.layout.union(.inverted).applied(to: image.pixels, width: 216)
    #expect(
      try SharedRecording.sha256(upright)
        == "db87c1cb6376dbbb76f9e9b4332d18db5c4bd3d29d578dc8bc51670fc45d14f7")
    #expect(image.report.verdict == .good)
  }

  @Test("vfs5011: 273 lines of 160 pixels")
  func vfs5011() throws {
    let raw = try SharedRecording.reads(of: "vfs5011", endpoint: 130, requested: 61_440)
      .flatMap { $0 }
    let kept = try Self.selected(raw)
    #expect(kept.count == 273)
    let series = try LineSeries(
      width: 160, count: kept.count, pixels: kept.flatMap { $0[8..<168] })
    let geometry = try LineGeometry(
      resolution: 10, medianSize: 25, searchRange: 30, heights: 0...2000)
    let image = series.assembled(geometry) { first, second in
      let sums = zip(kept[first][56..<120], kept[second][168..<232]).map { Int($0) + Int($1) }
      let mean = sums.reduce(0, +) / 64
      return sums.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 64
    }
    #expect([image.width, image.height] == [160, 334])
    let upright = try image.layout.applied(to: image.pixels, width: 160)
    #expect(
      try SharedRecording.sha256(upright)
        == "e0f5e2311e312b86f3f75c072558df64870daef8bd5d2e946f9061f84aada96d")
    #expect(image.report.verdict == .good)
  }

  @Test("aes3500: 128x128 enlarged twice")
  func aes3500() throws {
    let answer = try #require(
      try SharedRecording.reads(of: "aes3500", endpoint: 129, requested: 8329).first)
    var pixels = [UInt8](repeating: 0, count: 128 * 128)
    for stripe in 0..<8 {
      for byte in 0..<1024 {
        let pair = answer[stripe * 1025 + 1 + byte]
        let place = (stripe * 16 + byte % 8 * 2) * 128 + byte / 8
        pixels[place] = (pair & 15) * 17
        pixels[place + 128] = (pair >> 4) * 17
      }
    }
    #expect(
      try SharedRecording.sha256(pixels)
        == "77d5a1b995fabcca304f8d17bac71c980f4b082de6d1e40f4953dadb37833de9")
    let larger = try Enlarging.image(pixels, width: 128, height: 128, factor: 2)
    #expect(
      try SharedRecording.sha256(larger)
        == "1e2729daf486045673157cb6b8c94d7600a684f80e0cd12feaf14ce0d37e23d6")
  }

  /// The 50 middle rows of a frame of 64, which comes column by column.
  private static func cropped(_ frame: [UInt8]) -> [UInt16] {
    (0..<50 * 144).map { index in
      let place = index % 144 * 64 + 7 + index / 144
      return UInt16(frame[2 * place]) | UInt16(frame[2 * place + 1]) << 8
    }
  }

  /// Three ranges of gray, split at 30 and 65 of 100 pixels.
  private static func mapped(_ frame: [UInt16]) -> [UInt8] {
    let sorted = frame.map { Int($0) }.sorted()
    let limits = [0, frame.count * 3 / 10, frame.count * 65 / 100, frame.count - 1].map {
      sorted[$0]
    }
    return frame.map { value in
      let value = Int(value)
      if value < limits[1] { return UInt8((value - limits[0]) * 99 / (limits[1] - limits[0])) }
      if value < limits[2] { return UInt8(99 + (value - limits[1]) * 56 / (limits[2] - limits[1])) }
      return UInt8(155 + (value - limits[2]) * 100 / (limits[3] - limits[2]))
    }
  }

  /// The lines of 240 bytes on which the finger moved on.
  private static func selected(_ raw: [UInt8]) throws -> [[UInt8]] {
    var kept: [[UInt8]] = []
    var empty = 0
    for start in stride(from: 0, to: raw.count - 239, by: 240) {
      let line = Array(raw[start..<start + 240])
      let picture = Array(line[8..<168])
      let isEmpty = PixelMeasures.variance(picture) < 225
      if isEmpty && kept.isEmpty { continue }
      empty = isEmpty ? empty + 1 : 0
      if empty >= 50 { break }
      if let last = kept.last,
        try PixelMeasures.meanSquaredDifference(Array(last[8..<168]), picture) < 600
      {
        continue
      }
      kept.append(line)
    }
    return kept
  }
}

/// The umockdev recordings beside the project (AUTHCORE_SHARED).
enum SharedRecording {
  static let folder: String? = {
    let path = unsafe getenv("AUTHCORE_SHARED").map { unsafe String(cString: $0) } ?? "../shared"
    return unsafe access("\(path)/recordings/elan/capture.ioctl", R_OK) == 0 ? path : nil
  }()

  static var areThere: Bool { folder != nil }

  struct Failure: Error {}

  /// The data of the completed transfers of one endpoint, those that asked for `requested` bytes
  /// and got as many, as umockdev-record writes them: `USBDEVFS_REAPURBNDELAY 0 <type> <endpoint>
  /// <status> <flags> <requested> <actual> <errors> <data>`.
  static func reads(of name: String, endpoint: Int, requested: Int) throws -> [[UInt8]] {
    guard let folder, let file = unsafe fopen("\(folder)/recordings/\(name)/capture.ioctl", "r")
    else { throw Failure() }
    defer { unsafe fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var room = 0
    defer { unsafe free(line) }
    var found: [[UInt8]] = []
    while unsafe getline(&line, &room, file) > 0, let text = unsafe line {
      let words = unsafe String(cString: text).split { $0 == " " || $0 == "\n" }
      guard words.count == 10, words[3] == "\(endpoint)", words[6] == "\(requested)",
        words[7] == "\(requested)"
      else { continue }
      found.append(bytes(words[9]))
    }
    return found
  }

  static func sha256(_ bytes: [UInt8]) throws -> String {
    try SHA2.sha256(bytes.span).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ digits: Substring) -> [UInt8] {
    let values = digits.utf8.map { UInt8($0 < 58 ? $0 - 48 : ($0 | 32) - 87) }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
