/// The request was carried out and there is nothing to tell. The reply of many requests, in every
/// mailbox.
package struct Done: EmptyMessage, Equatable {
  package static var number: UInt8 { 1 }
  package init() {}
}
