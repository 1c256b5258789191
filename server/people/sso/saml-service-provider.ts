/** Our side of a SAML connection, as the library needs it. */
import { type CacheProvider, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { CLOCK_SKEW } from './saml-assertion.ts';

/** What sets one sign-in apart. Crosses to the SAML thread. */
export interface ServiceProvider {
  entityId: string;
  callbackUrl: string;
  entryPoint: string | null;
  certificates: string[];
  requestId: string;
}

export function serviceProvider({ entityId, callbackUrl, entryPoint, certificates, requestId }: ServiceProvider): SAML {
  return new SAML({
    idpCert: certificates,
    issuer: entityId,
    audience: entityId,
    callbackUrl,
    ...(entryPoint === null ? {} : { entryPoint }),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId),
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: CLOCK_SKEW,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
  });
}

/** Tells the library which request may be answered. That it is answered only once, `takePendingSignIn` ensures. */
const onlyRequest = (requestId: string): CacheProvider => ({
  saveAsync: async (_key, value) => ({ value, createdAt: Date.now() }),
  getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
  removeAsync: async () => null,
});
