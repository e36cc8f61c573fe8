internal import Glibc

// Memory for what a plugin's table points to. None of it is ever freed: the ABI promises that it
// lives as long as the module, and modules are never unloaded.

/// A copy of `value` for ever.
@unsafe func immortal<Value>(_ value: Value) -> UnsafePointer<Value> {
  let copy = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  unsafe copy.initialize(to: value)
  return unsafe UnsafePointer(copy)
}

/// A copy of `values` for ever.
@unsafe func immortal<Value>(_ values: [Value]) -> UnsafePointer<Value>? {
  guard !values.isEmpty else { return nil }
  let copy = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count)
  _ = unsafe copy.initialize(fromContentsOf: values)
  return unsafe UnsafePointer(copy.baseAddress)
}

/// A NUL-terminated copy of `text` for ever.
@unsafe func immortal(_ text: String) -> UnsafePointer<CChar>? {
  unsafe UnsafePointer(strdup(text))
}
