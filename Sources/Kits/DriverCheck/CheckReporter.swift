import DriverKit
import Glibc

/// Writes the lines of the report to descriptor 3.
struct CheckReporter {
  private static let descriptor: Int32 = 3

  /// What is about to be done and what was done to the device, for the case that it is the last
  /// thing.
  func at(_ place: String, disturbance: String? = nil) {
    say(.at(place, disturbance: disturbance))
  }

  func say(_ word: CheckReportLine) {
    let bytes = Array((word.line + "\n").utf8)
    // A parent that is gone needs no report.
    _ = unsafe write(Self.descriptor, bytes, bytes.count)
  }
}
