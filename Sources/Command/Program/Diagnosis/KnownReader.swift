import CoreClient
import PluginHosting
import Protocol

/// What is known about readers that no installed driver handles.
///
/// The ids are those that libfprint and its list of unsupported devices name (its
/// `data/autosuspend.hwdb` of summer 2026).
struct KnownReader: Equatable {
  enum Support: Equatable {
    /// The reader delivers images, and this driver of libfprint reads them.
    case libfprint(String)
    /// The reader compares prints itself; no image of a finger leaves it.
    case matchesOnChip(maker: String)
    /// libfprint lists the reader as unsupported.
    case unsupported
  }

  let match: DriverDescription.USBMatch
  let support: Support

  init?(_ match: DriverDescription.USBMatch) {
    guard let support = Self.table[match.vendor]?[match.product] else { return nil }
    (self.match, self.support) = (match, support)
  }

  /// What `doctor` says of it.
  func finding(hasBridge: Bool) -> Finding {
    switch support {
    case .libfprint(let driver):
      let what = "The reader \(match.text) works through libfprint (its driver \(driver))"
      return hasBridge
        ? .remark("reader", what, remedy: "authcore --driver libfprint finger enroll")
        : .remark(
          "reader", what, remedy: "Install libfprint 1.94, or use a core of your own: --home DIR")
    case .matchesOnChip(let maker):
      return .remark(
        "reader", "The reader \(match.text) of \(maker) matches on the chip, and no driver is here",
        remedy: "Log in with it by fprintd; see docs/readers.md for the readers with a driver")
    case .unsupported:
      return .remark(
        "reader", "No open driver exists for the reader \(match.text)",
        remedy: "Use another reader; docs/readers.md lists those that work")
    }
  }
}

extension KnownReader {
  /// What is known about the reader of an id, connected or not.
  struct Answer {
    let match: DriverDescription.USBMatch
    let drivers: [InstalledDriver]
    let finding: Finding

    init(_ match: DriverDescription.USBMatch, _ entries: [DriverCatalog.Entry]) {
      let all = entries.compactMap { try? $0.result.get() }
      let drivers = all.filter {
        $0.description.usbMatches.contains {
          $0.vendor == match.vendor && $0.product == match.product
        }
      }
      (self.match, self.drivers) = (match, drivers)
      let hasBridge = all.contains { $0.description.flags.contains(.opensDevices) }
      finding =
        drivers.first.map { Self.finding(match, $0.description) }
        ?? KnownReader(match)?.finding(hasBridge: hasBridge)
        ?? .remark(
          "reader", "Nothing is known about the device \(match.text)",
          remedy: "Write a driver: authcore driver new NAME --usb \(match.text)")
    }

    private static func finding(
      _ match: DriverDescription.USBMatch, _ driver: DriverDescription
    ) -> Finding {
      let kind = driver.flags.contains(.matchesOnChip) ? "matches on the chip" : "delivers images"
      return .good(
        "reader",
        "The reader \(match.text) \(kind) and works with the driver \(driver.name.printable)")
    }

    var lines: [String] { [finding.text] + (finding.remedy.map { ["  " + $0] } ?? []) }

    var json: JSONValue {
      .object([
        "device": .string(match.text), "drivers": .array(drivers.map(DriverText.json)),
        "text": .string(finding.text), "remedy": finding.remedy.map(JSONValue.string),
      ])
    }
  }
}

extension DriverDescription.USBMatch {
  /// - Throws: `usage` if the text is not an id as `lsusb` shows it.
  init(argument text: String) throws(Failure) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 4 && $0.allSatisfy(\.isHexDigit) }),
      let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16)
    else {
      throw .usage(
        "\u{201C}\(text.printable)\u{201D} is not a USB device",
        hint: "two numbers of four hexadecimal digits, such as 05ba:000a; lsusb shows them")
    }
    self.init(vendor: vendor, product: product)
  }
}

extension KnownReader {
  fileprivate static let table: [UInt16: [UInt16: Support]] = {
    var table: [UInt16: [UInt16: Support]] = [:]
    for (support, ids) in families {
      for line in ids.split(separator: "\n") {
        let words = line.split(separator: " ").map { $0.split(separator: "-") }
        let numbers = words.map { $0.compactMap { UInt16($0, radix: 16) } }
        for range in numbers.dropFirst() {
          for product in range[0]...range[range.count - 1] {
            table[numbers[0][0], default: [:]][product] = support
          }
        }
      }
    }
    return table
  }()

  /// Each line is a vendor and its products, in hexadecimal; `1680-168f` is a range.
  private static let families: [(Support, String)] = [
    (.libfprint("aes1610"), "08ff 1600"),
    (.libfprint("aes1660"), "08ff 1660 1680-168f"),
    (.libfprint("aes2501"), "08ff 2500 2580"),
    (.libfprint("aes2550"), "08ff 2550 2810"),
    (.libfprint("aes2660"), "08ff 2660 2680-268f 2691"),
    (.libfprint("aes3500"), "08ff 5731"),
    (.libfprint("aes4000"), "08ff 5501"),
    (.libfprint("egis0570"), "1c7a 0570 0571"),
    (.libfprint("egis0575"), "1c7a 0575"),
    (.libfprint("elan"), "04f3 0903 0907 0c01-0c33 0c3d 0c42 0c4b 0c4d 0c4f 0c58 0c63 0c6e"),
    (.libfprint("etes603"), "1c7a 0603"),
    (.libfprint("nb1010"), "298d 1010 2020"),
    (.libfprint("secugen"), "1162 2200"),
    (.libfprint("upeksonly"), "147e 1000 1001 2016"),
    (.libfprint("upektc"), "0483 2015 2017\n147e 3001"),
    (.libfprint("upektc_img"), "147e 2020"),
    (.libfprint("uru4000"), "045e 00bc 00bd 00ca\n05ba 0007 0008 000a"),
    (.libfprint("vcom5s"), "061a 0110"),
    (.libfprint("vfs0050"), "138a 0050"),
    (.libfprint("vfs101"), "138a 0001"),
    (.libfprint("vfs301"), "138a 0005 0008"),
    (.libfprint("vfs5011"), "138a 0010 0011 0015 0017 0018"),
    (.libfprint("vfs7552"), "138a 0091"),
    (.matchesOnChip(maker: "Egis"), "1c7a 0582-0584 0586-0588 05a1 05ae 9201"),
    (
      .matchesOnChip(maker: "Elan"),
      "04f3 0c7d 0c7e 0c82 0c88 0c8c 0c8d 0c98 0c99 0c9c 0c9d 0c9f 0ca3 0ca7 0ca8 0cb0 0cb2 0cb6"
    ),
    (
      .matchesOnChip(maker: "FocalTech"),
      "2808 077a 079a 1579 5158 6553 9e48 a27a a57a a78a a959 a97a a99a d979"
    ),
    (
      .matchesOnChip(maker: "Fingerprint Cards"),
      "10a5 9524 9544 9b24 a305 a306 c844 d205 d805 da04 ffe0"
    ),
    (
      .matchesOnChip(maker: "Goodix"),
      """
      27c6 5840 6014 6082 6090 6092 6094 609a 609c 60a2 60a4 60bc 60c2 6304 631c 633c 634c 6382
      27c6 6384 639c 63ac 63bc 63cc 6496 650a 650c 6512 6515 6582 6584 658c 6592 6594 659a 659c
      27c6 65ba 660a 66a9 66ac 6890 689a 6984 6a94
      """
    ),
    (.matchesOnChip(maker: "Microarray"), "3274 8012"),
    (.matchesOnChip(maker: "Realtek"), "0bda 5813 5816\n2541 fa03\n3274 9003"),
    (
      .matchesOnChip(maker: "Synaptics"),
      """
      06cb 00bd 00c2 00c4 00c6 00df 00e9 00f0 00f9 00fc 0100 0103 0104 0106-010b 010d 010e 0123
      06cb 0124 0126 0129 015f 0168 0169 016c 0173 0174 019d 019f 01a0 01a4
      """
    ),
    (
      .unsupported,
      """
      0413 2766
      045e 0815
      047d 00f2 8054 8055
      04e8 730b
      04f2 b61e
      04f3 036b 0c00 0c4c 0c57 0c5a 0c5e 0c60 0c6c 0c70 0c72 0c77 0c7c 0c7f 0c80 0c85 0c8a 0c8e
      04f3 0c90 0ca2 24cc 2706 3032 3057 3058 3066 3087 309f 30c6 3104 310d 3128 3195 31fc 3201
      04f3 3212
      05ba 000e
      05c8 03c0
      06cb 0051 0081 0088 008a 009a 009b 00a1 00a2 00a8 00b7 00bb 00bc 00be 00c7 00c9 00cb 00d8
      06cb 00da 00dc 00e4 00e7 00fd 00ff 0102 ce67 ceef
      08ff 3400
      0a5c 5801 5802 5805 5834 5840-5845 5860 5863-5867
      0bda 0129 5812
      10a5 0007 9200 9201 9800 a120 a900 a921 e340
      1188 9545
      138a 0006 0007 003a 003c 003d 003f 0090 0092 0094 0097 009d 00a6 00ab
      147e 1002
      1491 0088
      16d1 1027
      1c7a 0300 0576 0577 057e 05a5 05aa 0801
      2541 0236 9711
      27c6 5042 5110 5117 5120 5125 5201 521d 5301 530c 532d 5335 533c 5381 5385 538c 538d 5395
      27c6 5503 550a 550c 5584 55a2 55a4 55b4 5740 581a 589a 5e0a 5f10 5f91
      2808 06fc 6652 9338 9348 93a9 a553 a573 a658 c652
      298d 2033
      2df0 0003
      3274 9008 b012
      33a7 2388
      3538 0930
      """
    ),
  ]
}
