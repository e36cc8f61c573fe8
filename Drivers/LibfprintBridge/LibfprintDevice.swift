internal import CLibfprint
internal import SensorKit

/// An open reader of libfprint. It is closed when the value dies.
@safe final class LibfprintDevice {
  private let device: UnsafeMutablePointer<FpDevice>
  private let name: String
  /// Keeps the device alive.
  private let readers: LibfprintReaders
  /// A capture that was cancelled but has not ended.
  private var unfinished: PendingCapture?
  private var isOpen = false

  /// How long to wait for the end of a cancelled capture. The caller has to return within 100 ms.
  private static let grace = Duration.milliseconds(60)

  init(
    _ device: UnsafeMutablePointer<FpDevice>, name: String, of readers: LibfprintReaders
  ) throws(SensorFailure) {
    unsafe self.device = unsafe device
    (self.name, self.readers) = (name, readers)
    try open()
  }

  deinit {
    var turnsLeft = 100
    unfinished?.run {
      turnsLeft -= 1
      return turnsLeft > 0
    }
    // During a capture nothing can be closed. The process is about to end, and the kernel closes
    // it.
    if unfinished?.isOver != false { close() }
  }

  var scanType: SensorDescription.ScanType {
    unsafe fp_device_get_scan_type(device) == FP_SCAN_TYPE_SWIPE ? .swipe : .press
  }

  /// Waits for a touch or a swipe, and for the finger to go.
  func capture(until end: Duration, on clock: HostClock, _ interruption: Interruption)
    throws(SensorFailure) -> CaptureOutcome
  {
    try settle(until: end, on: clock, interruption)
    let capture = unsafe PendingCapture(on: device)
    var failure: SensorFailure?
    var graceEnd = end
    capture.run {
      guard failure == nil else { return clock.now() < graceEnd }
      failure = Self.reasonToEnd(at: end, clock, interruption)
      if failure != nil {
        // A reader that is cancelled while it is readied cannot capture again; see settle.
        if !capture.awaitsFinger { isOpen = false }
        graceEnd = clock.now() + Self.grace
        capture.cancel()
      }
      return true
    }
    guard capture.isOver else {
      unfinished = capture
      throw failure ?? SensorFailure(.state, "\(name) does not end its capture")
    }
    switch capture.outcome() {
    case .success(let image): return .frame(try image.frame())
    case .failure(let problem):
      if let reason = problem.retry { return .retry(reason) }
      if let failure, problem.isCancellation { throw failure }
      throw problem.failure("Capturing with \(name) failed")
    }
  }

  /// Waits for the end of the previous capture, and reopens the device if that has left it
  /// unusable.
  private func settle(until end: Duration, on clock: HostClock, _ interruption: Interruption)
    throws(SensorFailure)
  {
    if let unfinished {
      var failure: SensorFailure?
      unfinished.run {
        failure = Self.reasonToEnd(at: end, clock, interruption)
        return failure == nil
      }
      if let failure, !unfinished.isOver { throw failure }
      _ = unfinished.outcome()
      self.unfinished = nil
    }
    if !isOpen {
      close()
      try open()
    }
  }

  private static func reasonToEnd(
    at end: Duration, _ clock: HostClock, _ interruption: Interruption
  ) -> SensorFailure? {
    do throws(SensorFailure) {
      try interruption.check()
    } catch {
      return error
    }
    guard clock.now() >= end else { return nil }
    return SensorFailure(.timeout, "No finger came to the reader in time")
  }

  private func open() throws(SensorFailure) {
    var error: UnsafeMutablePointer<GError>?
    guard unsafe fp_device_open_sync(device, nil, &error) != 0 else {
      throw unsafe LibfprintProblem(taking: error).failure("\(name) cannot be opened")
    }
    isOpen = true
  }

  /// Ignores a failure: the kernel closes the device when the process ends.
  private func close() {
    unsafe fp_device_close_sync(device, nil, nil)
  }
}

/// The connected readers that libfprint knows.
@safe final class LibfprintReaders {
  private let context: UnsafeMutablePointer<FpContext>
  private let devices: [UnsafeMutablePointer<FpDevice>]

  init() throws(SensorFailure) {
    guard let context = unsafe fp_context_new() else {
      throw SensorFailure(.inputOutput, "libfprint does not start")
    }
    unsafe self.context = unsafe context
    unsafe fp_context_enumerate(context)
    // The context owns the array and its devices, and lives as long as they are used.
    guard let found = unsafe fp_context_get_devices(context)?.pointee else {
      unsafe devices = []
      return
    }
    unsafe devices = (0..<Int(found.len)).compactMap { index in
      unsafe found.pdata[index]?.assumingMemoryBound(to: FpDevice.self)
    }
  }

  deinit { unsafe g_object_unref(context) }

  /// Opens the reader with that number, counted from 1, or without a number the only one that
  /// delivers images.
  func open(_ number: Int?) throws(SensorFailure) -> LibfprintDevice {
    guard unsafe !devices.isEmpty else {
      throw SensorFailure(
        .notFound,
        "libfprint finds no reader that it knows: plug one in, or see whether you may read and write its node in "
          + "/dev/bus/usb")
    }
    let usable = unsafe devices.indices.filter { unsafe Self.deliversImages(devices[$0]) }
    let chosen: Int
    if let number {
      guard unsafe devices.indices.contains(number - 1) else {
        throw SensorFailure(.option, "There is no reader \(number): \(list)")
      }
      chosen = number - 1
    } else if let first = usable.first {
      guard usable.count == 1 else {
        throw SensorFailure(
          .option, "libfprint finds several readers; choose one with reader=NUMBER: \(list)")
      }
      chosen = first
    } else {
      chosen = 0
    }
    guard usable.contains(chosen) else {
      throw SensorFailure(
        .unsupported,
        "\(name(chosen)) matches on the chip: it delivers no images, only verdicts of its own, which this driver does not "
          + "take")
    }
    return try unsafe LibfprintDevice(devices[chosen], name: name(chosen), of: self)
  }

  private var list: String {
    unsafe devices.indices.map { "\($0 + 1) is \(name($0))" }.joined(separator: ", ")
  }

  /// "AuthenTec AES2501 (aes2501)"
  private func name(_ index: Int) -> String {
    let device = unsafe devices[index]
    let driver = unsafe String(cString: fp_device_get_driver(device))
    return unsafe "\(String(cString: fp_device_get_name(device))) (\(driver))"
  }

  private static func deliversImages(_ device: UnsafeMutablePointer<FpDevice>) -> Bool {
    unsafe fp_device_has_feature(device, FP_DEVICE_FEATURE_CAPTURE) != 0
  }
}
