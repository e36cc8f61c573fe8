public import AuthcoreABI
internal import RecordingTransport
internal import SensorKit

/// The one symbol of this transport; see `usb.h`.
@c @implementation
public func ac_transport_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_transport: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>!
) -> ac_status_t {
  unsafe export(RecordingTransport.self, host: host, ret: ret_transport)
}
