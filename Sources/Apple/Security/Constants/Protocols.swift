// How a server is spoken to: the values of `kSecAttrProtocol`.

public import CoreFoundationTypes

/// Files (FTP).
public var kSecAttrProtocolFTP: CFString { constant("ftp ") }
/// Files (FTP), an account of a client.
public var kSecAttrProtocolFTPAccount: CFString { constant("ftpa") }
/// A proxy for files (FTP).
public var kSecAttrProtocolFTPProxy: CFString { constant("ftpx") }
/// Files over TLS.
public var kSecAttrProtocolFTPS: CFString { constant("ftps") }
/// The web.
public var kSecAttrProtocolHTTP: CFString { constant("http") }
/// A proxy for the web.
public var kSecAttrProtocolHTTPProxy: CFString { constant("htpx") }
/// The web over TLS.
public var kSecAttrProtocolHTTPS: CFString { constant("htps") }
/// A proxy for the web over TLS.
public var kSecAttrProtocolHTTPSProxy: CFString { constant("htsx") }
/// Mail that stays on the server.
public var kSecAttrProtocolIMAP: CFString { constant("imap") }
/// Mail that stays on the server, over TLS.
public var kSecAttrProtocolIMAPS: CFString { constant("imps") }
/// Mail that is fetched.
public var kSecAttrProtocolPOP3: CFString { constant("pop3") }
/// Mail that is fetched, over TLS.
public var kSecAttrProtocolPOP3S: CFString { constant("pops") }
/// Mail that is sent.
public var kSecAttrProtocolSMTP: CFString { constant("smtp") }
/// Chat.
public var kSecAttrProtocolIRC: CFString { constant("irc ") }
/// Chat over TLS.
public var kSecAttrProtocolIRCS: CFString { constant("ircs") }
/// Directories.
public var kSecAttrProtocolLDAP: CFString { constant("ldap") }
/// Directories over TLS.
public var kSecAttrProtocolLDAPS: CFString { constant("ldps") }
/// News.
public var kSecAttrProtocolNNTP: CFString { constant("nntp") }
/// News over TLS.
public var kSecAttrProtocolNNTPS: CFString { constant("ntps") }
/// Media that are played.
public var kSecAttrProtocolRTSP: CFString { constant("rtsp") }
/// A proxy for media that are played.
public var kSecAttrProtocolRTSPProxy: CFString { constant("rtsx") }
/// Music of a library that is shared.
public var kSecAttrProtocolDAAP: CFString { constant("daap") }
/// Files (AFP).
public var kSecAttrProtocolAFP: CFString { constant("afp ") }
/// Files (AppleTalk).
public var kSecAttrProtocolAppleTalk: CFString { constant("atlk") }
/// Files (SMB).
public var kSecAttrProtocolSMB: CFString { constant("smb ") }
/// Events of another Mac's programs.
public var kSecAttrProtocolEPPC: CFString { constant("eppc") }
/// Printers.
public var kSecAttrProtocolIPP: CFString { constant("ipp ") }
/// A proxy for any connection.
public var kSecAttrProtocolSOCKS: CFString { constant("sox ") }
/// A shell (SSH).
public var kSecAttrProtocolSSH: CFString { constant("ssh ") }
/// A terminal (Telnet).
public var kSecAttrProtocolTelnet: CFString { constant("teln") }
/// A terminal (Telnet) over TLS.
public var kSecAttrProtocolTelnetS: CFString { constant("tels") }
