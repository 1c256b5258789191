/** Who we are to an authenticator (Web Authentication Level 3, 5.1.2: the relying party's id is a domain, never an address). */
export interface RelyingParty {
  id: string;
  origin: string;
}

const LOOPBACK = /^(127(\.\d+){3}|\[::1\])$/;

/** On the machine itself that is 'localhost', for a browser that was opened there under this name. */
export function relyingParty(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl);
  if (LOOPBACK.test(url.hostname)) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}

/** EdDSA, ES256 and RS256 (COSE, RFC 9053): what authenticators have. Named, for the library would ask Node for more, with a warning. */
export const ALGORITHMS = [-8, -7, -257];
