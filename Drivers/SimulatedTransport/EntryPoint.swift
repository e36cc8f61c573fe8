public import AuthcoreABI
internal import SensorKit

/// The one symbol of this transport, which Package.swift gives the name `ac_transport_entry` (usb.h).
@c(SimulatedTransport_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_transport: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>!
) -> ac_status_t {
  unsafe export(SimulatedTransport.self, host: host, ret: ret_transport)
}
