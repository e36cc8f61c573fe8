import PluginHosting
package import Protocol

/// Rules for udev(7) that let the person at the machine, and the service, open the readers that
/// drivers handle.
package struct UdevRules: Equatable, Sendable {
  /// A driver and its devices.
  package struct Group: Equatable, Sendable {
    /// What `--driver` takes.
    package let name: String
    /// For people.
    package let fullName: String
    /// Sorted by number; each is in one group only. Revisions and interfaces do not matter here: a
    /// rule only permits opening a device.
    package let devices: [DriverDescription.USBMatch]
  }

  /// Drivers with devices, by name.
  package let groups: [Group]

  /// It has to come before 73-seat-late.rules, which turns uaccess into permissions.
  package static let file = "/etc/udev/rules.d/70-authcore.rules"
  /// Debian's group for people and services who may use devices that are plugged in, without
  /// sitting at the machine.
  package static let group = "plugdev"

  /// - Parameter drivers: in order of preference. A device that two of them handle belongs to the
  ///   first, as it does in use.
  package init(_ drivers: [DriverDescription]) {
    var known: Set<DriverDescription.USBMatch> = []
    let groups = drivers.map { driver in
      Group(
        name: driver.name, fullName: driver.fullName,
        devices: driver.usbMatches.map(\.model).filter { known.insert($0).inserted }
          .sorted { ($0.vendor, $0.product) < ($1.vendor, $1.product) })
    }
    self.groups = groups.filter { !$0.devices.isEmpty }.sorted { $0.name < $1.name }
  }

  package var lines: [String] {
    var lines = [
      "# Fingerprint readers that authcore has drivers for. Made by `authcore driver udev-rules`; install with",
      "#   authcore driver udev-rules | sudo tee \(Self.file)",
      "#   sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=usb",
      "# TAG uaccess: whoever sits at the machine may open the reader. GROUP and MODE: so may the group plugdev.",
      "# power/control: a reader that sleeps while nobody uses it costs the battery nothing.",
      "ACTION==\"remove\", GOTO=\"authcore_end\"",
      "SUBSYSTEM!=\"usb\", GOTO=\"authcore_end\"",
      "ENV{DEVTYPE}!=\"usb_device\", GOTO=\"authcore_end\"",
    ]
    for group in groups {
      lines += ["", "# \(group.name): \(group.fullName)"]
      lines += group.devices.map { device in
        "ATTR{idVendor}==\"\(device.vendorText)\", ATTR{idProduct}==\"\(device.productText)\", "
          + "TAG+=\"uaccess\", GROUP=\"\(Self.group)\", MODE=\"0660\", "
          + "ATTR{power/control}=\"auto\""
      }
    }
    return lines + ["", "LABEL=\"authcore_end\""]
  }
}
