import FoundationEssentials
import Glibc
import GrayImage

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
