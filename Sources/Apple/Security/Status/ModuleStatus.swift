// What Apple's services and modules of cryptography fail with. Nothing here does; code that names
// them compiles.

public import CoreFoundationTypes

/// The request to MobileMe was queued.
public let errSecMobileMeRequestQueued: OSStatus = -67657
/// The server of MobileMe failed.
public let errSecMobileMeServerError: OSStatus = -67659
/// MobileMe has this already.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661
/// MobileMe has such a request already.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663
/// MobileMe could not verify the certificate request.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665
/// The module was not initialized.
public let errSecNotInitialized: OSStatus = -67667
/// The handle is not for this use.
public let errSecInvalidHandleUsage: OSStatus = -67668
/// The caller was not found.
public let errSecPVCReferentNotFound: OSStatus = -67669
/// The function was tampered with.
public let errSecFunctionIntegrityFail: OSStatus = -67670
/// Something failed inside.
public let errSecInternalError: OSStatus = -67671
/// Memory failed.
public let errSecMemoryError: OSStatus = -67672
/// The data is not valid.
public let errSecInvalidData: OSStatus = -67673
/// The directory of modules failed.
public let errSecMDSError: OSStatus = -67674
/// The pointer is not valid.
public let errSecInvalidPointer: OSStatus = -67675
/// The module's check of itself failed.
public let errSecSelfCheckFailed: OSStatus = -67676
/// The function failed.
public let errSecFunctionFailed: OSStatus = -67677
/// The manifest of the module could not be verified.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678
/// The identifier of the module is not valid.
public let errSecInvalidGUID: OSStatus = -67679
/// The handle is not valid.
public let errSecInvalidHandle: OSStatus = -67680
/// The list of databases is not valid.
public let errSecInvalidDBList: OSStatus = -67681
/// The number of the function that is passed through is not valid.
public let errSecInvalidPassthroughID: OSStatus = -67682
/// The network address is not valid.
public let errSecInvalidNetworkAddress: OSStatus = -67683
/// The revocation list is signed already.
public let errSecCRLAlreadySigned: OSStatus = -67684
/// The number of fields is not valid.
public let errSecInvalidNumberOfFields: OSStatus = -67685
/// The verification failed.
public let errSecVerificationFailure: OSStatus = -67686
/// The tag is not known.
public let errSecUnknownTag: OSStatus = -67687
/// The signature is not valid.
public let errSecInvalidSignature: OSStatus = -67688
/// The name is not valid.
public let errSecInvalidName: OSStatus = -67689
/// The reference means no certificate.
public let errSecInvalidCertificateRef: OSStatus = -67690
/// The group of certificates is not valid.
public let errSecInvalidCertificateGroup: OSStatus = -67691
/// There is no such tag.
public let errSecTagNotFound: OSStatus = -67692
/// The query is not valid.
public let errSecInvalidQuery: OSStatus = -67693
/// The value is not valid.
public let errSecInvalidValue: OSStatus = -67694
/// A callback failed.
public let errSecCallbackFailed: OSStatus = -67695
/// An entry of an access control list could not be removed.
public let errSecACLDeleteFailed: OSStatus = -67696
/// An entry of an access control list could not be replaced.
public let errSecACLReplaceFailed: OSStatus = -67697
/// An entry could not be added to an access control list.
public let errSecACLAddFailed: OSStatus = -67698
/// An access control list could not be changed.
public let errSecACLChangeFailed: OSStatus = -67699
/// The credentials are not valid.
public let errSecInvalidAccessCredentials: OSStatus = -67700
/// The record is not valid.
public let errSecInvalidRecord: OSStatus = -67701
/// The access control list is not valid.
public let errSecInvalidACL: OSStatus = -67702
/// The sample is not valid.
public let errSecInvalidSampleValue: OSStatus = -67703
/// The version does not fit.
public let errSecIncompatibleVersion: OSStatus = -67704
/// The privilege was not granted.
public let errSecPrivilegeNotGranted: OSStatus = -67705
/// The scope is not valid.
public let errSecInvalidScope: OSStatus = -67706
/// Checking of callers is configured already.
public let errSecPVCAlreadyConfigured: OSStatus = -67707
/// Checking of callers is not configured so.
public let errSecInvalidPVC: OSStatus = -67708
/// The manager of an elective module could not be loaded.
public let errSecEMMLoadFailed: OSStatus = -67709
/// The manager of an elective module could not be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67710
/// The module could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711
/// The reference means no key.
public let errSecInvalidKeyRef: OSStatus = -67712
/// The hierarchy of keys is not valid.
public let errSecInvalidKeyHierarchy: OSStatus = -67713
/// The module could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714
/// There is no such library.
public let errSecLibraryReferenceNotFound: OSStatus = -67715
/// The table of the module's functions is not valid.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716
/// The set of services is not valid.
public let errSecInvalidServiceMask: OSStatus = -67717
/// The module is not loaded.
public let errSecModuleNotLoaded: OSStatus = -67718
/// The number of the service is not valid.
public let errSecInvalidSubServiceID: OSStatus = -67719
/// The context lacks the attribute.
public let errSecAttributeNotInContext: OSStatus = -67720
/// The manager of modules could not be initialized.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721
/// There is no manager of modules.
public let errSecModuleManagerNotFound: OSStatus = -67722
/// There is no callback for the event.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723
/// The input is too long or too short.
public let errSecInputLengthError: OSStatus = -67724
/// The output would be too long or too short.
public let errSecOutputLengthError: OSStatus = -67725
/// There is no such privilege.
public let errSecPrivilegeNotSupported: OSStatus = -67726
/// The device reported an error.
public let errSecDeviceError: OSStatus = -67727
/// The handle is in use.
public let errSecAttachHandleBusy: OSStatus = -67728
/// Nobody is logged in.
public let errSecNotLoggedIn: OSStatus = -67729
