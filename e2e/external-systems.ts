import { join } from 'node:path';
import type { IdentityProviderClient } from '#server/testing/identity-provider.ts';
import { test as base } from './office.ts';
import { startProcess } from './start-process.ts';

export interface IdentityProviderSettings {
  client: IdentityProviderClient;
  /** Email addresses, by the username that is typed on the provider's page. */
  people: Record<string, string>;
  port: number;
}
/** The one person that the provider asserts. */
export interface SamlSettings {
  nameId: string;
  email: string;
}
export interface EhrSettings {
  /** The email address of the EHR's user. */
  email: string;
  /** The context of each launch, by its name. */
  launches: Record<string, Record<string, unknown>>;
  /** FHIR resources. */
  patients: { id: string }[];
}

interface ExternalSystems {
  'identity-provider': { settings: IdentityProviderSettings; answer: { issuer: string } };
  saml: { settings: SamlSettings; answer: { url: string; entityId: string; certificate: string } };
  ehr: { settings: EhrSettings; answer: { url: string; clientId: string; clientSecret: string } };
}
export type Kind = keyof ExternalSystems;

/** Starts an OpenID Connect or SAML identity provider, or an EHR, for the duration of a test. Resolves with its address and keys. */
export type StartExternalSystem = <K extends Kind>(
  kind: K,
  settings: ExternalSystems[K]['settings'],
) => Promise<ExternalSystems[K]['answer']>;

export const test = base.extend<{ startExternalSystem: StartExternalSystem }>({
  startExternalSystem: async ({ context }, use) => {
    const stops: (() => Promise<void>)[] = [];
    // The provider's page requests a font from the internet.
    await context.route('https://fonts.googleapis.com/**', (route) =>
      route.fulfill({ contentType: 'text/css', body: '' }),
    );
    await use(async (kind, settings) => {
      const { line, stop } = await startProcess(join(import.meta.dirname, 'external-system-process.ts'), [
        kind,
        JSON.stringify(settings),
      ]);
      stops.push(stop);
      return JSON.parse(line);
    });
    await Promise.all(stops.map((stop) => stop()));
  },
});
