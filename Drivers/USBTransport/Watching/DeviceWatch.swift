internal import Glibc
package import SensorKit

/// Tells which USB devices come and go: at once where udev runs, else within a second.
///
/// It looks at what the kernel shows and compares, when a node or udev says that there is something
/// to see. udev is waited for before a new device is told: only then has its node the permissions
/// of the rules.
package final class DeviceWatch: USBWatch {
  private let devices = SysfsDevices()
  private let nodes = NodeNews()
  /// nil: udev does not run here.
  private let udev: UdevNews?
  private var presence = DevicePresence()
  private var isStarted = false
  /// New devices that udev has not dealt with, and since when.
  private var unready: [SysfsDevices.Device: Instant] = [:]
  private var ready: Set<SysfsDevices.Device> = []

  /// How often is looked where nobody tells.
  private static let interval = Duration.seconds(1)
  /// How often is looked whether udev has dealt with a device, and how long at most.
  private static let readinessInterval = Duration.milliseconds(50)
  private static let readinessLimit = Duration.seconds(2)

  package init(_ context: SensorContext) throws(SensorFailure) {
    udev = UdevNews.isUdevThere ? UdevNews() : nil
    if udev == nil {
      context.host.log(.info, "udev does not run here: USB devices are looked for once a second")
    }
  }

  package func next(within time: Duration) throws(SensorFailure) -> USBChange {
    let end = Instant.now + time
    if !isStarted { look() }
    while true {
      if let change = presence.next() { return change }
      guard Instant.now < end else {
        throw SensorFailure(.timeout, "No USB device came or went")
      }
      waitForNews(until: end)
      look()
    }
  }

  private func waitForNews(until end: Instant) {
    var left = end - .now
    if !unready.isEmpty {
      left = min(left, Self.readinessInterval)
    } else if udev == nil || nodes == nil {
      // Nodes that nobody makes say nothing, and udev is not heard in a network of one's own.
      left = min(left, Self.interval)
    }
    let moment = Instant.now + left
    repeat {
      let (seconds, attoseconds) = max(.zero, moment - .now).components
      let milliseconds = Int32(
        min(seconds, 3600) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
      // poll(2) leaves out a negative descriptor.
      var requests = [nodes?.descriptor ?? -1, udev?.descriptor ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = unsafe poll(&requests, UInt(requests.count), milliseconds)
      let isOfNodes = nodes?.take() == true
      let isOfUdev = udev?.take() == true
      if isOfNodes || isOfUdev { return }
    } while Instant.now < moment
  }

  private func look() {
    // What the kernel takes away has lost its node before it is hidden.
    let found = devices.list().filter { nodes?.holds($0.placement) ?? true }
    ready.formIntersection(found)
    unready = unready.filter { found.contains($0.key) }
    for device in found where !ready.contains(device) {
      let since = unready[device] ?? .now
      // What was there before anybody watched is told as it is.
      if !isStarted || isReady(device) || Instant.now - since > Self.readinessLimit {
        ready.insert(device)
        unready[device] = nil
      } else {
        unready[device] = since
      }
    }
    isStarted = true
    presence.update(found.filter { ready.contains($0) }.map { $0.placement })
  }

  /// Whether udev has made its note of a device (systemd, src/libsystemd/sd-device: the database in
  /// /run/udev/data).
  private func isReady(_ device: SysfsDevices.Device) -> Bool {
    unsafe udev == nil || access("/run/udev/data/c\(device.node)", F_OK) == 0
  }
}
