/** Who we are to an authenticator. The id is a domain, never an IP address (Web Authentication Level 3, 5.1.2). */
export interface RelyingParty {
  id: string;
  origin: string;
}

const LOOPBACK = /^(127(\.\d+){3}|\[::1\])$/;

/** Returns 'localhost' for a loopback address, so that passkeys work on a developer's machine at http://localhost. */
export function relyingParty(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl);
  if (LOOPBACK.test(url.hostname)) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}

/** EdDSA, ES256 and RS256 (COSE, RFC 9053). Listed because the library's default includes one that makes Node print a warning. */
export const ALGORITHMS = [-8, -7, -257];
