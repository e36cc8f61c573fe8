import PluginHosting
package import Protocol

/// Rules for udev(7) that let the person at the machine, and the service, reach the readers that
/// drivers handle.
package struct UdevRules: Equatable, Sendable {
  /// A driver and what it handles.
  package struct Group: Equatable, Sendable {
    /// What `--driver` takes.
    package let name: String
    /// For people.
    package let fullName: String
    /// In the order of their numbers, none twice in all groups together. What else a driver asks of
    /// a device is left to the host: a rule gives a permission, not the device to a driver.
    package let devices: [DriverDescription.USBMatch]
  }

  /// Drivers with devices, by name.
  package let groups: [Group]

  /// The file that holds them. uaccess is turned into permissions by 73-seat-late.rules, so it has
  /// to come before.
  package static let file = "/etc/udev/rules.d/70-authcore.rules"
  /// Debian's group of those who may use devices that are plugged in; for sessions over a network,
  /// and services.
  package static let group = "plugdev"

  /// - Parameter drivers: in the order in which they are preferred. A device that two of them
  ///   handle is the first one's, as it is when it is used.
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
