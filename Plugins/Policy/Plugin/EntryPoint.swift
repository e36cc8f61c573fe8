public import AuthcoreABI
import EngineKit
import PolicyEngine
import Protocol

/// The one symbol of this plugin (engine.h).
@c @implementation
public func ac_engine_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_engine: UnsafeMutablePointer<UnsafePointer<ac_engine_plugin_t>?>!
) -> ac_status_t { unsafe EngineExport.enter(PolicyEngine.self, host, ret_engine) }
