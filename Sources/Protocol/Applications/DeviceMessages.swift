// What is asked about the device, the same from client to core and from core to enclave.

/// The longest passcode, in bytes. Core and enclave take them as they are: it is clients that
/// normalize what a person types, in the same way when a passcode is set and when it is given.
package let longestPasscode = 1024

/// After how many different wrong passcodes in a row a device may be told to destroy what it holds.
/// Apple's is 10 (APPLE.md 1.4); as many are remembered, so that one given again does not count.
package let eraseAfterRange: ClosedRange<UInt32> = 10...50
