// The owner's keychain and enclave for applications in Swift: typed, asynchronous, with secrets that
// stay in locked memory. Security and LocalAuthentication give the same under Apple's names.

@_exported public import Protocol
