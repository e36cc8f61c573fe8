/// The request was carried out and there is nothing to tell. The reply of many requests, in every mailbox.
package struct Done: WireMessage, Equatable {
  package static var number: UInt8 { 1 }
  package init() {}
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}
