// SimulatedTransport: usb/1 answered by a model of a device, with faults on request.

public import AuthcoreABI
package import SensorKit

/// The entry point, which is linked under the name `ac_transport_entry` (usb.h).
@c(SimulatedTransport_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_transport: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>!
) -> ac_status_t {
  unsafe export(SimulatedTransport.self, host: host, ret: ret_transport)
}

/// A device that is a model. Time is the host's clock, so in tests waiting for a finger takes no
/// time.
package struct SimulatedTransport: USBTransport {
  package static let name = "simulated"

  private let clock: HostClock
  private let interruption: Interruption
  private var device: any SimulatedUSBDevice
  private var plan: FaultPlan
  private var transfers: [SimulatedTransfer] = []
  private var halted: Set<UInt8> = []
  /// Until then the device answers no read.
  private var silentUntil: Duration?

  package init(source: TransportSource, context: SensorContext) throws(SensorFailure) {
    let settings = try FaultSettings(source.text)
    guard let device = try context.simulatedDevice(settings: settings.model) else {
      throw SensorFailure(
        .notFound,
        "There is no device model for this driver: that of NAME.so is NAME-model.so beside it")
    }
    self.device = device
    plan = FaultPlan(settings.faults)
    clock = try context.host.clock()
    interruption = context.interruption
  }

  package var info: USBDeviceInfo { device.info }

  package mutating func claimInterface(_ number: UInt8) throws(SensorFailure) {
    try beginCall()
    guard info.interfaces.contains(where: { $0.number == number }) else {
      throw SensorFailure(.notFound, "The device has no interface \(number)")
    }
  }

  package mutating func releaseInterface(_ number: UInt8) throws(SensorFailure) {
    try beginCall()
  }

  package mutating func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure)
  {
    try beginCall()
    var begun = SimulatedTransfer(identifier: identifier, transfer: transfer)
    if !plan.holds(.silent) {
      switch transfer {
      case .control(let setup, let data): begun.result = control(setup, data)
      case .write(let endpoint, let bytes): begun.result = write(bytes, to: endpoint.address)
      case .read: break
      }
    }
    transfers.append(begun)
  }

  package mutating func wait(for identifier: UInt32, deadline: Duration?) throws(SensorFailure)
    -> USBTransferResult
  {
    // Other transfers are one call for the driver, and were counted when they began.
    if case .read = transfers.first(where: { $0.identifier == identifier })?.transfer {
      try beginCall()
    }
    if plan.takes(.interrupt) { interruption.request() }
    let end = deadline.map { clock.now() + $0 }
    while true {
      deliver()
      guard let index = transfers.firstIndex(where: { $0.identifier == identifier }) else {
        throw SensorFailure(.argument, "There is no such transfer")
      }
      // The transfer is over, so an interrupt ends the next call.
      if let result = transfers[index].result {
        transfers.remove(at: index)
        return try result.get()
      }
      try interruption.check()
      let now = clock.now()
      if let end, now >= end { throw SensorFailure(.timeout, "The device did not answer in time") }
      // Short, so that an interrupt is noticed within 100 ms.
      try clock.sleep(for: min(.milliseconds(10), (end ?? .seconds(1 << 40)) - now))
    }
  }

  package mutating func cancel(_ identifier: UInt32) throws(SensorFailure) -> [UInt8] {
    transfers.removeAll { $0.identifier == identifier }
    return []
  }

  package mutating func clearHalt(endpoint: UInt8) throws(SensorFailure) {
    try beginCall()
    halted.remove(endpoint)
  }

  package mutating func reset() throws(SensorFailure) {
    try beginCall()
    halted = []
  }

  /// Counts a call of the driver. Throws if the device is gone.
  private mutating func beginCall() throws(SensorFailure) {
    plan.beginCall()
    guard plan.holds(.gone) else { return }
    transfers = []
    throw SensorFailure(.gone, "The simulated device was unplugged")
  }

  private mutating func control(_ setup: USBSetup, _ data: [UInt8]) -> SimulatedTransfer.Outcome {
    if plan.takes(.stall) { return .failure(Self.stall) }
    switch device.control(setup, data, at: clock.now()) {
    case .done: return .success(USBTransferResult(written: data.count))
    case .bytes(let bytes):
      return .success(
        USBTransferResult(read: plan.damaged(Array(bytes.prefix(Int(setup.length))))))
    case .stall: return .failure(Self.stall)
    }
  }

  private mutating func write(_ bytes: [UInt8], to endpoint: UInt8) -> SimulatedTransfer.Outcome {
    if plan.takes(.stall) { halted.insert(endpoint) }
    guard !halted.contains(endpoint), device.write(bytes, to: endpoint, at: clock.now()) else {
      halted.insert(endpoint)
      return .failure(Self.stall)
    }
    return .success(USBTransferResult(written: plan.damaged(bytes).count))
  }

  /// Asks the device to answer the waiting reads, in their order. A fault is used up by the first
  /// answer that it spoils.
  private mutating func deliver() {
    guard !plan.holds(.silent), !isHesitating() else { return }
    for index in transfers.indices where transfers[index].result == nil {
      guard case .read(let endpoint, let length) = transfers[index].transfer else { continue }
      guard !halted.contains(endpoint.address) else {
        transfers[index].result = .failure(Self.stall)
        continue
      }
      switch device.read(from: endpoint.address, length: length, at: clock.now()) {
      case nil: continue
      case .bytes(let bytes) where !plan.takes(.stall):
        transfers[index].result = .success(
          USBTransferResult(read: plan.damaged(Array(bytes.prefix(length)))))
      default:
        halted.insert(endpoint.address)
        transfers[index].result = .failure(Self.stall)
      }
    }
  }

  /// Whether the device answers every poll with NAK at this time.
  private mutating func isHesitating() -> Bool {
    if plan.takes(.nak) { silentUntil = clock.now() + Self.hesitation }
    guard let end = silentUntil else { return false }
    guard clock.now() >= end else { return true }
    silentUntil = nil
    return false
  }

  /// How long a NAK storm lasts: longer than most answers take, and shorter than drivers wait.
  private static let hesitation = Duration.milliseconds(300)

  private static let stall = SensorFailure(.stall, "The simulated endpoint halted")
}

struct SimulatedTransfer {
  typealias Outcome = Result<USBTransferResult, SensorFailure>

  let identifier: UInt32
  let transfer: USBTransfer
  /// nil while it is under way.
  var result: Outcome?
}
