import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const SEQUENCE = 0x30;
/** sha256WithRSAEncryption (RFC 8017, A.2.4), and commonName (RFC 5280, A.1), as DER. */
const SHA256_RSA = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const utcTime = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

/** Creates an RSA key and a self-signed certificate (RFC 5280, 4.1), valid for the year before `until`. */
export function selfSigned(until: Date, modulusLength = 2048): { key: KeyObject; pem: string } {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength });
  const name = der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from('identity.test')))));
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    SHA256_RSA,
    name,
    der(SEQUENCE, utcTime(new Date(until.getTime() - 366 * 86_400_000)), utcTime(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(body).sign(key);
  const certificate = der(SEQUENCE, body, SHA256_RSA, der(0x03, Buffer.from([0]), signature));
  const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n').trim();
  return { key, pem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n` };
}
