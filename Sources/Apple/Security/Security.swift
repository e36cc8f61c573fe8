// Source compatible with Apple's framework of this name.

@_exported public import CoreFoundationTypes
