import ArgumentParser
import FingerprintMatching
import Foundation
import GrayImage

/// `authcore-bench canaries`: what a print looks like in the memory of a process that holds it, for
/// scripts/test-memory.
///
/// For each picture, rows of its pixels in every polarity and direction, and minutiae as the
/// matcher lays them out, as lines of `NAME HEXADECIMAL`. Then it holds them until its input ends:
/// a scan of this process must find them.
struct CanariesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "canaries", abstract: "Say what prints look like in memory, and hold them.",
    shouldDisplay: false)

  @Argument(help: "The pictures.") var pictures: [String]

  func run() throws {
    var rows: [[UInt8]] = []
    var prints: [[Minutia]] = []
    for path in pictures {
      let picture = try BenchmarkFile(path).picture()
      for eighth in 2...6 {
        let start = picture.height * eighth / 8 * picture.width + picture.width / 2 - 16
        let row = Array(picture.pixels[start..<start + 32])
        guard Set(row).count > 8 else { continue }
        let inverted = row.map { 255 - $0 }
        rows += [row, inverted, row.reversed(), inverted.reversed()]
      }
      prints.append(Array(try picture.features(named: path).minutiae.prefix(5)))
    }
    for row in rows { show("row", row) }
    for minutiae in prints {
      let stride = MemoryLayout<Minutia>.stride
      let bytes = unsafe minutiae.withUnsafeBytes { unsafe Array($0) }
      for index in minutiae.indices {
        // Direction, quality and ridge distance; the position depends on where the view begins.
        show("minutia", Array(bytes[index * stride + 8..<(index + 1) * stride]))
      }
    }
    print("ready")
    fflush(nil)
    while readLine() != nil {}
    withExtendedLifetime((rows, prints)) {}
  }

  private func show(_ name: String, _ bytes: [UInt8]) {
    print(name + " " + bytes.map { String(format: "%02x", $0) }.joined())
  }
}
