// When an item can be reached: the values of `kSecAttrAccessible`.

public import CoreFoundationTypes

/// While the device is unlocked. The default.
public var kSecAttrAccessibleWhenUnlocked: CFString { constant("ak") }
/// From the first unlock on until the device restarts.
public var kSecAttrAccessibleAfterFirstUnlock: CFString { constant("ck") }
/// While the device is unlocked; never on another device.
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { constant("aku") }
/// From the first unlock on until the device restarts; never on another device.
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { constant("cku") }
/// While the device is unlocked, and as long as it has a passcode: the item goes when the
/// passcode is removed. Never on another device.
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { constant("akpu") }
/// Always, as Apple had it. Accepted and read back as it is, and protected as
/// `kSecAttrAccessibleAfterFirstUnlock`: nothing is readable before the owner has been there
/// once.
public var kSecAttrAccessibleAlways: CFString { constant("dk") }
/// Always, as Apple had it; never on another device. Accepted and read back as it is, and
/// protected as `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`.
public var kSecAttrAccessibleAlwaysThisDeviceOnly: CFString { constant("dku") }
/// The same as `kSecAttrAccessibleAlways`.
public var kSecAttrAccessibleAlwaysPrivate: CFString { constant("dk") }
/// The same as `kSecAttrAccessibleAlwaysThisDeviceOnly`.
public var kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate: CFString { constant("dku") }
/// Until the device restarts. There is no such class here: `errSecParam`.
public var kSecAttrAccessibleUntilReboot: CFString { constant("f") }
