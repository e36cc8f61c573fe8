import AuthcoreABI
package import Wire

/// A device model in this process, offered to the simulated transport.
package enum LoadedModel {
  private typealias Entry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>?
    ) -> ac_status_t

  /// Loads a file and offers its model until the process ends.
  /// - Throws: `driverFailed` naming the file and what does not fit.
  package static func offer(_ file: TrustedFile, by services: HostServices) throws(Failure) {
    let library = try SharedLibrary(file, code: .driverFailed)
    let entry = unsafe try library.function(
      AC_MODEL_ENTRY_SYMBOL, as: Entry.self, code: .driverFailed)
    var result: UnsafePointer<ac_device_model_t>?
    let status = unsafe entry(services.table, &result)
    guard status == AC_OK, let table = unsafe result else {
      let reason = services.takeError() ?? "\(AC_MODEL_ENTRY_SYMBOL) returned \(status)"
      throw Failure(.driverFailed, "Cannot use \(file.path): \(reason)")
    }
    unsafe try PluginABI.check(
      structSize: table.pointee.struct_size, atLeast: MemoryLayout<ac_device_model_t>.size,
      "ac_device_model_t", of: file.path, code: .driverFailed)
    unsafe try PluginABI.check(table.pointee.abi_version, of: file.path, code: .driverFailed)
    unsafe services.offer(AC_DEVICE_MODEL_SERVICE, UnsafeRawPointer(table))
  }
}
