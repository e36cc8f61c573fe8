internal import SensorKit

/// A model of device, and what a file does not say of it.
package struct RecordedModel: Equatable, Sendable {
  package let vendor: UInt16
  package let product: UInt16
  /// bcdDevice, for a recording that does not have it.
  package let release: UInt16

  package init(vendor: UInt16, product: UInt16, release: UInt16 = 0) {
    (self.vendor, self.product, self.release) = (vendor, product, release)
  }

  /// Reads "298d:1010" or "298d:1010:0001"; nil for anything else.
  init?(_ text: Substring) {
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { word in
      1...4 ~= word.utf8.count ? UInt16(word, radix: 16) : nil
    }
    guard 2...3 ~= numbers.count, let vendor = numbers[0], let product = numbers[1],
      let release = numbers.count == 3 ? numbers[2] : 0
    else { return nil }
    self.init(vendor: vendor, product: product, release: release)
  }

  /// "05ba:000a"
  var name: String {
    [vendor, product].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }.joined(separator: ":")
  }
}

/// Which device is meant, where a recording does not tell or holds several.
package enum DeviceChoice: Equatable, Sendable {
  case only
  case place(bus: UInt16, address: UInt8)
  /// The one of these models, at least one; a driver handles them, or a person named one.
  case models([RecordedModel])

  /// Reads "", "1.44", or models between commas: "298d:1010", "298d:1010:0001,298d:1011"; nil for
  /// anything else.
  package init?(_ text: String) {
    let place = text.split(separator: ".", omittingEmptySubsequences: false)
    if text.isEmpty {
      self = .only
    } else if place.count == 2, let bus = UInt16(place[0]), let address = UInt8(place[1]) {
      self = .place(bus: bus, address: address)
    } else {
      var models: [RecordedModel] = []
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let model = RecordedModel(word) else { return nil }
        models.append(model)
      }
      self = .models(models)
    }
  }

  /// The model that an unnamed device has to be of; nil where several are possible, or any is.
  var onlyModel: RecordedModel? {
    if case .models(let models) = self, models.count == 1 { models[0] } else { nil }
  }
}
