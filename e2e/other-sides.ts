import { join } from 'node:path';
import type { IdentityProviderClient } from '#server/testing/identity-provider.ts';
import { test as base } from './office.ts';
import { startProcess } from './start-process.ts';

export interface IdentityProviderSettings {
  client: IdentityProviderClient;
  /** E-mail addresses, by the name that is typed at the provider's page. */
  people: Record<string, string>;
  port: number;
}
/** Whom the provider takes everybody for. */
export interface SamlSettings {
  nameId: string;
  email: string;
}
export interface EhrSettings {
  /** Of whoever works at the EHR. */
  email: string;
  /** What a launch has open. */
  launches: Record<string, Record<string, unknown>>;
  /** FHIR resources. */
  patients: { id: string }[];
}

interface OtherSides {
  'identity-provider': { settings: IdentityProviderSettings; known: { issuer: string } };
  saml: { settings: SamlSettings; known: { url: string; entityId: string; certificate: string } };
  ehr: { settings: EhrSettings; known: { url: string; clientId: string; clientSecret: string } };
}
export type Kind = keyof OtherSides;

/** Starts an identity provider, a SAML one or an EHR for the length of a test; resolves with what we have to know of it. */
export type StartOtherSide = <K extends Kind>(
  kind: K,
  settings: OtherSides[K]['settings'],
) => Promise<OtherSides[K]['known']>;

export const test = base.extend<{ startOtherSide: StartOtherSide }>({
  startOtherSide: async ({ context }, use) => {
    const stops: (() => Promise<void>)[] = [];
    // The page of the real provider asks for a font on the Internet.
    await context.route('https://fonts.googleapis.com/**', (route) =>
      route.fulfill({ contentType: 'text/css', body: '' }),
    );
    await use(async (kind, settings) => {
      const { line, stop } = await startProcess(join(import.meta.dirname, 'other-side.ts'), [
        kind,
        JSON.stringify(settings),
      ]);
      stops.push(stop);
      return JSON.parse(line);
    });
    await Promise.all(stops.map((stop) => stop()));
  },
});
