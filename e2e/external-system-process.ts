/**
 * An identity provider or an EHR in a process of its own, with its own keys: `node external-system-process.ts kind settings`, with the
 * settings as JSON. It writes its address and keys as a line of JSON, and exits when its standard input ends.
 */
import { startEhr } from '#server/testing/ehr.ts';
import { startIdentityProvider } from '#server/testing/identity-provider.ts';
import { startSamlProvider } from '#server/testing/saml-provider.ts';
import type { EhrSettings, IdentityProviderSettings, Kind, SamlSettings } from './external-systems.ts';

const [kind, text = ''] = process.argv.slice(2);

const starts: Record<Kind, () => Promise<object>> = {
  async 'identity-provider'() {
    const { client, people, port } = JSON.parse(text) as IdentityProviderSettings;
    const emails = new Map(Object.entries(people).map(([name, email]) => [name, { email, isVerified: true }]));
    const { issuer } = await startIdentityProvider([client], emails, port);
    return { issuer };
  },
  async saml() {
    const who = JSON.parse(text) as SamlSettings;
    const { provider, url } = await startSamlProvider(() => who);
    return { url, entityId: provider.entityId, certificate: provider.certificate };
  },
  async ehr() {
    const { email, launches, patients } = JSON.parse(text) as EhrSettings;
    const ehr = await startEhr();
    ehr.claims = { email, email_verified: true };
    for (const [launch, context] of Object.entries(launches)) ehr.launches.set(launch, context);
    for (const patient of patients) ehr.resources.set(`Patient/${patient.id}`, patient);
    const { url, clientId, clientSecret } = ehr;
    return { url, clientId, clientSecret };
  },
};

process.stdout.write(`${JSON.stringify(await starts[kind as Kind]())}\n`);
process.stdin.resume();
process.stdin.on('end', () => process.exit());
