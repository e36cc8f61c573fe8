// Made by scripts/make-statuses from statuses.txt, which has the sentence of each.
// swift-format-ignore-file

public import CoreFoundationTypes

// What requests of the keychain end with. The numbers are Apple's.
public let errSecSuccess: OSStatus = 0, errSecUnimplemented: OSStatus = -4,
  errSecDiskFull: OSStatus = -34, errSecIO: OSStatus = -36, errSecOpWr: OSStatus = -49,
  errSecParam: OSStatus = -50, errSecWrPerm: OSStatus = -61, errSecAllocate: OSStatus = -108,
  errSecUserCanceled: OSStatus = -128, errSecBadReq: OSStatus = -909,
  errSecInternalComponent: OSStatus = -2070, errSecMissingEntitlement: OSStatus = -34018,
  errSecRestrictedAPI: OSStatus = -34020, errSecNotAvailable: OSStatus = -25291,
  errSecReadOnly: OSStatus = -25292, errSecAuthFailed: OSStatus = -25293,
  errSecNoSuchKeychain: OSStatus = -25294, errSecInvalidKeychain: OSStatus = -25295,
  errSecDuplicateKeychain: OSStatus = -25296, errSecDuplicateCallback: OSStatus = -25297,
  errSecInvalidCallback: OSStatus = -25298, errSecDuplicateItem: OSStatus = -25299,
  errSecItemNotFound: OSStatus = -25300, errSecBufferTooSmall: OSStatus = -25301,
  errSecDataTooLarge: OSStatus = -25302, errSecNoSuchAttr: OSStatus = -25303,
  errSecInvalidItemRef: OSStatus = -25304, errSecInvalidSearchRef: OSStatus = -25305,
  errSecNoSuchClass: OSStatus = -25306, errSecNoDefaultKeychain: OSStatus = -25307,
  errSecInteractionNotAllowed: OSStatus = -25308, errSecReadOnlyAttr: OSStatus = -25309,
  errSecWrongSecVersion: OSStatus = -25310, errSecKeySizeNotAllowed: OSStatus = -25311,
  errSecNoStorageModule: OSStatus = -25312, errSecNoCertificateModule: OSStatus = -25313,
  errSecNoPolicyModule: OSStatus = -25314, errSecInteractionRequired: OSStatus = -25315,
  errSecDataNotAvailable: OSStatus = -25316, errSecDataNotModifiable: OSStatus = -25317,
  errSecCreateChainFailed: OSStatus = -25318, errSecInvalidPrefsDomain: OSStatus = -25319,
  errSecInDarkWake: OSStatus = -25320, errSecACLNotSimple: OSStatus = -25240,
  errSecPolicyNotFound: OSStatus = -25241, errSecInvalidTrustSetting: OSStatus = -25242,
  errSecNoAccessForItem: OSStatus = -25243, errSecInvalidOwnerEdit: OSStatus = -25244,
  errSecTrustNotAvailable: OSStatus = -25245, errSecUnsupportedFormat: OSStatus = -25256,
  errSecUnknownFormat: OSStatus = -25257, errSecKeyIsSensitive: OSStatus = -25258,
  errSecMultiplePrivKeys: OSStatus = -25259, errSecPassphraseRequired: OSStatus = -25260,
  errSecInvalidPasswordRef: OSStatus = -25261, errSecInvalidTrustSettings: OSStatus = -25262,
  errSecNoTrustSettings: OSStatus = -25263, errSecPkcs12VerifyFailure: OSStatus = -25264,
  errSecNotSigner: OSStatus = -26267, errSecDecode: OSStatus = -26275

// What judging certificates fails with.
public let errSecHostNameMismatch: OSStatus = -67602,
  errSecUnknownCriticalExtensionFlag: OSStatus = -67603,
  errSecNoBasicConstraints: OSStatus = -67604, errSecNoBasicConstraintsCA: OSStatus = -67605,
  errSecInvalidAuthorityKeyID: OSStatus = -67606, errSecInvalidSubjectKeyID: OSStatus = -67607,
  errSecInvalidKeyUsageForPolicy: OSStatus = -67608,
  errSecInvalidExtendedKeyUsage: OSStatus = -67609, errSecInvalidIDLinkage: OSStatus = -67610,
  errSecPathLengthConstraintExceeded: OSStatus = -67611, errSecInvalidRoot: OSStatus = -67612,
  errSecCRLExpired: OSStatus = -67613, errSecCRLNotValidYet: OSStatus = -67614,
  errSecCRLNotFound: OSStatus = -67615, errSecCRLServerDown: OSStatus = -67616,
  errSecCRLBadURI: OSStatus = -67617, errSecUnknownCertExtension: OSStatus = -67618,
  errSecUnknownCRLExtension: OSStatus = -67619, errSecCRLNotTrusted: OSStatus = -67620,
  errSecCRLPolicyFailed: OSStatus = -67621, errSecIDPFailure: OSStatus = -67622,
  errSecSMIMEEmailAddressesNotFound: OSStatus = -67623,
  errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624, errSecSMIMEBadKeyUsage: OSStatus = -67625,
  errSecSMIMEKeyUsageNotCritical: OSStatus = -67626, errSecSMIMENoEmailAddress: OSStatus = -67627,
  errSecSMIMESubjAltNameNotCritical: OSStatus = -67628,
  errSecSSLBadExtendedKeyUsage: OSStatus = -67629, errSecOCSPBadResponse: OSStatus = -67630,
  errSecOCSPBadRequest: OSStatus = -67631, errSecOCSPUnavailable: OSStatus = -67632,
  errSecOCSPStatusUnrecognized: OSStatus = -67633, errSecEndOfData: OSStatus = -67634,
  errSecIncompleteCertRevocationCheck: OSStatus = -67635, errSecNetworkFailure: OSStatus = -67636,
  errSecOCSPNotTrustedToAnchor: OSStatus = -67637, errSecRecordModified: OSStatus = -67638,
  errSecOCSPSignatureError: OSStatus = -67639, errSecOCSPNoSigner: OSStatus = -67640,
  errSecOCSPResponderMalformedReq: OSStatus = -67641,
  errSecOCSPResponderInternalError: OSStatus = -67642,
  errSecOCSPResponderTryLater: OSStatus = -67643,
  errSecOCSPResponderSignatureRequired: OSStatus = -67644,
  errSecOCSPResponderUnauthorized: OSStatus = -67645,
  errSecOCSPResponseNonceMismatch: OSStatus = -67646,
  errSecCodeSigningBadCertChainLength: OSStatus = -67647,
  errSecCodeSigningNoBasicConstraints: OSStatus = -67648,
  errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649,
  errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650,
  errSecCodeSigningDevelopment: OSStatus = -67651,
  errSecResourceSignBadCertChainLength: OSStatus = -67652,
  errSecResourceSignBadExtKeyUsage: OSStatus = -67653, errSecTrustSettingDeny: OSStatus = -67654,
  errSecInvalidSubjectName: OSStatus = -67655,
  errSecUnknownQualifiedCertStatement: OSStatus = -67656

// What using keys and algorithms fails with.
public let errSecAlgorithmMismatch: OSStatus = -67730, errSecKeyUsageIncorrect: OSStatus = -67731,
  errSecKeyBlobTypeIncorrect: OSStatus = -67732, errSecKeyHeaderInconsistent: OSStatus = -67733,
  errSecUnsupportedKeyFormat: OSStatus = -67734, errSecUnsupportedKeySize: OSStatus = -67735,
  errSecInvalidKeyUsageMask: OSStatus = -67736, errSecUnsupportedKeyUsageMask: OSStatus = -67737,
  errSecInvalidKeyAttributeMask: OSStatus = -67738,
  errSecUnsupportedKeyAttributeMask: OSStatus = -67739, errSecInvalidKeyLabel: OSStatus = -67740,
  errSecUnsupportedKeyLabel: OSStatus = -67741, errSecInvalidKeyFormat: OSStatus = -67742,
  errSecUnsupportedVectorOfBuffers: OSStatus = -67743, errSecInvalidInputVector: OSStatus = -67744,
  errSecInvalidOutputVector: OSStatus = -67745, errSecInvalidContext: OSStatus = -67746,
  errSecInvalidAlgorithm: OSStatus = -67747, errSecInvalidAttributeKey: OSStatus = -67748,
  errSecMissingAttributeKey: OSStatus = -67749, errSecInvalidAttributeInitVector: OSStatus = -67750,
  errSecMissingAttributeInitVector: OSStatus = -67751,
  errSecInvalidAttributeSalt: OSStatus = -67752, errSecMissingAttributeSalt: OSStatus = -67753,
  errSecInvalidAttributePadding: OSStatus = -67754,
  errSecMissingAttributePadding: OSStatus = -67755, errSecInvalidAttributeRandom: OSStatus = -67756,
  errSecMissingAttributeRandom: OSStatus = -67757, errSecInvalidAttributeSeed: OSStatus = -67758,
  errSecMissingAttributeSeed: OSStatus = -67759,
  errSecInvalidAttributePassphrase: OSStatus = -67760,
  errSecMissingAttributePassphrase: OSStatus = -67761,
  errSecInvalidAttributeKeyLength: OSStatus = -67762,
  errSecMissingAttributeKeyLength: OSStatus = -67763,
  errSecInvalidAttributeBlockSize: OSStatus = -67764,
  errSecMissingAttributeBlockSize: OSStatus = -67765,
  errSecInvalidAttributeOutputSize: OSStatus = -67766,
  errSecMissingAttributeOutputSize: OSStatus = -67767,
  errSecInvalidAttributeRounds: OSStatus = -67768, errSecMissingAttributeRounds: OSStatus = -67769,
  errSecInvalidAlgorithmParms: OSStatus = -67770, errSecMissingAlgorithmParms: OSStatus = -67771,
  errSecInvalidAttributeLabel: OSStatus = -67772, errSecMissingAttributeLabel: OSStatus = -67773,
  errSecInvalidAttributeKeyType: OSStatus = -67774,
  errSecMissingAttributeKeyType: OSStatus = -67775, errSecInvalidAttributeMode: OSStatus = -67776,
  errSecMissingAttributeMode: OSStatus = -67777,
  errSecInvalidAttributeEffectiveBits: OSStatus = -67778,
  errSecMissingAttributeEffectiveBits: OSStatus = -67779,
  errSecInvalidAttributeStartDate: OSStatus = -67780,
  errSecMissingAttributeStartDate: OSStatus = -67781,
  errSecInvalidAttributeEndDate: OSStatus = -67782,
  errSecMissingAttributeEndDate: OSStatus = -67783,
  errSecInvalidAttributeVersion: OSStatus = -67784,
  errSecMissingAttributeVersion: OSStatus = -67785, errSecInvalidAttributePrime: OSStatus = -67786,
  errSecMissingAttributePrime: OSStatus = -67787, errSecInvalidAttributeBase: OSStatus = -67788,
  errSecMissingAttributeBase: OSStatus = -67789, errSecInvalidAttributeSubprime: OSStatus = -67790,
  errSecMissingAttributeSubprime: OSStatus = -67791,
  errSecInvalidAttributeIterationCount: OSStatus = -67792,
  errSecMissingAttributeIterationCount: OSStatus = -67793,
  errSecInvalidAttributeDLDBHandle: OSStatus = -67794,
  errSecMissingAttributeDLDBHandle: OSStatus = -67795,
  errSecInvalidAttributeAccessCredentials: OSStatus = -67796,
  errSecMissingAttributeAccessCredentials: OSStatus = -67797,
  errSecInvalidAttributePublicKeyFormat: OSStatus = -67798,
  errSecMissingAttributePublicKeyFormat: OSStatus = -67799,
  errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800,
  errSecMissingAttributePrivateKeyFormat: OSStatus = -67801,
  errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802,
  errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803,
  errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804,
  errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805,
  errSecStagedOperationInProgress: OSStatus = -67806,
  errSecStagedOperationNotStarted: OSStatus = -67807, errSecVerifyFailed: OSStatus = -67808,
  errSecQuerySizeUnknown: OSStatus = -67809, errSecBlockSizeMismatch: OSStatus = -67810,
  errSecPublicKeyInconsistent: OSStatus = -67811, errSecDeviceVerifyFailed: OSStatus = -67812,
  errSecInvalidLoginName: OSStatus = -67813, errSecAlreadyLoggedIn: OSStatus = -67814,
  errSecInvalidDigestAlgorithm: OSStatus = -67815, errSSLCrypto: OSStatus = -9809

// What devices, files and keys fail with.
public let errSecServiceNotAvailable: OSStatus = -67585,
  errSecInsufficientClientID: OSStatus = -67586, errSecDeviceReset: OSStatus = -67587,
  errSecDeviceFailed: OSStatus = -67588, errSecAppleAddAppACLSubject: OSStatus = -67589,
  errSecApplePublicKeyIncomplete: OSStatus = -67590,
  errSecAppleSignatureMismatch: OSStatus = -67591,
  errSecAppleInvalidKeyStartDate: OSStatus = -67592,
  errSecAppleInvalidKeyEndDate: OSStatus = -67593, errSecConversionError: OSStatus = -67594,
  errSecAppleSSLv2Rollback: OSStatus = -67595, errSecQuotaExceeded: OSStatus = -67596,
  errSecFileTooBig: OSStatus = -67597, errSecInvalidDatabaseBlob: OSStatus = -67598,
  errSecInvalidKeyBlob: OSStatus = -67599, errSecIncompatibleDatabaseBlob: OSStatus = -67600,
  errSecIncompatibleKeyBlob: OSStatus = -67601

// What Apple's services and modules of cryptography fail with. Nothing here does; code that names them compiles.
public let errSecMobileMeRequestQueued: OSStatus = -67657,
  errSecMobileMeServerError: OSStatus = -67659,
  errSecMobileMeServerAlreadyExists: OSStatus = -67661,
  errSecMobileMeRequestAlreadyPending: OSStatus = -67663,
  errSecMobileMeCSRVerifyFailure: OSStatus = -67665, errSecNotInitialized: OSStatus = -67667,
  errSecInvalidHandleUsage: OSStatus = -67668, errSecPVCReferentNotFound: OSStatus = -67669,
  errSecFunctionIntegrityFail: OSStatus = -67670, errSecInternalError: OSStatus = -67671,
  errSecMemoryError: OSStatus = -67672, errSecInvalidData: OSStatus = -67673,
  errSecMDSError: OSStatus = -67674, errSecInvalidPointer: OSStatus = -67675,
  errSecSelfCheckFailed: OSStatus = -67676, errSecFunctionFailed: OSStatus = -67677,
  errSecModuleManifestVerifyFailed: OSStatus = -67678, errSecInvalidGUID: OSStatus = -67679,
  errSecInvalidHandle: OSStatus = -67680, errSecInvalidDBList: OSStatus = -67681,
  errSecInvalidPassthroughID: OSStatus = -67682, errSecInvalidNetworkAddress: OSStatus = -67683,
  errSecCRLAlreadySigned: OSStatus = -67684, errSecInvalidNumberOfFields: OSStatus = -67685,
  errSecVerificationFailure: OSStatus = -67686, errSecUnknownTag: OSStatus = -67687,
  errSecInvalidSignature: OSStatus = -67688, errSecInvalidName: OSStatus = -67689,
  errSecInvalidCertificateRef: OSStatus = -67690, errSecInvalidCertificateGroup: OSStatus = -67691,
  errSecTagNotFound: OSStatus = -67692, errSecInvalidQuery: OSStatus = -67693,
  errSecInvalidValue: OSStatus = -67694, errSecCallbackFailed: OSStatus = -67695,
  errSecACLDeleteFailed: OSStatus = -67696, errSecACLReplaceFailed: OSStatus = -67697,
  errSecACLAddFailed: OSStatus = -67698, errSecACLChangeFailed: OSStatus = -67699,
  errSecInvalidAccessCredentials: OSStatus = -67700, errSecInvalidRecord: OSStatus = -67701,
  errSecInvalidACL: OSStatus = -67702, errSecInvalidSampleValue: OSStatus = -67703,
  errSecIncompatibleVersion: OSStatus = -67704, errSecPrivilegeNotGranted: OSStatus = -67705,
  errSecInvalidScope: OSStatus = -67706, errSecPVCAlreadyConfigured: OSStatus = -67707,
  errSecInvalidPVC: OSStatus = -67708, errSecEMMLoadFailed: OSStatus = -67709,
  errSecEMMUnloadFailed: OSStatus = -67710, errSecAddinLoadFailed: OSStatus = -67711,
  errSecInvalidKeyRef: OSStatus = -67712, errSecInvalidKeyHierarchy: OSStatus = -67713,
  errSecAddinUnloadFailed: OSStatus = -67714, errSecLibraryReferenceNotFound: OSStatus = -67715,
  errSecInvalidAddinFunctionTable: OSStatus = -67716, errSecInvalidServiceMask: OSStatus = -67717,
  errSecModuleNotLoaded: OSStatus = -67718, errSecInvalidSubServiceID: OSStatus = -67719,
  errSecAttributeNotInContext: OSStatus = -67720,
  errSecModuleManagerInitializeFailed: OSStatus = -67721,
  errSecModuleManagerNotFound: OSStatus = -67722,
  errSecEventNotificationCallbackNotFound: OSStatus = -67723,
  errSecInputLengthError: OSStatus = -67724, errSecOutputLengthError: OSStatus = -67725,
  errSecPrivilegeNotSupported: OSStatus = -67726, errSecDeviceError: OSStatus = -67727,
  errSecAttachHandleBusy: OSStatus = -67728, errSecNotLoggedIn: OSStatus = -67729

// What authorities of certificates and their revocation lists fail with.
public let errSecInvalidCRLGroup: OSStatus = -67816,
  errSecCertificateCannotOperate: OSStatus = -67817, errSecCertificateExpired: OSStatus = -67818,
  errSecCertificateNotValidYet: OSStatus = -67819, errSecCertificateRevoked: OSStatus = -67820,
  errSecCertificateSuspended: OSStatus = -67821, errSecInsufficientCredentials: OSStatus = -67822,
  errSecInvalidAction: OSStatus = -67823, errSecInvalidAuthority: OSStatus = -67824,
  errSecVerifyActionFailed: OSStatus = -67825, errSecInvalidCertAuthority: OSStatus = -67826,
  errSecInvalidCRLAuthority: OSStatus = -67827,
  errSecInvaldCRLAuthority: OSStatus = errSecInvalidCRLAuthority,
  errSecInvalidCRLEncoding: OSStatus = -67828, errSecInvalidCRLType: OSStatus = -67829,
  errSecInvalidCRL: OSStatus = -67830, errSecInvalidFormType: OSStatus = -67831,
  errSecInvalidID: OSStatus = -67832, errSecInvalidIdentifier: OSStatus = -67833,
  errSecInvalidIndex: OSStatus = -67834, errSecInvalidPolicyIdentifiers: OSStatus = -67835,
  errSecInvalidTimeString: OSStatus = -67836, errSecInvalidReason: OSStatus = -67837,
  errSecInvalidRequestInputs: OSStatus = -67838, errSecInvalidResponseVector: OSStatus = -67839,
  errSecInvalidStopOnPolicy: OSStatus = -67840, errSecInvalidTuple: OSStatus = -67841,
  errSecMultipleValuesUnsupported: OSStatus = -67842, errSecNotTrusted: OSStatus = -67843,
  errSecNoDefaultAuthority: OSStatus = -67844, errSecRejectedForm: OSStatus = -67845,
  errSecRequestLost: OSStatus = -67846, errSecRequestRejected: OSStatus = -67847,
  errSecUnsupportedAddressType: OSStatus = -67848, errSecUnsupportedService: OSStatus = -67849,
  errSecInvalidTupleGroup: OSStatus = -67850, errSecInvalidBaseACLs: OSStatus = -67851,
  errSecInvalidTupleCredentials: OSStatus = -67852,
  errSecInvalidTupleCredendtials: OSStatus = errSecInvalidTupleCredentials,
  errSecInvalidEncoding: OSStatus = -67853, errSecInvalidValidityPeriod: OSStatus = -67854,
  errSecInvalidRequestor: OSStatus = -67855, errSecRequestDescriptor: OSStatus = -67856,
  errSecInvalidBundleInfo: OSStatus = -67857, errSecInvalidCRLIndex: OSStatus = -67858

// What databases of Apple's older keychains fail with. Nothing here does; code that names them compiles.
public let errSecNoFieldValues: OSStatus = -67859, errSecUnsupportedFieldFormat: OSStatus = -67860,
  errSecUnsupportedIndexInfo: OSStatus = -67861, errSecUnsupportedLocality: OSStatus = -67862,
  errSecUnsupportedNumAttributes: OSStatus = -67863, errSecUnsupportedNumIndexes: OSStatus = -67864,
  errSecUnsupportedNumRecordTypes: OSStatus = -67865,
  errSecFieldSpecifiedMultiple: OSStatus = -67866, errSecIncompatibleFieldFormat: OSStatus = -67867,
  errSecInvalidParsingModule: OSStatus = -67868, errSecDatabaseLocked: OSStatus = -67869,
  errSecDatastoreIsOpen: OSStatus = -67870, errSecMissingValue: OSStatus = -67871,
  errSecUnsupportedQueryLimits: OSStatus = -67872,
  errSecUnsupportedNumSelectionPreds: OSStatus = -67873,
  errSecUnsupportedOperator: OSStatus = -67874, errSecInvalidDBLocation: OSStatus = -67875,
  errSecInvalidAccessRequest: OSStatus = -67876, errSecInvalidIndexInfo: OSStatus = -67877,
  errSecInvalidNewOwner: OSStatus = -67878, errSecInvalidModifyMode: OSStatus = -67879,
  errSecDskFull: OSStatus = errSecDiskFull

// What time stamps and rules for certificates of programs fail with.
public let errSecMissingRequiredExtension: OSStatus = -67880,
  errSecExtendedKeyUsageNotCritical: OSStatus = -67881, errSecTimestampMissing: OSStatus = -67882,
  errSecTimestampInvalid: OSStatus = -67883, errSecTimestampNotTrusted: OSStatus = -67884,
  errSecTimestampServiceNotAvailable: OSStatus = -67885, errSecTimestampBadAlg: OSStatus = -67886,
  errSecTimestampBadRequest: OSStatus = -67887, errSecTimestampBadDataFormat: OSStatus = -67888,
  errSecTimestampTimeNotAvailable: OSStatus = -67889,
  errSecTimestampUnacceptedPolicy: OSStatus = -67890,
  errSecTimestampUnacceptedExtension: OSStatus = -67891,
  errSecTimestampAddInfoNotAvailable: OSStatus = -67892,
  errSecTimestampSystemFailure: OSStatus = -67893, errSecSigningTimeMissing: OSStatus = -67894,
  errSecTimestampRejection: OSStatus = -67895, errSecTimestampWaiting: OSStatus = -67896,
  errSecTimestampRevocationWarning: OSStatus = -67897,
  errSecTimestampRevocationNotification: OSStatus = -67898,
  errSecCertificatePolicyNotAllowed: OSStatus = -67899,
  errSecCertificateNameNotAllowed: OSStatus = -67900,
  errSecCertificateValidityPeriodTooLong: OSStatus = -67901,
  errSecCertificateIsCA: OSStatus = -67902, errSecCertificateDuplicateExtension: OSStatus = -67903,
  errSecMissingQualifiedCertStatement: OSStatus = -67904

enum StatusSentences {
  /// A number and its sentence in each line.
  static let table = """
    0 It worked.
    -4 This is not done here.
    -34 The disk is full.
    -36 Reading or writing failed.
    -49 The file is open for writing already.
    -50 An argument is missing, of the wrong type or in contradiction with another.
    -61 The file must not be written.
    -108 There is not enough memory.
    -128 The person cancelled the request.
    -909 The request is not one that can be made at this point.
    -2070 A part of the framework failed.
    -34018 The program must not reach this item.
    -34020 The program must not use this function.
    -25291 No keychain can be reached.
    -25292 The keychain cannot be changed.
    -25293 The owner did not prove it, or cannot: perhaps no passcode is set.
    -25294 There is no such keychain.
    -25295 The keychain is not valid.
    -25296 There is a keychain of this name already.
    -25297 This callback is registered already.
    -25298 This callback is not registered.
    -25299 There is an item of this name in the keychain already.
    -25300 There is no such item in the keychain.
    -25301 There is not enough room for the result.
    -25302 The data is longer than what can be kept.
    -25303 Items of this class have no such attribute.
    -25304 The reference means no item, or none any more.
    -25305 The search is not valid.
    -25306 There is no such class of items.
    -25307 No keychain is the default one.
    -25308 The owner would have to be asked or the device unlocked, and neither is possible.
    -25309 The attribute cannot be changed.
    -25310 The version is not one that is understood.
    -25311 Keys of this size are not made.
    -25312 There is no module that stores.
    -25313 There is no module for certificates.
    -25314 There is no module for policies.
    -25315 The owner has to be asked.
    -25316 The item holds no data.
    -25317 The data of the item cannot be changed.
    -25318 No chain of certificates could be made.
    -25319 There are no preferences of this domain.
    -25320 Nobody can be asked while the device is awake with its display off.
    -25240 The access control list is more than a list of trusted programs.
    -25241 There is no such policy.
    -25242 The trust setting is not valid.
    -25243 The item has no access control.
    -25244 The owner cannot be changed so.
    -25245 There is no result of judging trust.
    -25256 This form is not read or written here.
    -25257 The form of what is to be read is not known.
    -25258 The key leaves its keychain sealed alone.
    -25259 There are several private keys where one may be.
    -25260 A passphrase is needed.
    -25261 The reference means no password.
    -25262 The record of trust settings is damaged.
    -25263 There are no trust settings.
    -25264 The passphrase is wrong, or the PKCS #12 file is damaged.
    -26267 The certificate did not sign this.
    -26275 The item is damaged or was made for another device, and cannot be read.
    -67602 The certificate is for another host.
    -67603 The certificate has a critical extension that is not understood.
    -67604 The certificate lacks basic constraints.
    -67605 The basic constraints do not say that the certificate may sign others.
    -67606 The identifier of the issuer's key is not valid.
    -67607 The identifier of the subject's key is not valid.
    -67608 The key must not be used for this.
    -67609 The certificate must not be used for this.
    -67610 The identifiers of issuer and subject do not fit.
    -67611 The chain of certificates is longer than one of them allows.
    -67612 The root certificate is not valid.
    -67613 The revocation list has expired.
    -67614 The revocation list is not valid yet.
    -67615 There is no revocation list.
    -67616 The server of the revocation list does not answer.
    -67617 The address of the revocation list is not valid.
    -67618 The certificate has an extension that is not understood.
    -67619 The revocation list has an extension that is not understood.
    -67620 The revocation list is not trusted.
    -67621 The revocation list does not satisfy its policy.
    -67622 The issuing distribution point does not fit.
    -67623 The certificate does not hold the address of mail.
    -67624 The certificate must not be used for mail.
    -67625 The key must not be used for mail.
    -67626 The key usage is not critical, and must be for mail.
    -67627 The certificate holds no address of mail.
    -67628 The alternative names are not critical, and must be for mail.
    -67629 The certificate must not be used for TLS.
    -67630 The answer about revocation cannot be read.
    -67631 The question about revocation cannot be read.
    -67632 Nobody answers questions about revocation.
    -67633 The answer about revocation has a status that is not known.
    -67634 There is no more data.
    -67635 Not all certificates could be asked about.
    -67636 The network failed.
    -67637 The answer about revocation leads to no trusted root.
    -67638 The record was changed meanwhile.
    -67639 The signature of the answer about revocation is wrong.
    -67640 The answer about revocation has no signer.
    -67641 The responder could not read the question about revocation.
    -67642 The responder failed.
    -67643 The responder is busy.
    -67644 The responder wants questions that are signed.
    -67645 The responder does not answer this question.
    -67646 The answer about revocation is to another question.
    -67647 The chain of a program's signature is too long or too short.
    -67648 A certificate of a program's signature lacks basic constraints.
    -67649 A certificate of a program's signature allows another length of the chain.
    -67650 A certificate of a program's signature does not say what it is for.
    -67651 The program is signed for development.
    -67652 The chain of a resource's signature is too long or too short.
    -67653 A certificate of a resource's signature must not be used for this.
    -67654 A trust setting denies this.
    -67655 The name of the subject is empty or not valid.
    -67656 A statement of a qualified certificate is not understood.
    -67730 The algorithm does not fit.
    -67731 The key is for other uses.
    -67732 The sealed key is of another kind.
    -67733 The header of the key contradicts itself.
    -67734 Keys of this form are not read or written.
    -67735 Keys of this size are not made or used.
    -67736 The set of the key's uses is not valid.
    -67737 Keys for such uses are not made.
    -67738 The set of the key's attributes is not valid.
    -67739 Keys with such attributes are not made.
    -67740 The label of the key is not valid.
    -67741 Keys with such a label are not made.
    -67742 The form of the key is not valid.
    -67743 Several pieces of memory are not taken.
    -67744 The pieces of input are not valid.
    -67745 The pieces of output are not valid.
    -67746 The context is not valid.
    -67747 The algorithm is not valid.
    -67748 The key given as an attribute is not valid.
    -67749 A key is missing among the attributes.
    -67750 The initialization vector is not valid.
    -67751 The initialization vector is missing.
    -67752 The salt is not valid.
    -67753 The salt is missing.
    -67754 The padding is not valid.
    -67755 The padding is missing.
    -67756 The random data is not valid.
    -67757 The random data is missing.
    -67758 The seed is not valid.
    -67759 The seed is missing.
    -67760 The passphrase is not valid.
    -67761 The passphrase is missing.
    -67762 The length of the key is not valid.
    -67763 The length of the key is missing.
    -67764 The size of a block is not valid.
    -67765 The size of a block is missing.
    -67766 The size of the output is not valid.
    -67767 The size of the output is missing.
    -67768 The number of rounds is not valid.
    -67769 The number of rounds is missing.
    -67770 The parameters of the algorithm are not valid.
    -67771 The parameters of the algorithm are missing.
    -67772 The label is not valid.
    -67773 The label is missing.
    -67774 The kind of the key is not valid.
    -67775 The kind of the key is missing.
    -67776 The mode is not valid.
    -67777 The mode is missing.
    -67778 The number of effective bits is not valid.
    -67779 The number of effective bits is missing.
    -67780 The start date is not valid.
    -67781 The start date is missing.
    -67782 The end date is not valid.
    -67783 The end date is missing.
    -67784 The version is not valid.
    -67785 The version is missing.
    -67786 The prime is not valid.
    -67787 The prime is missing.
    -67788 The base is not valid.
    -67789 The base is missing.
    -67790 The smaller prime is not valid.
    -67791 The smaller prime is missing.
    -67792 The number of iterations is not valid.
    -67793 The number of iterations is missing.
    -67794 The handle of the database is not valid.
    -67795 The handle of the database is missing.
    -67796 The credentials among the attributes are not valid.
    -67797 Credentials are missing among the attributes.
    -67798 The form of the public key is not valid.
    -67799 The form of the public key is missing.
    -67800 The form of the private key is not valid.
    -67801 The form of the private key is missing.
    -67802 The form of the symmetric key is not valid.
    -67803 The form of the symmetric key is missing.
    -67804 The form of the wrapped key is not valid.
    -67805 The form of the wrapped key is missing.
    -67806 An operation in several steps is under way.
    -67807 No operation in several steps is under way.
    -67808 The signature or the code of authentication is wrong.
    -67809 How large the result will be is not known.
    -67810 The data is no whole number of blocks.
    -67811 The public key contradicts itself.
    -67812 The device could not be verified.
    -67813 The name to log in with is not valid.
    -67814 Somebody is logged in already.
    -67815 The hash is not one for this.
    -9809 The signature does not fit what was signed, or is another key's.
    -67585 The service cannot be reached.
    -67586 The client does not say enough about itself.
    -67587 The device was reset.
    -67588 The device failed.
    -67589 A program could not be added to an access control list.
    -67590 The public key lacks a part.
    -67591 The signature of a program is another one.
    -67592 The start date of the key is not valid.
    -67593 The end date of the key is not valid.
    -67594 A value could not be converted.
    -67595 A version of TLS was talked down.
    -67596 There is more than may be kept.
    -67597 The file is too long.
    -67598 A part of the database is not valid.
    -67599 The sealed key is not valid.
    -67600 A part of the database is of another version.
    -67601 The sealed key is of another version.
    -67657 The request to MobileMe was queued.
    -67659 The server of MobileMe failed.
    -67661 MobileMe has this already.
    -67663 MobileMe has such a request already.
    -67665 MobileMe could not verify the certificate request.
    -67667 The module was not initialized.
    -67668 The handle is not for this use.
    -67669 The caller was not found.
    -67670 The function was tampered with.
    -67671 Something failed inside.
    -67672 Memory failed.
    -67673 The data is not valid.
    -67674 The directory of modules failed.
    -67675 The pointer is not valid.
    -67676 The module's check of itself failed.
    -67677 The function failed.
    -67678 The manifest of the module could not be verified.
    -67679 The identifier of the module is not valid.
    -67680 The handle is not valid.
    -67681 The list of databases is not valid.
    -67682 The number of the function that is passed through is not valid.
    -67683 The network address is not valid.
    -67684 The revocation list is signed already.
    -67685 The number of fields is not valid.
    -67686 The verification failed.
    -67687 The tag is not known.
    -67688 The signature is not valid.
    -67689 The name is not valid.
    -67690 The reference means no certificate.
    -67691 The group of certificates is not valid.
    -67692 There is no such tag.
    -67693 The query is not valid.
    -67694 The value is not valid.
    -67695 A callback failed.
    -67696 An entry of an access control list could not be removed.
    -67697 An entry of an access control list could not be replaced.
    -67698 An entry could not be added to an access control list.
    -67699 An access control list could not be changed.
    -67700 The credentials are not valid.
    -67701 The record is not valid.
    -67702 The access control list is not valid.
    -67703 The sample is not valid.
    -67704 The version does not fit.
    -67705 The privilege was not granted.
    -67706 The scope is not valid.
    -67707 Checking of callers is configured already.
    -67708 Checking of callers is not configured so.
    -67709 The manager of an elective module could not be loaded.
    -67710 The manager of an elective module could not be unloaded.
    -67711 The module could not be loaded.
    -67712 The reference means no key.
    -67713 The hierarchy of keys is not valid.
    -67714 The module could not be unloaded.
    -67715 There is no such library.
    -67716 The table of the module's functions is not valid.
    -67717 The set of services is not valid.
    -67718 The module is not loaded.
    -67719 The number of the service is not valid.
    -67720 The context lacks the attribute.
    -67721 The manager of modules could not be initialized.
    -67722 There is no manager of modules.
    -67723 There is no callback for the event.
    -67724 The input is too long or too short.
    -67725 The output would be too long or too short.
    -67726 There is no such privilege.
    -67727 The device reported an error.
    -67728 The handle is in use.
    -67729 Nobody is logged in.
    -67816 The group of revocation lists is not valid.
    -67817 The certificate cannot be used for this.
    -67818 The certificate has expired.
    -67819 The certificate is not valid yet.
    -67820 The certificate was revoked.
    -67821 The certificate is suspended.
    -67822 The credentials do not suffice.
    -67823 The action is not valid.
    -67824 The authority is not valid.
    -67825 The action could not be verified.
    -67826 The authority that made the certificate is not valid.
    -67827 The authority that made the revocation list is not valid.
    -67828 The form of the revocation list is not valid.
    -67829 The kind of the revocation list is not valid.
    -67830 The revocation list is not valid.
    -67831 The kind of the form is not valid.
    -67832 The identifier is not valid.
    -67833 What identifies it is not valid.
    -67834 The index is not valid.
    -67835 The identifiers of policies are not valid.
    -67836 The text is no time.
    -67837 The reason is not valid.
    -67838 The inputs of the request are not valid.
    -67839 The pieces of the response are not valid.
    -67840 The policy of when to stop is not valid.
    -67841 The tuple is not valid.
    -67842 Several values are not taken.
    -67843 The certificate or what it signed is not trusted.
    -67844 No authority is the default one.
    -67845 The form was rejected.
    -67846 The request was lost.
    -67847 The request was rejected.
    -67848 Addresses of this kind are not taken.
    -67849 There is no such service.
    -67850 The group of tuples is not valid.
    -67851 The basic access control lists are not valid.
    -67852 The credentials of the tuple are not valid.
    -67853 The encoding is not valid.
    -67854 The period of validity is not valid.
    -67855 Who asks is not valid.
    -67856 The description of the request is not valid.
    -67857 What the bundle says of itself is not valid.
    -67858 The index into the revocation list is not valid.
    -67859 The fields hold no values.
    -67860 Fields of this form are not taken.
    -67861 Indexes of this kind are not taken.
    -67862 Locality is not taken into account.
    -67863 There are more attributes than are taken.
    -67864 There are more indexes than are taken.
    -67865 There are more kinds of records than are taken.
    -67866 A field is given more than once.
    -67867 The form of a field does not fit.
    -67868 The module that reads records is not valid.
    -67869 The database is locked.
    -67870 The database is open.
    -67871 A value is missing.
    -67872 Such limits of a query are not taken.
    -67873 There are more conditions than a query takes.
    -67874 There is no such operator.
    -67875 The place of the database is not valid.
    -67876 The kind of access that is asked for is not valid.
    -67877 The description of an index is not valid.
    -67878 The owner to be is not valid.
    -67879 The way to change records is not valid.
    -67880 A required extension is missing.
    -67881 What the certificate is for is not critical, and must be.
    -67882 The time stamp is missing.
    -67883 The time stamp is not valid.
    -67884 The time stamp is not trusted.
    -67885 The service of time stamps cannot be reached.
    -67886 The service of time stamps does not know the algorithm.
    -67887 The service of time stamps does not take the request.
    -67888 The service of time stamps could not read the request.
    -67889 The service of time stamps has no time.
    -67890 The service of time stamps does not take the policy.
    -67891 The service of time stamps does not take an extension.
    -67892 What else was asked of the service of time stamps cannot be had.
    -67893 The service of time stamps failed.
    -67894 The time of signing is missing.
    -67895 The service of time stamps rejected the request.
    -67896 The service of time stamps will answer later.
    -67897 The service of time stamps warns of a revocation.
    -67898 The service of time stamps tells of a revocation.
    -67899 A policy of the certificate is not allowed.
    -67900 A name of the certificate is not allowed.
    -67901 The certificate is valid for too long.
    -67902 The certificate is one of an authority, and must not be.
    -67903 An extension of the certificate is there twice.
    -67904 A statement of a qualified certificate is missing.
    """
}
