internal import AuthcoreABI

/// What an `ac_simulated_device_t *` of a Swift model points to.
final class PluggedModel {
  var model: any DeviceModel

  init(_ model: any DeviceModel) { self.model = model }

  /// The device behind a pointer that ``ModelTable`` made; nil for NULL.
  @unsafe static func at(_ pointer: OpaquePointer?) -> PluggedModel? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<PluggedModel>.fromOpaque(UnsafeRawPointer(pointer))
      .takeUnretainedValue()
  }
}
