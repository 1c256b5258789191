/** A passkey authenticator in software (Web Authentication Level 3): one discoverable ES256 key, without attestation. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** Encodes the subset of CBOR (RFC 8949) that a passkey needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** What a test gets wrong on purpose. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  /** The user was not verified by fingerprint, face or PIN. */
  isUnverified?: boolean;
  counter?: number;
  challenge?: string;
}

export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(16);
  readonly #origin: string;
  readonly #keys: { privateKey: KeyObject; publicKey: KeyObject };
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  get id(): string {
    return this.credentialId.toString('base64url');
  }

  /** Returns what navigator.credentials.create returns, as JSON. */
  create(options: Record<string, unknown>, deviation: Deviation = {}): Record<string, unknown> {
    const { challenge, rp } = options as { challenge: string; rp: { id: string } };
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinates = [x, y].map((each) => Buffer.from(each, 'base64url')) as [Buffer, Buffer];
    // COSE (RFC 9053): key type EC2, algorithm ES256, curve P-256, x, y.
    const key = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinates[0]],
        [-3, coordinates[1]],
      ]),
    );
    const length = Buffer.from([0, this.credentialId.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, key]);
    const authData = Buffer.concat([this.#authData(rp.id, 0x40, deviation), attested]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', challenge, deviation).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Returns what navigator.credentials.get returns, as JSON. */
  get(options: Record<string, unknown>, deviation: Deviation = {}): Record<string, unknown> {
    const { challenge, rpId } = options as { challenge: string; rpId: string };
    const clientData = this.#clientData('webauthn.get', challenge, deviation);
    const authData = this.#authData(rpId, 0, deviation);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey);
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #credential(response: Record<string, unknown>): Record<string, unknown> {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin, challenge: other }: Deviation): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: other ?? challenge, origin, crossOrigin: false }));
  }

  /** Returns authenticator data (Level 3, section 6.1): hash of the relying party ID, flags (user present, user verified), counter. */
  #authData(rpId: string, flags: number, { rpId: other, isUnverified = false, counter }: Deviation): Buffer {
    this.#counter = counter ?? this.#counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256(other ?? rpId), Buffer.from([flags | 0x01 | (isUnverified ? 0 : 0x04)]), count]);
  }
}
