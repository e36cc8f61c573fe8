import CLibpng
import Foundation
import TestSupport
import Testing

@Suite("Recordings of real readers, played by umockdev", .timeLimit(.minutes(60)), .serialized)
struct RecordingTests {
  private static let drivers = Result {
    try run("authcore", ["--json", "driver", "list"]).json["drivers"]?.array ?? []
  }

  @Test(
    "X4: the driver gives the recorded picture pixel by pixel",
    .enabled(if: !RecordedReader.all.isEmpty, "needs AUTHCORE_SHARED/recordings"),
    arguments: RecordedReader.all)
  func picture(reader: RecordedReader) throws {
    guard let driver = try reader.driver(among: try Self.drivers.get()) else {
      return try note(reader, "none")
    }
    let folder = try TemporaryFolder()
    let target = folder.url.appendingPathComponent("out.pgm")
    try run(
      "/usr/bin/umockdev-run",
      try reader.simulation() + ["--", Products.program("authcore"), "--driver", driver]
        + ["--timeout", "60", "sensor", "capture", target.path],
      // umockdev puts sockets there, whose paths have room for 107 bytes (unix(7)).
      environment: ["AUTHCORE_SANDBOX": "off", "TMPDIR": "/tmp"]
    ).expectSuccess()
    let taken = try Picture(pgm: target)
    let expected = try Picture(png: reader.picture)
    #expect(taken.width == expected.width && taken.height == expected.height)
    let different = zip(taken.pixels, expected.pixels).filter(!=).count
    #expect(different == 0, "\(different) of \(expected.pixels.count) pixels differ")
    guard taken == expected else { return }
    try note(reader, "\(driver.prefix { $0 != ":" }) \(taken.width) \(taken.height)")
  }

  @Test(
    "X4: the same from the recording alone, named on the command line; the driver knows its device",
    .enabled(if: !RecordedReader.all.isEmpty, "needs AUTHCORE_SHARED/recordings"),
    arguments: RecordedReader.all.filter { $0.way == .native })
  func recording(reader: RecordedReader) throws {
    guard let driver = try reader.driver(among: try Self.drivers.get()) else { return }
    let folder = try TemporaryFolder()
    let target = folder.url.appendingPathComponent("out.pgm")
    let separator = driver.contains(":") ? "," : ":"
    let capture = try run(
      "authcore",
      [
        "--driver", driver + separator + "device=" + (try reader.device()), "sensor", "capture",
        target.path,
      ]
    ).expectSuccess()
    #expect(try Picture(pgm: target) == Picture(png: reader.picture), "\(capture.account)")
  }

  /// Input of `scripts/make-device-table`.
  private func note(_ reader: RecordedReader, _ result: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["AUTHCORE_RESULTS"] else { return }
    let line = "\(reader.name) \(reader.way.rawValue) \(try reader.model()) \(result)\n"
    let file = URL(fileURLWithPath: folder)
      .appendingPathComponent("\(reader.name)-\(reader.way.rawValue)")
    try line.write(to: file, atomically: true, encoding: .utf8)
  }
}

/// A folder of AUTHCORE_SHARED/recordings: a reader for umockdev, and the picture that it must give.
struct RecordedReader: Sendable, CustomTestStringConvertible {
  enum Way: String, Sendable, CaseIterable {
    case native
    /// libfprint's own driver, through the bridge.
    case bridge
  }

  let folder: URL
  let way: Way

  var testDescription: String { "\(name), \(way.rawValue)" }

  var name: String { folder.lastPathComponent }

  /// The picture that libfprint's own tests expect.
  var picture: URL { folder.appendingPathComponent("capture.png") }

  /// All recordings, each for each way; empty without AUTHCORE_SHARED.
  static let all: [RecordedReader] = {
    guard let shared = Products.shared else { return [] }
    let recordings = shared.appendingPathComponent("recordings")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: recordings.path)) ?? []
    return names.sorted().flatMap { name in
      Way.allCases.map {
        RecordedReader(folder: recordings.appendingPathComponent(name), way: $0)
      }
    }.filter { FileManager.default.isReadableFile(atPath: $0.picture.path) }
  }()

  /// Vendor and product of the first device in umockdev's description: `05ba:000a`.
  func model() throws -> String {
    var ids: [String: String] = [:]
    for line in try description().split(separator: "\n") {
      guard let pair = line.split(separator: "=").last, line.hasPrefix("A: id") else { continue }
      // The reader comes first, then its hubs.
      let name = line.contains("idVendor") ? "vendor" : "product"
      if ids[name] == nil { ids[name] = String(pair.prefix(4)) }
    }
    return "\(ids["vendor"] ?? "?"):\(ids["product"] ?? "?")"
  }

  /// The value of `device=`: the traffic, and the model if the file does not name it.
  func device() throws -> String {
    let traffic = folder.appendingPathComponent("capture.pcapng").path
    guard !FileManager.default.isReadableFile(atPath: traffic) else { return traffic }
    return folder.appendingPathComponent("capture.ioctl").path + ":" + (try model())
  }

  /// The arguments of umockdev-run that bring the reader to life.
  func simulation() throws -> [String] {
    let traffic = folder.appendingPathComponent("capture.pcapng")
    let description = ["-d", folder.appendingPathComponent("device").path]
    if FileManager.default.isReadableFile(atPath: traffic.path) {
      let path = try self.description().prefix { $0 != "\n" }.dropFirst("P: ".count)
      return description + ["-p", "/sys\(path)=\(traffic.path)"]
    }
    let requests = folder.appendingPathComponent("capture.ioctl")
    let first = try String(contentsOf: requests, encoding: .utf8).prefix { $0 != "\n" }
    return description + ["-i", "\(first.dropFirst("@DEV ".count))=\(requests.path)"]
  }

  private func description() throws -> String {
    try String(contentsOf: folder.appendingPathComponent("device"), encoding: .utf8)
  }

  /// The value of `--driver`, or nil if no driver of the project handles the reader.
  func driver(among drivers: [ParsedJSON]) throws -> String? {
    guard way == .native else { return "libfprint:emulation=1" }
    let model = try model()
    let name = drivers.first { driver in
      driver["devices"]?.array?.contains { $0.string == model } == true
    }?["name"]?.string
    // The one driver that is random: libfprint's generator gave this in the recorded run
    // (devices/uru4000.md).
    return name == "uru4000" ? "uru4000:seed=0x51EA2124" : name
  }
}

/// A gray picture, from a PNG or a PGM.
struct Picture: Equatable {
  let width: Int
  let height: Int
  let pixels: [UInt8]

  /// Reads one channel of a PNG.
  init(png url: URL) throws {
    var image = unsafe png_image()
    unsafe image.version = UInt32(PNG_IMAGE_VERSION)
    guard unsafe png_image_begin_read_from_file(&image, url.path) != 0 else {
      throw CocoaError(.fileReadCorruptFile)
    }
    unsafe image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
    let (width, height) = unsafe (Int(image.width), Int(image.height))
    var bytes = [UInt8](repeating: 0, count: width * height * 3)
    guard unsafe png_image_finish_read(&image, nil, &bytes, 0, nil) != 0 else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.width = width
    self.height = height
    pixels = stride(from: 0, to: bytes.count, by: 3).map { bytes[$0] }
  }

  /// Reads a binary PGM as `sensor capture` writes it.
  init(pgm url: URL) throws {
    let data = try Data(contentsOf: url)
    let parts = data.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    let size = parts.count == 4 ? parts[1].split(separator: 0x20).map(Self.number) : []
    guard size.count == 2, let width = size[0], let height = size[1] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.width = width
    self.height = height
    pixels = Array(parts[3])
  }

  private static func number(_ digits: Data) -> Int? {
    Int(String(decoding: digits, as: UTF8.self))
  }
}

@Suite(
  "Real prints, through the command", .timeLimit(.minutes(60)),
  .enabled(if: Products.shared != nil, "no ../shared/prints here: set AUTHCORE_SHARED"))
struct RealPrintsTests {
  @Test("E2: three fingers of FVC2002 DB1_B are enrolled and told apart")
  func toldApart() throws {
    let folder = try #require(Products.shared).appendingPathComponent("prints/fvc2002/DB1_B")
    func print(_ finger: Int, _ impression: Int) -> URL {
      folder.appendingPathComponent("\(finger)_\(impression).pgm")
    }
    let state = try TestHome.withPasscode()
    try state.enroll((1...5).map { print(101, $0) })
    var accepted = 0
    for impression in 6...8 {
      let test = try state.authcore(
        "--driver", state.tape([print(101, impression)]), "finger", "test")
      accepted += test.status == 0 ? 1 : 0
    }
    #expect(accepted >= 2)
    for finger in [102, 103] {
      try state.authcore("--driver", state.tape([print(finger, 6)]), "finger", "test").expect(
        status: 1)
      try state.succeed("unlock", passcode: TestHome.passcode)
    }
  }
}

@Suite("The pictures of a comparison", .timeLimit(.minutes(60)))
struct ExplainTests {
  @Test("they are readable by their owner alone, whatever the folder held before")
  func isPrivate() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appendingPathComponent("out")
    let prints = try Prints.owner.get().prefix(2).map(\.path)
    func explain() throws -> CommandRun {
      try run("authcore-bench", ["explain"] + prints + ["--out", out.path])
    }
    func modes() throws -> [String: Int] {
      let names = try FileManager.default.contentsOfDirectory(atPath: out.path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { name in
          let path = out.appendingPathComponent(name).path
          let attributes = try FileManager.default.attributesOfItem(atPath: path)
          return (name, try #require(attributes[.posixPermissions] as? Int))
        })
    }
    try explain().expectSuccess()
    let made = try modes()
    #expect(made.count > 3 && made.values.allSatisfy { $0 == 0o600 }, "\(made)")
    for name in made.keys {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: out.appendingPathComponent(name).path)
    }
    #expect(try explain().status == 0)
    #expect(try modes() == made)
    let folderMode = try FileManager.default.attributesOfItem(atPath: out.path)[.posixPermissions]
    #expect(folderMode as? Int == 0o700)
  }
}
