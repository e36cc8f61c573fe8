import CoreClient
import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Synchronization

/// The USB devices of this machine that a driver handles.
struct ConnectedReaders {
  /// Whether the service opens them, and not this process.
  let isOfService: Bool

  /// Looks for readers, whether they may be opened, and for readers that no driver handles.
  func findings(drivers: [InstalledDriver]) -> [Finding] {
    var findings: [Finding] = []
    for device in FolderNames.sorted(in: USBProduct.devices) {
      guard let match = Self.match(of: device) else { continue }
      let release = USBProduct.text(device, "bcdDevice").flatMap { UInt16($0, radix: 16) } ?? 0
      let presence = USBPresence(match: match, release: release, bus: 0, address: 0)
      let claiming = drivers.filter { $0.handles(presence) }
      if let driver = claiming.first {
        findings.append(finding(device, match, driver.description))
        if claiming.count > 1 { findings.append(rivalry(match, claiming)) }
      } else if let name = USBProduct.text(device, "product"), USBProduct.isReader(name) {
        findings.append(stranger(name, match, drivers))
      }
    }
    guard findings.isEmpty else { return findings }
    return [
      .remark(
        "reader", "No reader is connected that a driver handles",
        remedy: "Plug one in, or try without: authcore --driver replay")
    ]
  }

  private func rivalry(
    _ match: DriverDescription.USBMatch, _ claiming: [InstalledDriver]
  ) -> Finding {
    .remark(
      "reader",
      "Several drivers claim \(match.text): "
        + claiming.map { $0.description.name }.joined(separator: ", ") + "; the first is used",
      remedy: "Remove one of them, or name the other: "
        + (isOfService
          ? "[readers] drivers in /etc/authcore/policy.toml"
          : "--driver \(claiming[1].description.name)"))
  }

  private func stranger(
    _ name: String, _ match: DriverDescription.USBMatch, _ drivers: [InstalledDriver]
  ) -> Finding {
    // The service uses a driver only for the devices that it lists.
    let bridge =
      isOfService
      ? nil : drivers.first { $0.description.flags.contains(.opensDevices) }?.description.name
    let write = "authcore driver new NAME --usb \(match.text)"
    return .remark(
      "reader", "\(name) (\(match.text)) is connected, and no driver handles it",
      remedy: bridge.map { "Try --driver \($0), or write a driver: \(write)" }
        ?? "Write a driver: \(write)")
  }

  private func finding(
    _ device: String, _ match: DriverDescription.USBMatch, _ driver: DriverDescription
  ) -> Finding {
    let name = "\(driver.fullName) (\(match.text), driver \(driver.name))"
    guard let bus = Self.number(device, "busnum"), let address = Self.number(device, "devnum")
    else {
      return .problem("reader", "\(name) has no device node", remedy: "Unplug it and plug it in.")
    }
    let node = USBPresence(match: match, bus: bus, address: address).node
    guard unsafe isOfService || access(node, R_OK | W_OK) == 0 else {
      return .problem(
        "reader", "\(name) may not be opened: \(node): \(SystemCallError.text(of: errno))",
        remedy: OpenedDevice.permissionHint)
    }
    return .good("reader", name)
  }

  private static func match(of device: String) -> DriverDescription.USBMatch? {
    guard let vendor = USBProduct.text(device, "idVendor").flatMap({ UInt16($0, radix: 16) }),
      let product = USBProduct.text(device, "idProduct").flatMap({ UInt16($0, radix: 16) })
    else { return nil }
    return DriverDescription.USBMatch(vendor: vendor, product: product)
  }

  private static func number(_ device: String, _ attribute: String) -> UInt8? {
    USBProduct.text(device, attribute).flatMap { UInt8($0) }
  }
}

/// The driver that `--driver` names, and whether it can be used and opens its device.
struct NamedDriver {
  let findings: [Finding]
  /// Nil if none was named or it cannot be used.
  let driver: ChosenDriver?
  /// Whether it was found and its options are valid.
  let isUsable: Bool

  /// - Parameters:
  ///   - invocation: names it, or none.
  ///   - installation: where its host is found.
  init(_ invocation: Invocation, in installation: Installation) {
    do throws(Failure) {
      let chosen = try invocation.chosenDriver()
      findings = chosen.map { Self.findings($0, installation) } ?? []
      driver = chosen
      isUsable = true
    } catch {
      driver = nil
      findings = [.problem("driver", error)]
      isUsable = false
    }
  }

  private static func findings(_ chosen: ChosenDriver, _ installation: Installation) -> [Finding] {
    let description = chosen.driver.description
    let driver = Finding.good(
      "driver", "\(description.name), version \(description.version) (\(chosen.driver.path))")
    do throws(Failure) {
      return try [driver] + device(chosen, installation)
    } catch {
      return [driver, .problem("device", error)]
    }
  }

  /// Opens the device and closes it.
  private static func device(
    _ chosen: ChosenDriver, _ installation: Installation
  ) throws(Failure) -> [Finding] {
    let source = try chosen.source(in: installation)
    let name = source?.text ?? "its own"
    // Warnings while the device opens come on this thread.
    let warnings = Mutex<[String]>([])
    var findings: [Finding]
    do throws(Failure) {
      let session = try SensorSession(
        chosen.driver, options: chosen.options, source: source, in: installation
      ) { level, text in
        if level >= .warning { warnings.withLock { $0.append(text) } }
      }
      session.close()
      findings = [.good("device", name + ": it opens" + words(of: session.identity))]
    } catch {
      findings = [
        error.code == .busy
          ? .remark("device", name + ": " + error.message, remedy: error.hint)
          : .problem("device", error)
      ]
    }
    return findings
      + warnings.withLock { $0 }.suffix(mostWarnings).map { .remark("log", $0, remedy: nil) }
  }

  /// Describes the open device; the driver's own description may hold for several.
  private static func words(of identity: SensorIdentity?) -> String {
    guard let identity else { return "" }
    let size = PictureSize(
      width: identity.width, height: identity.height, pixelsPerInch: identity.pixelsPerInch)
    let versions = [("firmware", identity.firmware), ("serial number", identity.serial)]
      .filter { !$0.1.isEmpty }.map { ", \($0.0) \($0.1.printable)" }
    return ", \(identity.scanType), \(size.text)" + versions.joined()
  }

  /// The last warnings say why.
  private static let mostWarnings = 5
}
