import CoreClient
import PluginHosting
import Protocol

enum DriverText {
  static func table(_ entries: [DriverCatalog.Entry], _ paint: Paint) -> [String] {
    var table = Table("name", "sensor", "devices", "path")
    var broken: [String] = []
    var count = 0
    for entry in entries {
      switch entry.result {
      case .success(let driver):
        count += 1
        table.add(
          driver.description.name, driver.description.fullName, devices(driver.description),
          driver.path)
      case .failure(let failure):
        broken.append(paint("cannot be used: ", .doubtful) + failure.message.printable)
        if let hint = failure.hint { broken.append("  " + hint.printable) }
      }
    }
    return (count > 0 ? table.lines(paint) : ["No driver was found."]) + broken
  }

  private static func devices(_ description: DriverDescription) -> String {
    switch description.usbMatches.count {
    case 0: "none"
    case 1...2: description.usbMatches.map(\.text).joined(separator: " ")
    case let count: "\(description.usbMatches[0].text) and \(count - 1) more"
    }
  }

  static func facts(_ driver: InstalledDriver, _ paint: Paint) -> [String] {
    let description = driver.description
    var facts = Facts()
    facts.add("name", description.name)
    facts.add("sensor", description.fullName.printable)
    facts.add("version", description.version.printable)
    facts.add("path", driver.path.printable)
    facts.add("ABI", description.abiText)
    let size = PictureSize(
      width: description.width, height: description.height,
      pixelsPerInch: description.pixelsPerInch)
    let isChip = description.flags.contains(.matchesOnChip)
    facts.add("kind", "\(description.scanType), " + (isChip ? "matches on the chip" : size.text))
    facts.add("prints", prints(description))
    facts.add("devices", devices(description))
    facts.add("sandbox", sandbox(description))
    for option in description.options {
      facts.add(
        "option", "\(option.name)=\(option.kind.name.uppercased())  \(option.summary.printable)")
    }
    return facts.lines(paint)
  }

  private static func sandbox(_ description: DriverDescription) -> String {
    if description.flags.contains(.opensDevices) {
      return "wider: it opens devices itself, any that this user may open"
    }
    return description.flags.contains(.readsFiles) ? "reads files" : "its device and nothing else"
  }

  private static func prints(_ description: DriverDescription) -> String {
    guard description.isSynthetic(withOptions: []) else { return "real" }
    guard let option = description.realOption else { return "synthetic" }
    return "synthetic, real with \(option)="
  }

  static func json(_ entries: [DriverCatalog.Entry]) -> JSONValue {
    var drivers: [JSONValue] = []
    var broken: [JSONValue] = []
    for entry in entries {
      switch entry.result {
      case .success(let driver): drivers.append(json(driver))
      case .failure(let failure):
        broken.append(
          .object([
            "path": .string(entry.path), "name": .string(failure.code.rawValue),
            "message": .string(failure.message), "hint": failure.hint.map(JSONValue.string),
          ]))
      }
    }
    return .object(["drivers": .array(drivers), "broken": .array(broken)])
  }

  static func json(_ driver: InstalledDriver) -> JSONValue {
    let description = driver.description
    return .object([
      "name": .string(description.name), "path": .string(driver.path),
      "abi": .string(description.abiText),
      "devices": .array(description.usbMatches.map { .string($0.text) }),
      "fullName": .string(description.fullName), "version": .string(description.version),
      "kind": .string("\(description.scanType)"), "width": .count(description.width),
      "height": .count(description.height), "ppi": .count(description.pixelsPerInch),
      "synthetic": .bool(description.isSynthetic(withOptions: [])),
      "opensDevices": .bool(description.flags.contains(.opensDevices)),
      "readsFiles": .bool(description.flags.contains(.readsFiles)),
      "options": .array(
        description.options.map { option in
          .object([
            "name": .string(option.name), "kind": .string(option.kind.name),
            "summary": .string(option.summary),
          ])
        }),
    ])
  }
}

extension DriverDescription {
  /// `1.0`
  fileprivate var abiText: String { "\(abiVersion >> 16).\(abiVersion & 0xFFFF)" }
}
