// What items of every class are described by.

public import CoreFoundationTypes
import Protocol

/// The key of when an item can be reached: one of the values `kSecAttrAccessible…`.
public var kSecAttrAccessible: CFString { constant("pdmn") }
/// The key of what has to be proved to open an item: a `SecAccessControl`. It says when the item
/// can be reached, too, so that `kSecAttrAccessible` is not given beside it.
public var kSecAttrAccessControl: CFString { constant("accc") }
/// The key of the access group of an item, a text. Without it an item belongs to the application
/// itself. Programs that name the same group share its items; any name will do that is no
/// application's own.
///
/// A query without it means the application's own items, what other applications share with it, and
/// the items of the groups that the application has named since it started or lists in its
/// `Info.plist` under `keychain-access-groups`.
public var kSecAttrAccessGroup: CFString { constant("agrp") }
/// The key of a list of trusted programs (`SecAccess`), of the keychain that macOS had in files.
/// Accepted and without effect: whose an item is, `kSecAttrAccessGroup` says.
public var kSecAttrAccess: CFString { constant("acls") }
/// The key of whether an item is meant to be on all devices of its owner, a Boolean or, in
/// queries, `kSecAttrSynchronizableAny`. A part of its name: nothing is synchronized.
public var kSecAttrSynchronizable: CFString { constant("sync") }
/// In queries: items that are synchronizable and those that are not. Without it only the latter
/// are meant.
public var kSecAttrSynchronizableAny: CFString { constant("syna") }
/// The key of when an item was added, a date. The keychain sets it.
public var kSecAttrCreationDate: CFString { constant("cdat") }
/// The key of when an item was last changed, a date. The keychain sets it.
public var kSecAttrModificationDate: CFString { constant("mdat") }
/// The key of what people call an item, a text.
public var kSecAttrLabel: CFString { constant(.label) }
/// The key of an item's persistent reference among its attributes, as it was misspelled; see
/// `kSecAttrPersistentReference`.
public var kSecAttrPersistantReference: CFString { constant("persistref") }
/// The key of an item's persistent reference among its attributes. Here it is asked for by
/// `kSecReturnPersistentRef`, and given as `kSecValuePersistentRef`.
public var kSecAttrPersistentReference: CFString { constant("persistref") }
/// The access group of items on tokens such as smart cards. There are none here.
public var kSecAttrAccessGroupToken: CFString { constant("com.apple.token") }

// What certificates are described by, beside what every item has. The certificate itself says all
// of it but the label.

/// The key of the version of the certificate, a number: 1, 2 or 3.
public var kSecAttrCertificateType: CFString { constant(.certificateType) }
/// The key of how the certificate is written down, a number: 3 is DER.
public var kSecAttrCertificateEncoding: CFString { constant(.certificateEncoding) }
/// The key of whom the certificate is about, bytes: the name in DER.
public var kSecAttrSubject: CFString { constant(.subject) }
/// The key of who made the certificate, bytes: the name in DER.
public var kSecAttrIssuer: CFString { constant(.issuer) }
/// The key of the number that the issuer gave the certificate, bytes, most significant first.
public var kSecAttrSerialNumber: CFString { constant(.serialNumber) }
/// The key of what the certificate calls its key, bytes.
public var kSecAttrSubjectKeyID: CFString { constant(.subjectKeyID) }
/// The key of the SHA-1 of the certified public key, bytes: what `kSecAttrApplicationLabel` is of
/// the private one.
public var kSecAttrPublicKeyHash: CFString { constant(.publicKeyHash) }

// When an item can be reached: the values of `kSecAttrAccessible`.

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
