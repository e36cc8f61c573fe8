public import AuthcoreABI
import EnclaveEngine
import EngineKit
import Protocol

/// The one symbol of this plugin (engine.h).
@c @implementation
public func ac_engine_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_engine: UnsafeMutablePointer<UnsafePointer<ac_engine_plugin_t>?>!
) -> ac_status_t { unsafe EngineExport.enter(EnclaveEngine.self, host, ret_engine) }
