import ArgumentParser
import FingerprintMatching
import FoundationEssentials
import Glibc
import GrayImage

/// What `accuracy` runs to measure durations and memory; see ``SpeedPrints``.
struct SpeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed", abstract: "Measure how long extraction and comparison take.",
    shouldDisplay: false)

  @Option(help: "The folder of the prints.")
  var images: String

  @Option(help: "The resolution of the whole prints, pixels per inch.")
  var ppi = 500

  @Option(help: "Where the table goes.")
  var out: String

  /// How often each thing is done.
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
    // In turns, so that whatever else the machine does meets all of them.
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
        name, String(rounded(sample.median / .milliseconds(1))),
        String(rounded(sample.median / whole.median)),
      ]
    }
    let table = MarkdownTable(head: ["median, one thread", "ms", "of an extraction"], rows: rows)
    let memory = """
      The process that did this, and nothing else, had at most \(try ResidentMemory.peak()) KiB of \
      memory resident (VmHWM of proc(5)), \(start) KiB of them before it read the first print.
      """
    try BenchmarkFile(out).write(Array("\(table)\n\n\(memory)".utf8))
  }

  private func picture(_ name: String) throws -> FingerprintImage {
    try BenchmarkFile("\(images)/\(name)")
      .fingerprint(pixelsPerInch: name.hasPrefix("patch") ? 500 : ppi)
  }

  private func template(_ prints: [FingerprintImage]) throws -> FingerTemplate {
    var enrollment = Enrollment(isOfOneFinger: true)
    for print in prints { _ = enrollment.add(FeatureExtractor().features(of: print)) }
    guard let template = enrollment.template() else {
      throw BenchmarkFailure("\(images): no print could be enrolled")
    }
    return template
  }
}

/// How much memory processes have, or have had, in use.
enum ResidentMemory {
  /// The most that was resident since the program started, in KiB (`VmHWM`, proc(5)). Unlike
  /// `ru_maxrss` of getrusage(2) it does not count what the process was before execve(2).
  ///
  /// - Throws: ``BenchmarkFailure`` where proc is not mounted.
  static func peak() throws(BenchmarkFailure) -> Int {
    let status = String(decoding: try BenchmarkFile("/proc/self/status").read(), as: UTF8.self)
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      if let peak = Int(line.filter(\.isNumber)) { return peak }
    }
    throw BenchmarkFailure("/proc/self/status has no VmHWM")
  }

  /// What a process has in use, pages that it shares counted in part, in KiB (`Pss`, proc(5)); nil
  /// where this process may not look into that one.
  static func share(of process: Int32) -> Int? { value("Pss:", of: process) }

  /// What of that is pages of files (`Pss_File`): the kernel takes them back where it has better use
  /// for them, and how many are there says how much of a file was read.
  static func fileShare(of process: Int32) -> Int? { value("Pss_File:", of: process) }

  private static func value(_ name: String, of process: Int32) -> Int? {
    guard let file = try? BenchmarkFile("/proc/\(process)/smaps_rollup").read() else { return nil }
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) }
  }
}

/// The prints on which durations and memory are measured, by a process of its own: it has done
/// nothing else, and holds nothing else.
struct SpeedPrints {
  /// What is measured on: a finger's prints, and one of another finger.
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

  /// Takes prints of the first two fingers of a set.
  ///
  /// - Throws: ``BenchmarkFailure`` where there are too few, or one cannot be read.
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

  /// Measures: runs `authcore-bench speed` on the prints.
  ///
  /// - Returns: Its table.
  /// - Throws: ``BenchmarkFailure`` where it cannot be run.
  func measured() throws -> String {
    var template = Array("/tmp/authcore-bench-XXXXXX".utf8CString)
    // mkdtemp(3) writes the name into the template.
    guard let name = unsafe mkdtemp(&template) else {
      throw BenchmarkFailure("cannot make a folder in /tmp")
    }
    let folder = unsafe String(cString: name)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for picture in pictures {
      try BenchmarkFile("\(folder)/\(picture.name)").write(picture.image.encodedPGM())
    }
    try MeasuredProgram(
      "/proc/self/exe",
      ["speed", "--images", folder, "--ppi", String(pixelsPerInch), "--out", "\(folder)/table"]
    ).run()
    return String(decoding: try BenchmarkFile("\(folder)/table").read(), as: UTF8.self)
  }
}
