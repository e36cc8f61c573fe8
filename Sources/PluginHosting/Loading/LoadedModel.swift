import AuthcoreABI
package import Wire

/// A device model in this process, offered to the simulated transport.
package enum LoadedModel {
  /// Loads a file and offers its model until the process ends.
  /// - Throws: `driverFailed` naming the file and what does not fit.
  package static func offer(_ file: TrustedFile, by services: HostServices) throws(Failure) {
    let library = try SharedLibrary(file, code: .driverFailed)
    let table = unsafe try library.enter(AC_MODEL_ENTRY_SYMBOL, services: services)
      .assumingMemoryBound(to: ac_device_model_t.self)
    unsafe try PluginABI.check(
      structSize: table.pointee.struct_size, atLeast: MemoryLayout<ac_device_model_t>.size,
      "ac_device_model_t", of: file.path, code: .driverFailed)
    unsafe try PluginABI.check(
      table.pointee.abi_version, against: PluginABI.engine, of: file.path, code: .driverFailed)
    unsafe services.offer(AC_DEVICE_MODEL_SERVICE, UnsafeRawPointer(table))
  }
}
