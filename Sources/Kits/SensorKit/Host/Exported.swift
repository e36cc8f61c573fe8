internal import AuthcoreABI
internal import Glibc
internal import Synchronization

/// What this module has given to the host: a driver, a device model or a transport. The C functions
/// that open one have no argument that could carry it, so it is in a global, which the entry call
/// writes once.
@unsafe struct Exported<Table, Maker: Sendable> {
  let identity: ObjectIdentifier
  let table: UnsafePointer<Table>
  let host: DriverServices
  let maker: Maker
}

extension Mutex {
  /// The body of an entry point: checks the host, and gives it the table, which is made once.
  ///
  /// - Returns: as ``export(_:host:ret:)``.
  @unsafe func export<Table, Maker>(
    _ identity: ObjectIdentifier, version: UInt32, host: UnsafePointer<ac_host_t>?,
    ret: UnsafeMutablePointer<UnsafePointer<Table>?>?, maker: Maker,
    makeTable: @Sendable () -> sending UnsafePointer<Table>
  ) -> ac_status_t where Value == Exported<Table, Maker>? {
    guard let host = unsafe host, let ret = unsafe ret else {
      return SensorFailure.Code.argument.rawValue
    }
    guard unsafe host.pointee.abi_version >> 16 == version >> 16,
      let services = unsafe DriverServices(host)
    else { return SensorFailure.Code.versionMismatch.rawValue }
    let table: UnsafePointer<Table>? = unsafe withLock { exported in
      if let exported = unsafe exported {
        return unsafe exported.identity == identity ? exported.table : nil
      }
      let made = unsafe Exported(
        identity: identity, table: makeTable(), host: services, maker: maker)
      unsafe exported = unsafe made
      return unsafe made.table
    }
    guard let table = unsafe table else { return SensorFailure.Code.state.rawValue }
    unsafe ret.pointee = unsafe table
    return ac_status_t(AC_OK)
  }
}

// Memory for the tables that a plugin gives away. It is never freed: the ABI promises that the
// tables live as long as the module, and modules are never unloaded.

@unsafe func immortal<Value>(_ value: Value) -> UnsafePointer<Value> {
  let copy = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  unsafe copy.initialize(to: value)
  return unsafe UnsafePointer(copy)
}

@unsafe func immortal<Value>(_ values: [Value]) -> UnsafePointer<Value>? {
  guard !values.isEmpty else { return nil }
  let copy = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count)
  _ = unsafe copy.initialize(fromContentsOf: values)
  return unsafe UnsafePointer(copy.baseAddress)
}

/// A NUL-terminated copy.
@unsafe func immortal(_ text: String) -> UnsafePointer<CChar>? {
  unsafe UnsafePointer(strdup(text))
}
