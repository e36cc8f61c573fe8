// What requests of the keychain end with (`errSec…`). The numbers are Apple's; the sentences are
// what `SecCopyErrorMessageString` gives.

public import CoreFoundationTypes

/// It worked.
public let errSecSuccess: OSStatus = 0
/// This is not done here.
public let errSecUnimplemented: OSStatus = -4
/// The disk is full.
public let errSecDiskFull: OSStatus = -34
/// Reading or writing failed.
public let errSecIO: OSStatus = -36
/// The file is open for writing already.
public let errSecOpWr: OSStatus = -49
/// An argument is missing, of the wrong type or in contradiction with another.
public let errSecParam: OSStatus = -50
/// The file must not be written.
public let errSecWrPerm: OSStatus = -61
/// There is not enough memory.
public let errSecAllocate: OSStatus = -108
/// The person cancelled the request.
public let errSecUserCanceled: OSStatus = -128
/// The request is not one that can be made at this point.
public let errSecBadReq: OSStatus = -909
/// A part of the framework failed.
public let errSecInternalComponent: OSStatus = -2070
/// The program must not reach this item.
public let errSecMissingEntitlement: OSStatus = -34018
/// The program must not use this function.
public let errSecRestrictedAPI: OSStatus = -34020
/// No keychain can be reached.
public let errSecNotAvailable: OSStatus = -25291
/// The keychain cannot be changed.
public let errSecReadOnly: OSStatus = -25292
/// The owner did not prove it, or cannot: perhaps no passcode is set.
public let errSecAuthFailed: OSStatus = -25293
/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25294
/// The keychain is not valid.
public let errSecInvalidKeychain: OSStatus = -25295
/// There is a keychain of this name already.
public let errSecDuplicateKeychain: OSStatus = -25296
/// This callback is registered already.
public let errSecDuplicateCallback: OSStatus = -25297
/// This callback is not registered.
public let errSecInvalidCallback: OSStatus = -25298
/// There is an item of this name in the keychain already.
public let errSecDuplicateItem: OSStatus = -25299
/// There is no such item in the keychain.
public let errSecItemNotFound: OSStatus = -25300
/// There is not enough room for the result.
public let errSecBufferTooSmall: OSStatus = -25301
/// The data is longer than what can be kept.
public let errSecDataTooLarge: OSStatus = -25302
/// Items of this class have no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303
/// The reference means no item, or none any more.
public let errSecInvalidItemRef: OSStatus = -25304
/// The search is not valid.
public let errSecInvalidSearchRef: OSStatus = -25305
/// There is no such class of items.
public let errSecNoSuchClass: OSStatus = -25306
/// No keychain is the default one.
public let errSecNoDefaultKeychain: OSStatus = -25307
/// The owner would have to be asked or the device unlocked, and neither is possible.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// The attribute cannot be changed.
public let errSecReadOnlyAttr: OSStatus = -25309
/// The version is not one that is understood.
public let errSecWrongSecVersion: OSStatus = -25310
/// Keys of this size are not made.
public let errSecKeySizeNotAllowed: OSStatus = -25311
/// There is no module that stores.
public let errSecNoStorageModule: OSStatus = -25312
/// There is no module for certificates.
public let errSecNoCertificateModule: OSStatus = -25313
/// There is no module for policies.
public let errSecNoPolicyModule: OSStatus = -25314
/// The owner has to be asked.
public let errSecInteractionRequired: OSStatus = -25315
/// The item holds no data.
public let errSecDataNotAvailable: OSStatus = -25316
/// The data of the item cannot be changed.
public let errSecDataNotModifiable: OSStatus = -25317
/// No chain of certificates could be made.
public let errSecCreateChainFailed: OSStatus = -25318
/// There are no preferences of this domain.
public let errSecInvalidPrefsDomain: OSStatus = -25319
/// Nobody can be asked while the device is awake with its display off.
public let errSecInDarkWake: OSStatus = -25320
/// The access control list is more than a list of trusted programs.
public let errSecACLNotSimple: OSStatus = -25240
/// There is no such policy.
public let errSecPolicyNotFound: OSStatus = -25241
/// The trust setting is not valid.
public let errSecInvalidTrustSetting: OSStatus = -25242
/// The item has no access control.
public let errSecNoAccessForItem: OSStatus = -25243
/// The owner cannot be changed so.
public let errSecInvalidOwnerEdit: OSStatus = -25244
/// There is no result of judging trust.
public let errSecTrustNotAvailable: OSStatus = -25245
/// This form is not read or written here.
public let errSecUnsupportedFormat: OSStatus = -25256
/// The form of what is to be read is not known.
public let errSecUnknownFormat: OSStatus = -25257
/// The key leaves its keychain sealed alone.
public let errSecKeyIsSensitive: OSStatus = -25258
/// There are several private keys where one may be.
public let errSecMultiplePrivKeys: OSStatus = -25259
/// A passphrase is needed.
public let errSecPassphraseRequired: OSStatus = -25260
/// The reference means no password.
public let errSecInvalidPasswordRef: OSStatus = -25261
/// The record of trust settings is damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262
/// There are no trust settings.
public let errSecNoTrustSettings: OSStatus = -25263
/// The passphrase is wrong, or the PKCS #12 file is damaged.
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// The certificate did not sign this.
public let errSecNotSigner: OSStatus = -26267
/// The item is damaged or was made for another device, and cannot be read.
public let errSecDecode: OSStatus = -26275
