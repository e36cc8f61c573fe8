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
