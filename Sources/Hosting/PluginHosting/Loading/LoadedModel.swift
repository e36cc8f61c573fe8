import AuthcoreABI
package import LinuxSystem
package import Protocol

/// A device model that is mapped into this process; entered, it is offered to the simulated
/// transport until the process ends.
package struct LoadedModel: ~Copyable {
  private let library: SharedLibrary
  private let path: String

  /// Runs the constructors of a file.
  /// - Throws: `driverFailed` with what the loader says.
  package init(_ file: TrustedFile) throws(Failure) {
    library = try SharedLibrary(file, code: .driverFailed)
    path = file.path
  }

  /// Calls the entry, checks what it hands out, and offers it.
  /// - Throws: `driverFailed` naming the file and what does not fit.
  package consuming func enter(services: HostServices) throws(Failure) {
    let table = unsafe try library.enter(AC_MODEL_ENTRY_SYMBOL, services: services)
      .assumingMemoryBound(to: ac_device_model_t.self)
    unsafe try PluginABI.check(
      structSize: table.pointee.struct_size, atLeast: MemoryLayout<ac_device_model_t>.size,
      "ac_device_model_t", of: path, code: .driverFailed)
    unsafe try PluginABI.check(
      table.pointee.abi_version, against: PluginABI.model, of: path, code: .driverFailed)
    unsafe services.offer(AC_DEVICE_MODEL_SERVICE, UnsafeRawPointer(table))
  }
}
