package import Foundation
import GrayImage
import SyntheticPrints

/// Synthetic prints as files, made once for all tests.
package enum Prints {
  /// Impressions 0..<8 of three fingers.
  package static let owner = Result { try impressions(of: 0xa11ce) }
  package static let second = Result { try impressions(of: 0xb0b) }
  package static let stranger = Result { try impressions(of: 0xe4e) }

  private static func impressions(of seed: UInt64) throws -> [URL] {
    let finger = SyntheticFinger(seed: seed)
    return try (0..<8).map { index in
      let image = finger.impression(seed: seed &* 31 &+ UInt64(index))
      return try TemporaryFolder.shared.get().write(
        "\(seed)-\(index).pgm", Data(image.encodedPGM()))
    }
  }
}
