import ArgumentParser
import FingerprintMatching
import GrayImage

/// What `accuracy` runs to measure durations and memory; see ``SpeedPrints``.
struct SpeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed", abstract: "Measure how long extraction and comparison take.",
    shouldDisplay: false)

  @Option(help: "The folder of the prints.") var images: String
  @Option(help: "The resolution of the whole prints, pixels per inch.") var ppi = 500
  @Option(help: "Where the table goes.") var out: String

  private static let repeats = 40

  func run() throws {
    let start = try ResidentMemory.peak()
    let prints = try (0..<SampledFinger.enrolled).map { try picture(SpeedPrints.Name.enrolled($0)) }
    let patches = try (0..<SampledFinger.enrolled * SampledFinger.patchesOfPrint)
      .map { try picture(SpeedPrints.Name.patch($0)) }
    let finger = try template(prints)
    let patched = try template(patches)
    var (whole, small) = (Sample(), Sample())
    var durations = [Sample](repeating: Sample(), count: 5)
    let extractor = FeatureExtractor()
    let matcher = PrintMatcher()
    let probe = extractor.features(of: try picture(SpeedPrints.Name.probe))
    let stranger = extractor.features(of: try picture(SpeedPrints.Name.stranger))
    let patchProbe = extractor.features(of: try picture(SpeedPrints.Name.patchProbe))
    let patchStranger = extractor.features(of: try picture(SpeedPrints.Name.patchStranger))
    // In turns, so that other load on the machine affects all of them.
    for round in 0..<Self.repeats {
      _ = whole.measure { extractor.features(of: prints[round % prints.count]) }
      _ = small.measure { extractor.features(of: patches[round % patches.count]) }
      _ = durations[0].measure { matcher.score(probe: probe, against: finger) }
      _ = durations[1].measure { matcher.score(probe: stranger, against: finger) }
      durations[2].measure {
        for _ in 0..<5 { _ = matcher.score(probe: stranger, against: finger) }
      }
      _ = durations[3].measure { matcher.score(probe: patchProbe, against: patched) }
      _ = durations[4].measure { matcher.score(probe: patchStranger, against: patched) }
    }
    let size = "\(prints[0].width) by \(prints[0].height)"
    let side = SampledFinger.patchSizes[0]
    let rows = [
      ("extracting \(size) pixels at \(ppi) ppi", whole),
      ("extracting \(side) by \(side) pixels", small),
      ("a touch with its finger of five prints", durations[0]),
      ("a touch with a stranger's finger of five prints", durations[1]),
      ("a touch with five such strangers' fingers", durations[2]),
      ("a patch with its finger of \(patches.count) patches", durations[3]),
      ("a patch with a stranger's finger of \(patches.count) patches", durations[4]),
    ].map { name, sample in
      [
        name, rounded(sample.median / .milliseconds(1)).description,
        rounded(sample.median / whole.median).description,
      ]
    }
    let table = MarkdownTable(head: ["median, one thread", "ms", "of an extraction"], rows: rows)
    let memory = """
      The process that did this, and nothing else, had at most \(try ResidentMemory.peak()) KiB of \
      memory resident (VmHWM of proc(5)), \(start) KiB of them before it read the first print.
      """
    try BenchmarkFile(out).write("\(table)\n\n\(memory)")
  }

  private func picture(_ name: String) throws -> FingerprintImage {
    try BenchmarkFile("\(images)/\(name)")
      .fingerprint(pixelsPerInch: name.hasPrefix("patch") ? 500 : ppi)
  }

  private func template(_ prints: [FingerprintImage]) throws -> FingerTemplate {
    let touches = prints.map { FeatureExtractor().features(of: $0) }
    guard let template = Enrollment(touches, isOfOneFinger: true).template() else {
      throw BenchmarkFailure("\(images): no print could be enrolled")
    }
    return template
  }
}

enum ResidentMemory {
  /// The most that was resident since the program started, in KiB (`VmHWM`, proc(5)). Unlike
  /// `ru_maxrss` of getrusage(2) it does not count the process before execve(2).
  static func peak() throws(BenchmarkFailure) -> Int {
    for line in try BenchmarkFile("/proc/self/status").text().split(separator: "\n")
    where line.hasPrefix("VmHWM:") {
      if let peak = Int(line.filter(\.isNumber)) { return peak }
    }
    throw BenchmarkFailure("/proc/self/status has no VmHWM")
  }

  /// What a process has in use, shared pages counted in part, in KiB (`Pss`, proc(5)); nil if this
  /// process may not look into it.
  static func share(of process: Int32) -> Int? { value("Pss:", of: process) }

  /// The part of that which is pages of files (`Pss_File`): the kernel takes them back if it needs
  /// memory, and their number says how much of a file was read.
  static func fileShare(of process: Int32) -> Int? { value("Pss_File:", of: process) }

  private static func value(_ name: String, of process: Int32) -> Int? {
    let lines = try? BenchmarkFile("/proc/\(process)/smaps_rollup").text().split(separator: "\n")
    return lines?.first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) }
  }
}

/// The prints on which durations and memory are measured, by a process that has done and holds
/// nothing else.
struct SpeedPrints {
  enum Name {
    static let probe = "probe.pgm"
    static let stranger = "stranger.pgm"
    static let patchProbe = "patch-probe.pgm"
    static let patchStranger = "patch-stranger.pgm"
    static func enrolled(_ number: Int) -> String { "enrolled-\(number).pgm" }
    static func patch(_ number: Int) -> String { "patch-\(number).pgm" }
  }

  private let pixelsPerInch: Int
  private var pictures: [(name: String, image: GrayImage)] = []

  init(_ set: ImageSet) throws(BenchmarkFailure) {
    pixelsPerInch = set.pixelsPerInch
    guard set.fingers.count > 1, set.fingers[0].impressions.count > SampledFinger.enrolled else {
      throw BenchmarkFailure(
        "\(set.name): two fingers with more than \(SampledFinger.enrolled) prints are needed")
    }
    let own = try set.images(of: set.fingers[0])
    let stranger = try set.images(of: set.fingers[1])[0]
    for (number, image) in own.prefix(SampledFinger.enrolled).enumerated() {
      pictures.append((Name.enrolled(number), image))
      for patch in patches(of: image, named: "enrolled-\(number)") {
        pictures.append((Name.patch(pictures.count { $0.name.hasPrefix("patch") }), patch))
      }
    }
    let probe = own[SampledFinger.enrolled]
    pictures += [
      (Name.probe, probe), (Name.stranger, stranger),
      (Name.patchProbe, patches(of: probe, named: "probe")[0]),
      (Name.patchStranger, patches(of: stranger, named: "stranger")[0]),
    ]
  }

  private func patches(of image: GrayImage, named name: String) -> [GrayImage] {
    let image = BicubicResampling.image(image, from: pixelsPerInch, to: 500)
    return PatchCutter(image, size: SampledFinger.patchSizes[0])
      .patches(SampledFinger.patchesOfPrint, of: name).map(\.image)
  }

  /// Runs `authcore-bench speed` on the prints, and returns its table.
  func measured() throws -> String {
    let scratch = try ScratchFolder()
    defer { withExtendedLifetime(scratch) {} }
    let folder = scratch.path
    for picture in pictures {
      try BenchmarkFile("\(folder)/\(picture.name)").write(picture.image.encodedPGM())
    }
    try MeasuredProgram(
      "/proc/self/exe",
      ["speed", "--images", folder, "--ppi", String(pixelsPerInch), "--out", "\(folder)/table"]
    ).run()
    return try BenchmarkFile("\(folder)/table").text()
  }
}
