// Made by scripts/make-statuses from statuses.txt, which has the sentence of each.
// swift-format-ignore-file

public import CoreFoundationTypes

// What requests of the keychain end with. The numbers are Apple's.
public let errSecSuccess: OSStatus = 0
public let errSecUnimplemented: OSStatus = -4
public let errSecDiskFull: OSStatus = -34
public let errSecIO: OSStatus = -36
public let errSecOpWr: OSStatus = -49
public let errSecParam: OSStatus = -50
public let errSecWrPerm: OSStatus = -61
public let errSecAllocate: OSStatus = -108
public let errSecUserCanceled: OSStatus = -128
public let errSecBadReq: OSStatus = -909
public let errSecInternalComponent: OSStatus = -2070
public let errSecMissingEntitlement: OSStatus = -34018
public let errSecRestrictedAPI: OSStatus = -34020
public let errSecNotAvailable: OSStatus = -25291
public let errSecReadOnly: OSStatus = -25292
public let errSecAuthFailed: OSStatus = -25293
public let errSecNoSuchKeychain: OSStatus = -25294
public let errSecInvalidKeychain: OSStatus = -25295
public let errSecDuplicateKeychain: OSStatus = -25296
public let errSecDuplicateCallback: OSStatus = -25297
public let errSecInvalidCallback: OSStatus = -25298
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecBufferTooSmall: OSStatus = -25301
public let errSecDataTooLarge: OSStatus = -25302
public let errSecNoSuchAttr: OSStatus = -25303
public let errSecInvalidItemRef: OSStatus = -25304
public let errSecInvalidSearchRef: OSStatus = -25305
public let errSecNoSuchClass: OSStatus = -25306
public let errSecNoDefaultKeychain: OSStatus = -25307
public let errSecInteractionNotAllowed: OSStatus = -25308
public let errSecReadOnlyAttr: OSStatus = -25309
public let errSecWrongSecVersion: OSStatus = -25310
public let errSecKeySizeNotAllowed: OSStatus = -25311
public let errSecNoStorageModule: OSStatus = -25312
public let errSecNoCertificateModule: OSStatus = -25313
public let errSecNoPolicyModule: OSStatus = -25314
public let errSecInteractionRequired: OSStatus = -25315
public let errSecDataNotAvailable: OSStatus = -25316
public let errSecDataNotModifiable: OSStatus = -25317
public let errSecCreateChainFailed: OSStatus = -25318
public let errSecInvalidPrefsDomain: OSStatus = -25319
public let errSecInDarkWake: OSStatus = -25320
public let errSecACLNotSimple: OSStatus = -25240
public let errSecPolicyNotFound: OSStatus = -25241
public let errSecInvalidTrustSetting: OSStatus = -25242
public let errSecNoAccessForItem: OSStatus = -25243
public let errSecInvalidOwnerEdit: OSStatus = -25244
public let errSecTrustNotAvailable: OSStatus = -25245
public let errSecUnsupportedFormat: OSStatus = -25256
public let errSecUnknownFormat: OSStatus = -25257
public let errSecKeyIsSensitive: OSStatus = -25258
public let errSecMultiplePrivKeys: OSStatus = -25259
public let errSecPassphraseRequired: OSStatus = -25260
public let errSecInvalidPasswordRef: OSStatus = -25261
public let errSecInvalidTrustSettings: OSStatus = -25262
public let errSecNoTrustSettings: OSStatus = -25263
public let errSecPkcs12VerifyFailure: OSStatus = -25264
public let errSecNotSigner: OSStatus = -26267
public let errSecDecode: OSStatus = -26275

// What judging certificates fails with.
public let errSecHostNameMismatch: OSStatus = -67602
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
public let errSecNoBasicConstraints: OSStatus = -67604
public let errSecNoBasicConstraintsCA: OSStatus = -67605
public let errSecInvalidAuthorityKeyID: OSStatus = -67606
public let errSecInvalidSubjectKeyID: OSStatus = -67607
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
public let errSecInvalidIDLinkage: OSStatus = -67610
public let errSecPathLengthConstraintExceeded: OSStatus = -67611
public let errSecInvalidRoot: OSStatus = -67612
public let errSecCRLExpired: OSStatus = -67613
public let errSecCRLNotValidYet: OSStatus = -67614
public let errSecCRLNotFound: OSStatus = -67615
public let errSecCRLServerDown: OSStatus = -67616
public let errSecCRLBadURI: OSStatus = -67617
public let errSecUnknownCertExtension: OSStatus = -67618
public let errSecUnknownCRLExtension: OSStatus = -67619
public let errSecCRLNotTrusted: OSStatus = -67620
public let errSecCRLPolicyFailed: OSStatus = -67621
public let errSecIDPFailure: OSStatus = -67622
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624
public let errSecSMIMEBadKeyUsage: OSStatus = -67625
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626
public let errSecSMIMENoEmailAddress: OSStatus = -67627
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629
public let errSecOCSPBadResponse: OSStatus = -67630
public let errSecOCSPBadRequest: OSStatus = -67631
public let errSecOCSPUnavailable: OSStatus = -67632
public let errSecOCSPStatusUnrecognized: OSStatus = -67633
public let errSecEndOfData: OSStatus = -67634
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
public let errSecNetworkFailure: OSStatus = -67636
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637
public let errSecRecordModified: OSStatus = -67638
public let errSecOCSPSignatureError: OSStatus = -67639
public let errSecOCSPNoSigner: OSStatus = -67640
public let errSecOCSPResponderMalformedReq: OSStatus = -67641
public let errSecOCSPResponderInternalError: OSStatus = -67642
public let errSecOCSPResponderTryLater: OSStatus = -67643
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644
public let errSecOCSPResponderUnauthorized: OSStatus = -67645
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650
public let errSecCodeSigningDevelopment: OSStatus = -67651
public let errSecResourceSignBadCertChainLength: OSStatus = -67652
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653
public let errSecTrustSettingDeny: OSStatus = -67654
public let errSecInvalidSubjectName: OSStatus = -67655
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656

// What using keys and algorithms fails with.
public let errSecAlgorithmMismatch: OSStatus = -67730
public let errSecKeyUsageIncorrect: OSStatus = -67731
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732
public let errSecKeyHeaderInconsistent: OSStatus = -67733
public let errSecUnsupportedKeyFormat: OSStatus = -67734
public let errSecUnsupportedKeySize: OSStatus = -67735
public let errSecInvalidKeyUsageMask: OSStatus = -67736
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737
public let errSecInvalidKeyAttributeMask: OSStatus = -67738
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739
public let errSecInvalidKeyLabel: OSStatus = -67740
public let errSecUnsupportedKeyLabel: OSStatus = -67741
public let errSecInvalidKeyFormat: OSStatus = -67742
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
public let errSecInvalidInputVector: OSStatus = -67744
public let errSecInvalidOutputVector: OSStatus = -67745
public let errSecInvalidContext: OSStatus = -67746
public let errSecInvalidAlgorithm: OSStatus = -67747
public let errSecInvalidAttributeKey: OSStatus = -67748
public let errSecMissingAttributeKey: OSStatus = -67749
public let errSecInvalidAttributeInitVector: OSStatus = -67750
public let errSecMissingAttributeInitVector: OSStatus = -67751
public let errSecInvalidAttributeSalt: OSStatus = -67752
public let errSecMissingAttributeSalt: OSStatus = -67753
public let errSecInvalidAttributePadding: OSStatus = -67754
public let errSecMissingAttributePadding: OSStatus = -67755
public let errSecInvalidAttributeRandom: OSStatus = -67756
public let errSecMissingAttributeRandom: OSStatus = -67757
public let errSecInvalidAttributeSeed: OSStatus = -67758
public let errSecMissingAttributeSeed: OSStatus = -67759
public let errSecInvalidAttributePassphrase: OSStatus = -67760
public let errSecMissingAttributePassphrase: OSStatus = -67761
public let errSecInvalidAttributeKeyLength: OSStatus = -67762
public let errSecMissingAttributeKeyLength: OSStatus = -67763
public let errSecInvalidAttributeBlockSize: OSStatus = -67764
public let errSecMissingAttributeBlockSize: OSStatus = -67765
public let errSecInvalidAttributeOutputSize: OSStatus = -67766
public let errSecMissingAttributeOutputSize: OSStatus = -67767
public let errSecInvalidAttributeRounds: OSStatus = -67768
public let errSecMissingAttributeRounds: OSStatus = -67769
public let errSecInvalidAlgorithmParms: OSStatus = -67770
public let errSecMissingAlgorithmParms: OSStatus = -67771
public let errSecInvalidAttributeLabel: OSStatus = -67772
public let errSecMissingAttributeLabel: OSStatus = -67773
public let errSecInvalidAttributeKeyType: OSStatus = -67774
public let errSecMissingAttributeKeyType: OSStatus = -67775
public let errSecInvalidAttributeMode: OSStatus = -67776
public let errSecMissingAttributeMode: OSStatus = -67777
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779
public let errSecInvalidAttributeStartDate: OSStatus = -67780
public let errSecMissingAttributeStartDate: OSStatus = -67781
public let errSecInvalidAttributeEndDate: OSStatus = -67782
public let errSecMissingAttributeEndDate: OSStatus = -67783
public let errSecInvalidAttributeVersion: OSStatus = -67784
public let errSecMissingAttributeVersion: OSStatus = -67785
public let errSecInvalidAttributePrime: OSStatus = -67786
public let errSecMissingAttributePrime: OSStatus = -67787
public let errSecInvalidAttributeBase: OSStatus = -67788
public let errSecMissingAttributeBase: OSStatus = -67789
public let errSecInvalidAttributeSubprime: OSStatus = -67790
public let errSecMissingAttributeSubprime: OSStatus = -67791
public let errSecInvalidAttributeIterationCount: OSStatus = -67792
public let errSecMissingAttributeIterationCount: OSStatus = -67793
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805
public let errSecStagedOperationInProgress: OSStatus = -67806
public let errSecStagedOperationNotStarted: OSStatus = -67807
public let errSecVerifyFailed: OSStatus = -67808
public let errSecQuerySizeUnknown: OSStatus = -67809
public let errSecBlockSizeMismatch: OSStatus = -67810
public let errSecPublicKeyInconsistent: OSStatus = -67811
public let errSecDeviceVerifyFailed: OSStatus = -67812
public let errSecInvalidLoginName: OSStatus = -67813
public let errSecAlreadyLoggedIn: OSStatus = -67814
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
public let errSSLCrypto: OSStatus = -9809

// What devices, files and keys fail with.
public let errSecServiceNotAvailable: OSStatus = -67585
public let errSecInsufficientClientID: OSStatus = -67586
public let errSecDeviceReset: OSStatus = -67587
public let errSecDeviceFailed: OSStatus = -67588
public let errSecAppleAddAppACLSubject: OSStatus = -67589
public let errSecApplePublicKeyIncomplete: OSStatus = -67590
public let errSecAppleSignatureMismatch: OSStatus = -67591
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593
public let errSecConversionError: OSStatus = -67594
public let errSecAppleSSLv2Rollback: OSStatus = -67595
public let errSecQuotaExceeded: OSStatus = -67596
public let errSecFileTooBig: OSStatus = -67597
public let errSecInvalidDatabaseBlob: OSStatus = -67598
public let errSecInvalidKeyBlob: OSStatus = -67599
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600
public let errSecIncompatibleKeyBlob: OSStatus = -67601

// What Apple's services and modules of cryptography fail with. Nothing here does; code that names them compiles.
public let errSecMobileMeRequestQueued: OSStatus = -67657
public let errSecMobileMeServerError: OSStatus = -67659
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665
public let errSecNotInitialized: OSStatus = -67667
public let errSecInvalidHandleUsage: OSStatus = -67668
public let errSecPVCReferentNotFound: OSStatus = -67669
public let errSecFunctionIntegrityFail: OSStatus = -67670
public let errSecInternalError: OSStatus = -67671
public let errSecMemoryError: OSStatus = -67672
public let errSecInvalidData: OSStatus = -67673
public let errSecMDSError: OSStatus = -67674
public let errSecInvalidPointer: OSStatus = -67675
public let errSecSelfCheckFailed: OSStatus = -67676
public let errSecFunctionFailed: OSStatus = -67677
public let errSecModuleManifestVerifyFailed: OSStatus = -67678
public let errSecInvalidGUID: OSStatus = -67679
public let errSecInvalidHandle: OSStatus = -67680
public let errSecInvalidDBList: OSStatus = -67681
public let errSecInvalidPassthroughID: OSStatus = -67682
public let errSecInvalidNetworkAddress: OSStatus = -67683
public let errSecCRLAlreadySigned: OSStatus = -67684
public let errSecInvalidNumberOfFields: OSStatus = -67685
public let errSecVerificationFailure: OSStatus = -67686
public let errSecUnknownTag: OSStatus = -67687
public let errSecInvalidSignature: OSStatus = -67688
public let errSecInvalidName: OSStatus = -67689
public let errSecInvalidCertificateRef: OSStatus = -67690
public let errSecInvalidCertificateGroup: OSStatus = -67691
public let errSecTagNotFound: OSStatus = -67692
public let errSecInvalidQuery: OSStatus = -67693
public let errSecInvalidValue: OSStatus = -67694
public let errSecCallbackFailed: OSStatus = -67695
public let errSecACLDeleteFailed: OSStatus = -67696
public let errSecACLReplaceFailed: OSStatus = -67697
public let errSecACLAddFailed: OSStatus = -67698
public let errSecACLChangeFailed: OSStatus = -67699
public let errSecInvalidAccessCredentials: OSStatus = -67700
public let errSecInvalidRecord: OSStatus = -67701
public let errSecInvalidACL: OSStatus = -67702
public let errSecInvalidSampleValue: OSStatus = -67703
public let errSecIncompatibleVersion: OSStatus = -67704
public let errSecPrivilegeNotGranted: OSStatus = -67705
public let errSecInvalidScope: OSStatus = -67706
public let errSecPVCAlreadyConfigured: OSStatus = -67707
public let errSecInvalidPVC: OSStatus = -67708
public let errSecEMMLoadFailed: OSStatus = -67709
public let errSecEMMUnloadFailed: OSStatus = -67710
public let errSecAddinLoadFailed: OSStatus = -67711
public let errSecInvalidKeyRef: OSStatus = -67712
public let errSecInvalidKeyHierarchy: OSStatus = -67713
public let errSecAddinUnloadFailed: OSStatus = -67714
public let errSecLibraryReferenceNotFound: OSStatus = -67715
public let errSecInvalidAddinFunctionTable: OSStatus = -67716
public let errSecInvalidServiceMask: OSStatus = -67717
public let errSecModuleNotLoaded: OSStatus = -67718
public let errSecInvalidSubServiceID: OSStatus = -67719
public let errSecAttributeNotInContext: OSStatus = -67720
public let errSecModuleManagerInitializeFailed: OSStatus = -67721
public let errSecModuleManagerNotFound: OSStatus = -67722
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723
public let errSecInputLengthError: OSStatus = -67724
public let errSecOutputLengthError: OSStatus = -67725
public let errSecPrivilegeNotSupported: OSStatus = -67726
public let errSecDeviceError: OSStatus = -67727
public let errSecAttachHandleBusy: OSStatus = -67728
public let errSecNotLoggedIn: OSStatus = -67729

// What authorities of certificates and their revocation lists fail with.
public let errSecInvalidCRLGroup: OSStatus = -67816
public let errSecCertificateCannotOperate: OSStatus = -67817
public let errSecCertificateExpired: OSStatus = -67818
public let errSecCertificateNotValidYet: OSStatus = -67819
public let errSecCertificateRevoked: OSStatus = -67820
public let errSecCertificateSuspended: OSStatus = -67821
public let errSecInsufficientCredentials: OSStatus = -67822
public let errSecInvalidAction: OSStatus = -67823
public let errSecInvalidAuthority: OSStatus = -67824
public let errSecVerifyActionFailed: OSStatus = -67825
public let errSecInvalidCertAuthority: OSStatus = -67826
public let errSecInvalidCRLAuthority: OSStatus = -67827
public let errSecInvaldCRLAuthority: OSStatus = errSecInvalidCRLAuthority
public let errSecInvalidCRLEncoding: OSStatus = -67828
public let errSecInvalidCRLType: OSStatus = -67829
public let errSecInvalidCRL: OSStatus = -67830
public let errSecInvalidFormType: OSStatus = -67831
public let errSecInvalidID: OSStatus = -67832
public let errSecInvalidIdentifier: OSStatus = -67833
public let errSecInvalidIndex: OSStatus = -67834
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835
public let errSecInvalidTimeString: OSStatus = -67836
public let errSecInvalidReason: OSStatus = -67837
public let errSecInvalidRequestInputs: OSStatus = -67838
public let errSecInvalidResponseVector: OSStatus = -67839
public let errSecInvalidStopOnPolicy: OSStatus = -67840
public let errSecInvalidTuple: OSStatus = -67841
public let errSecMultipleValuesUnsupported: OSStatus = -67842
public let errSecNotTrusted: OSStatus = -67843
public let errSecNoDefaultAuthority: OSStatus = -67844
public let errSecRejectedForm: OSStatus = -67845
public let errSecRequestLost: OSStatus = -67846
public let errSecRequestRejected: OSStatus = -67847
public let errSecUnsupportedAddressType: OSStatus = -67848
public let errSecUnsupportedService: OSStatus = -67849
public let errSecInvalidTupleGroup: OSStatus = -67850
public let errSecInvalidBaseACLs: OSStatus = -67851
public let errSecInvalidTupleCredentials: OSStatus = -67852
public let errSecInvalidTupleCredendtials: OSStatus = errSecInvalidTupleCredentials
public let errSecInvalidEncoding: OSStatus = -67853
public let errSecInvalidValidityPeriod: OSStatus = -67854
public let errSecInvalidRequestor: OSStatus = -67855
public let errSecRequestDescriptor: OSStatus = -67856
public let errSecInvalidBundleInfo: OSStatus = -67857
public let errSecInvalidCRLIndex: OSStatus = -67858

// What databases of Apple's older keychains fail with. Nothing here does; code that names them compiles.
public let errSecNoFieldValues: OSStatus = -67859
public let errSecUnsupportedFieldFormat: OSStatus = -67860
public let errSecUnsupportedIndexInfo: OSStatus = -67861
public let errSecUnsupportedLocality: OSStatus = -67862
public let errSecUnsupportedNumAttributes: OSStatus = -67863
public let errSecUnsupportedNumIndexes: OSStatus = -67864
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865
public let errSecFieldSpecifiedMultiple: OSStatus = -67866
public let errSecIncompatibleFieldFormat: OSStatus = -67867
public let errSecInvalidParsingModule: OSStatus = -67868
public let errSecDatabaseLocked: OSStatus = -67869
public let errSecDatastoreIsOpen: OSStatus = -67870
public let errSecMissingValue: OSStatus = -67871
public let errSecUnsupportedQueryLimits: OSStatus = -67872
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873
public let errSecUnsupportedOperator: OSStatus = -67874
public let errSecInvalidDBLocation: OSStatus = -67875
public let errSecInvalidAccessRequest: OSStatus = -67876
public let errSecInvalidIndexInfo: OSStatus = -67877
public let errSecInvalidNewOwner: OSStatus = -67878
public let errSecInvalidModifyMode: OSStatus = -67879
public let errSecDskFull: OSStatus = errSecDiskFull

// What time stamps and rules for certificates of programs fail with.
public let errSecMissingRequiredExtension: OSStatus = -67880
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881
public let errSecTimestampMissing: OSStatus = -67882
public let errSecTimestampInvalid: OSStatus = -67883
public let errSecTimestampNotTrusted: OSStatus = -67884
public let errSecTimestampServiceNotAvailable: OSStatus = -67885
public let errSecTimestampBadAlg: OSStatus = -67886
public let errSecTimestampBadRequest: OSStatus = -67887
public let errSecTimestampBadDataFormat: OSStatus = -67888
public let errSecTimestampTimeNotAvailable: OSStatus = -67889
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890
public let errSecTimestampUnacceptedExtension: OSStatus = -67891
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892
public let errSecTimestampSystemFailure: OSStatus = -67893
public let errSecSigningTimeMissing: OSStatus = -67894
public let errSecTimestampRejection: OSStatus = -67895
public let errSecTimestampWaiting: OSStatus = -67896
public let errSecTimestampRevocationWarning: OSStatus = -67897
public let errSecTimestampRevocationNotification: OSStatus = -67898
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899
public let errSecCertificateNameNotAllowed: OSStatus = -67900
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901
public let errSecCertificateIsCA: OSStatus = -67902
public let errSecCertificateDuplicateExtension: OSStatus = -67903
public let errSecMissingQualifiedCertStatement: OSStatus = -67904

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
