#!/usr/bin/env python3
"""Encrypts to and decrypts with a P-256 key as Apple's eciesEncryptionCofactorX963SHA256AESGCM does.

    authcore_ecies.py encrypt PUBLIC.pem  < plain  > sealed     authcore key public NAME > PUBLIC.pem
    authcore_ecies.py decrypt PRIVATE.pem < sealed > plain      a key that is in no enclave

Standard library, and Debian's python3-cryptography (`pip install cryptography` elsewhere). What it does is
all there is to the format: docs/keys.md.
"""
import hashlib
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

POINT = 65  # 4, x, y
TAG = 16
NONCE = bytes(16)  # zeros: no key is used twice


def message_key(shared_x, ephemeral_point):
    """X9.63 with SHA-256: 16 bytes are less than one hash, so one counter is all."""
    return hashlib.sha256(shared_x + (1).to_bytes(4, "big") + ephemeral_point).digest()[:16]


def point_of(key):
    return key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def encrypt(public, plain, ephemeral=None):
    ephemeral = ephemeral or ec.generate_private_key(ec.SECP256R1())
    point = point_of(ephemeral.public_key())
    key = message_key(ephemeral.exchange(ec.ECDH(), public), point)
    return point + AESGCM(key).encrypt(NONCE, plain, None)


def decrypt(private, sealed):
    if len(sealed) < POINT + TAG:
        raise ValueError("too short")
    point = sealed[:POINT]
    other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    key = message_key(private.exchange(ec.ECDH(), other), point)
    return AESGCM(key).decrypt(NONCE, sealed[POINT:], None)


def main(action, path):
    with open(path, "rb") as file:
        pem = file.read()
    given = sys.stdin.buffer.read()
    if action == "encrypt":
        made = encrypt(serialization.load_pem_public_key(pem), given)
    elif action == "decrypt":
        made = decrypt(serialization.load_pem_private_key(pem, None), given)
    else:
        sys.exit(__doc__)
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (InvalidTag, ValueError) as problem:
        sys.exit(f"not decrypted: {problem or 'changed, cut, or for another key'}")
