public import AuthcoreABI
import EngineKit
import Protocol

/// The one symbol of this engine, which Package.swift gives the name `ac_engine_entry` (engine.h).
@c(PolicyEngine_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_engine: UnsafeMutablePointer<UnsafePointer<ac_engine_plugin_t>?>!
) -> ac_status_t { unsafe EngineExport.enter(PolicyEngine.self, host, ret_engine) }
