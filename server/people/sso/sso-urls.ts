import type { Connection } from './queries.ts';

/** Where the other side sends the browser back to; it has to be registered there as it stands here. */
export function callbackUrl(publicUrl: string, { kind, key }: Pick<Connection, 'kind' | 'key'>): string {
  return kind === 'SMART'
    ? `${publicUrl}/api/ehr/callback`
    : `${publicUrl}/api/sso/${kind.toLowerCase()}/${key}/callback`;
}

/** SAML: our metadata, whose address is our entity id too (SAML metadata 2.0, 4.1). */
export const metadataUrl = (publicUrl: string, { key }: Pick<Connection, 'key'>): string =>
  `${publicUrl}/api/sso/saml/${key}/metadata`;

/** Whether plain http is good enough for the other side: only where we ourselves are reached so, as when trying things out. */
export const allowsHttp = (publicUrl: string): boolean => publicUrl.startsWith('http:');
