import type { Connection } from './queries.ts';

/** Returns the address to which the identity provider or EHR sends the browser back. It has to be registered there exactly like this. */
export function callbackUrl(publicUrl: string, { kind, key }: Pick<Connection, 'kind' | 'key'>): string {
  return kind === 'SMART'
    ? `${publicUrl}/api/ehr/callback`
    : `${publicUrl}/api/sso/${kind.toLowerCase()}/${key}/callback`;
}

/** The page that an EHR's frame shows when a launch failed, because sign-in pages are never in a frame. */
export const LAUNCH_FAILED = '/launch-failed';

/** Returns the address of our SAML metadata, which is also our entity id (SAML metadata 2.0, 4.1). */
export const metadataUrl = (publicUrl: string, { key }: Pick<Connection, 'key'>): string =>
  `${publicUrl}/api/sso/saml/${key}/metadata`;

/** Returns whether an identity provider may use plain http: only on an installation that is itself reached by http, such as a trial. */
export const allowsHttp = (publicUrl: string): boolean => publicUrl.startsWith('http:');
