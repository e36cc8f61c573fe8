// Attributes that Apple's own programs use among themselves. Their names are here for code that
// names them; a query or an item with one is refused with `errSecNoSuchAttr`.

public import CoreFoundationTypes

/// The key of an AppleShare volume.
public var kSecAttrVolume: CFString { constant("volm") }
/// The key of an AppleShare server's address.
public var kSecAttrAddress: CFString { constant("addr") }
/// The key of an AppleShare server's signature.
public var kSecAttrAFPServerSignature: CFString { constant("afps") }
/// The key of another name of a certificate.
public var kSecAttrAlias: CFString { constant("alis") }
/// The key of which part of a synchronized keychain an item belongs to.
public var kSecAttrSyncViewHint: CFString { constant("vwht") }
/// The key of which script the texts are written in.
public var kSecAttrScriptCode: CFString { constant("scrp") }
/// The key of whether an item has a picture of its own.
public var kSecAttrHasCustomIcon: CFString { constant("cusi") }
/// The key of the kind of a revocation list.
public var kSecAttrCRLType: CFString { constant("crlt") }
/// The key of how a revocation list is written down.
public var kSecAttrCRLEncoding: CFString { constant("crle") }
/// The key of whether an item is the mark of a removed one.
public var kSecAttrTombstone: CFString { constant("tomb") }
/// The key of which user of a shared device an item belongs to.
public var kSecAttrMultiUser: CFString { constant("musr") }
/// The key of an item's number in a synchronized keychain.
public var kSecAttrUUID: CFString { constant("UUID") }
/// The key of which installed system an item belongs to.
public var kSecAttrSysBound: CFString { constant("sysb") }
/// The key of the hash of an item.
public var kSecAttrSHA1: CFString { constant("sha1") }
/// The key of whether an item's number comes from its attributes.
public var kSecAttrDeriveSyncIDFromItemAttributes: CFString { constant("dspk") }
/// The key of a service of protected cloud storage.
public var kSecAttrPCSPlaintextServiceIdentifier: CFString { constant("pcss") }
/// The key of a public key of protected cloud storage.
public var kSecAttrPCSPlaintextPublicKey: CFString { constant("pcsk") }
/// The key of an identity of protected cloud storage.
public var kSecAttrPCSPlaintextPublicIdentity: CFString { constant("pcsi") }
/// The key of notes beside an internet password.
public var kSecDataInetExtraNotes: CFString { constant("binn") }
/// The key of earlier internet passwords.
public var kSecDataInetExtraHistory: CFString { constant("bini") }
/// The key of the first piece of bytes beside an internet password.
public var kSecDataInetExtraClientDefined0: CFString { constant("bin0") }
/// The key of the second piece of bytes beside an internet password.
public var kSecDataInetExtraClientDefined1: CFString { constant("bin1") }
/// The key of the third piece of bytes beside an internet password.
public var kSecDataInetExtraClientDefined2: CFString { constant("bin2") }
/// The key of the fourth piece of bytes beside an internet password.
public var kSecDataInetExtraClientDefined3: CFString { constant("bin3") }
/// The key of the group of people an item is shared with.
public var kSecAttrSharingGroup: CFString { constant("ggrp") }
/// No group of people.
public var kSecAttrSharingGroupNone: CFString { constant("") }
