public import AuthcoreABI
internal import SensorKit
internal import USBTransport

/// The one symbol of this transport; see `usb.h`.
@c @implementation
public func ac_transport_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_transport: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>!
) -> ac_status_t {
  LibusbTransport.prepare()
  return unsafe export(
    LibusbTransport.self,
    watch: { (context) throws(SensorFailure) in try DeviceWatch(context) }, host: host,
    ret: ret_transport)
}
