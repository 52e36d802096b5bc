"""TLS between the processes of different hosts, without a certificate authority.

Each process makes a key and a certificate when it starts and puts the certificate's fingerprint into its leases, beside
its address. The other processes read it there and accept no other certificate. The database is what all of them trust
already: anyone who can write leases can write entries.
"""

from __future__ import annotations

import hmac
import ssl
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

LIFE = timedelta(days=3650)
"""Longer than any process runs: the lease says which certificate is good, not the date."""


class Identity:
    """The key and the certificate of this process."""

    def __init__(self) -> None:
        certificate, pem = _new_certificate()
        self.fingerprint = sha256(certificate).hexdigest()
        self.context = _modern(ssl.PROTOCOL_TLS_SERVER)
        with TemporaryDirectory() as folder:  # `ssl` reads keys from files only
            file = Path(folder, "key.pem")
            file.touch(mode=0o600)
            file.write_bytes(pem)
            self.context.load_cert_chain(file)


def _new_certificate() -> tuple[bytes, bytes]:
    """A certificate signed by its own key, and both as PEM."""
    from cryptography import x509  # noqa: PLC0415 only several hosts need it
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "pontoon")])
    now = datetime.now(UTC)
    built = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    signed = built.not_valid_before(now - LIFE).not_valid_after(now + LIFE).sign(key, SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return signed.public_bytes(Encoding.DER), private + signed.public_bytes(Encoding.PEM)


def caller_context() -> ssl.SSLContext:
    """For connections to other processes; `check_peer` decides whether it is the right one."""
    context = _modern(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def check_peer(connected: ssl.SSLObject, fingerprint: str) -> None:
    """OSError unless the other side has shown the certificate with this fingerprint."""
    shown = sha256(connected.getpeercert(binary_form=True) or b"").hexdigest()
    if not hmac.compare_digest(shown, fingerprint):
        raise ConnectionRefusedError("a process with another certificate answers at this address")


def _modern(protocol: int) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context
