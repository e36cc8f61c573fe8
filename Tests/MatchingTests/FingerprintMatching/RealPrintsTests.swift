import FingerprintMatching
import Glibc
import GrayImage
import Testing

/// Real prints, where the machine has them: never part of the project.
enum RealPrints {
  /// The folder, from the environment or beside the package.
  static let folder: String = {
    let shared = unsafe getenv("AUTHCORE_SHARED").map { unsafe String(cString: $0) }
    let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return (shared ?? "/\(package)/../shared") + "/prints/fvc2002"
  }()

  static var areThere: Bool { unsafe access(folder + "/DB1_B/101_1.pgm", R_OK) == 0 }

  static func features(
    _ set: String, _ finger: Int, _ impression: Int, pixelsPerInch: Int
  ) throws -> PrintFeatures {
    let path = "\(folder)/\(set)/\(finger)_\(impression).pgm"
    let file = unsafe try #require(fopen(path, "r"))
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    let picture = try GrayImage(decodingPGM: Array(bytes[..<count]))
    return FeatureExtractor().features(
      of: try fingerprint(picture, pixelsPerInch: pixelsPerInch))
  }
}

@Suite("Real prints", .enabled(if: RealPrints.areThere, "needs AUTHCORE_SHARED"))
struct RealPrintsTests {
  @Test(
    "E2: enrolled from impressions 1 to 5, fingers are recognized by 6 to 8 and no other is",
    arguments: [("DB1_B", 500), ("DB2_B", 569), ("DB3_B", 500), ("DB4_B", 500)])
  func acceptance(set: String, pixelsPerInch: Int) throws {
    var fingers: [FingerTemplate] = []
    var probes: [(finger: Int, features: PrintFeatures)] = []
    for finger in 0..<10 {
      var enrollment = Enrollment()
      for impression in 1...8 {
        let features = try RealPrints.features(
          set, 101 + finger, impression, pixelsPerInch: pixelsPerInch)
        if impression <= 5 {
          _ = enrollment.add(features)
        } else {
          probes.append((finger, features))
        }
      }
      #expect(enrollment.usableTouches >= Enrollment.minimumTouches)
      fingers.append(try #require(enrollment.template()))
    }
    var (accepted, falselyAccepted) = (0, 0)
    for probe in probes {
      for (finger, template) in fingers.enumerated() {
        let score = PrintMatcher().score(probe: probe.features, against: template)
        guard score >= PrintMatcher.threshold else { continue }
        if finger == probe.finger { accepted += 1 } else { falselyAccepted += 1 }
      }
    }
    #expect(accepted >= 28)
    #expect(falselyAccepted == 0)
  }
}
