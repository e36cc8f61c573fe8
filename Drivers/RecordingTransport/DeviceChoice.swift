internal import SensorKit

/// Which device is meant, where a recording does not tell or holds several.
package enum DeviceChoice: Equatable, Sendable {
  /// The only one there is.
  case only
  /// The one at this place.
  case place(bus: UInt16, address: UInt8)
  /// The one of this model; the release is what the file does not say.
  case model(vendor: UInt16, product: UInt16, release: UInt16)

  /// Reads "", "1.44", "298d:1010" or "298d:1010:0001"; nil for anything else.
  package init?(_ text: String) {
    let ids = text.split(separator: ":", omittingEmptySubsequences: false).map { Self.number($0) }
    let place = text.split(separator: ".", omittingEmptySubsequences: false)
    if text.isEmpty {
      self = .only
    } else if 2...3 ~= ids.count, let vendor = ids[0], let product = ids[1],
      let release = ids.count == 3 ? ids[2] : 0
    {
      self = .model(vendor: vendor, product: product, release: release)
    } else if place.count == 2, let bus = UInt16(place[0]), let address = UInt8(place[1]) {
      self = .place(bus: bus, address: address)
    } else {
      return nil
    }
  }

  private static func number(_ word: Substring) -> UInt16? {
    1...4 ~= word.utf8.count ? UInt16(word, radix: 16) : nil
  }
}

/// "05ba:000a"
func modelName(vendor: UInt16, product: UInt16) -> String {
  [vendor, product].map { number in
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }.joined(separator: ":")
}
