/** Launch from an EHR (SMART App Launch 2.2: EHR launch, with OpenID Connect to identify the user). */
import * as client from 'openid-client';
import { z } from 'zod';
import type { EhrPatient } from './ehr-patient.ts';
import type { Identity } from './find-or-link-user.ts';
import { authorizationUrl, discoverServer, exchangeCode, type OAuthDeps, verifiedEmail } from './oauth-client.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { personName } from './person-name.ts';
import type { Connection } from './queries.ts';
import { SsoRefusal } from './refusal.ts';

/** Returns SMART 2 scopes, or SMART 1 scopes for an EHR that supports only those. */
function scopeFor(ehr: client.Configuration): string {
  const capabilities = ehr.serverMetadata()['capabilities'];
  const isOld =
    Array.isArray(capabilities) && !capabilities.includes('permission-v2') && capabilities.includes('permission-v1');
  return `launch openid fhirUser patient/Patient.${isOld ? 'read' : 'r'}`;
}

/** Format of a resource id (FHIR R4, 2.24.0.1). */
const FHIR_ID = /^[A-Za-z0-9\-.]{1,64}$/;
const RECORD_NUMBER_SYSTEM = 'http://terminology.hl7.org/CodeSystem/v2-0203';

const launchContext = z.object({
  patient: z.string().regex(FHIR_ID).optional(),
  need_patient_banner: z.boolean().optional(),
});

const patientResource = z.object({
  resourceType: z.literal('Patient'),
  id: z.string(),
  birthDate: z.string().optional(),
  identifier: z
    .array(
      z.object({
        value: z.string().optional(),
        type: z
          .object({
            coding: z.array(z.object({ system: z.string().optional(), code: z.string().optional() })).optional(),
          })
          .optional(),
      }),
    )
    .optional(),
});

const userResource = z.object({
  resourceType: z.enum(['Practitioner', 'PractitionerRole', 'Person', 'RelatedPerson']),
  telecom: z.array(z.object({ system: z.string().optional(), value: z.string().optional() })).optional(),
});

/** The user of a launch, the patient open in the EHR, and whether our pages have to show who that is. */
export interface EhrLaunch {
  identity: Identity;
  patient: EhrPatient | null;
  needPatientBanner: boolean;
}

const discoverEhr = (connection: Connection, deps: OAuthDeps): Promise<client.Configuration> =>
  discoverServer(new URL(`${connection.issuer}/.well-known/smart-configuration`), connection, deps);

/** Returns the address of the EHR's authorization server that the browser is sent to. `launch` is the EHR's handle on its open context. */
export async function smartStart(
  connection: Connection,
  pending: PendingSignIn,
  { launch, ...deps }: OAuthDeps & { launch: string },
): Promise<URL> {
  const ehr = await discoverEhr(connection, deps);
  const parameters = { scope: scopeFor(ehr), aud: connection.issuer, launch };
  return authorizationUrl(ehr, connection, pending, { publicUrl: deps.publicUrl, parameters });
}

/** Exchanges the code with the EHR and reads the user and the patient. Throws as `exchangeCode` does, and EHR_REFUSED if the patient cannot be read. */
export async function smartLaunch(
  connection: Connection,
  pending: PendingSignIn,
  answer: OAuthDeps & { search: string },
): Promise<EhrLaunch> {
  const ehr = await discoverEhr(connection, answer);
  const { tokens, claims } = await exchangeCode(ehr, connection, pending, answer);
  const context = launchContext.safeParse(tokens);
  if (!context.success) throw new SsoRefusal('NO_SUBJECT');
  const read = (address: string) => readResource(ehr, tokens.access_token, address);
  const { patient, need_patient_banner: needPatientBanner = true } = context.data;
  const email = verifiedEmail(claims) ?? (await emailOf(connection, claims['fhirUser'], read));
  return {
    identity: { subject: claims.sub, email, name: personName(claims['given_name'], claims['family_name']) },
    patient: patient === undefined ? null : await readPatient(connection, patient, read),
    needPatientBanner,
  };
}

type Read = (address: string) => Promise<unknown>;

async function readResource(ehr: client.Configuration, accessToken: string, address: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/fhir+json' });
  const response = await client.fetchProtectedResource(ehr, accessToken, new URL(address), 'GET', undefined, headers);
  if (response.status !== 200) throw new SsoRefusal('EHR_REFUSED');
  return response.json();
}

async function readPatient({ issuer }: Connection, id: string, read: Read): Promise<EhrPatient> {
  const parsed = patientResource.safeParse(await read(`${issuer}/Patient/${id}`));
  if (!parsed.success || parsed.data.id !== id) throw new SsoRefusal('EHR_REFUSED');
  const { identifier = [], birthDate } = parsed.data;
  const isRecordNumber = ({ type }: (typeof identifier)[number]) =>
    type?.coding?.some(
      ({ system, code }) => code === 'MR' && (system ?? RECORD_NUMBER_SYSTEM) === RECORD_NUMBER_SYSTEM,
    );
  const recordNumbers = identifier.filter(isRecordNumber).flatMap(({ value }) => value?.trim() || []);
  return { recordNumbers, birthDate: birthDate ?? null };
}

/**
 * Returns the email address in the EHR's record of its user, which only the user's first launch needs. Reads from the EHR's own server only,
 * because the access token is sent along. If the EHR does not let us read the record, there is no address.
 */
async function emailOf({ issuer }: Connection, fhirUser: unknown, read: Read): Promise<string | null> {
  if (typeof fhirUser !== 'string') return null;
  const [type = '', id = '', ...rest] = fhirUser.replace(`${issuer}/`, '').split('/');
  if (!/^[A-Z][A-Za-z]+$/.test(type) || !FHIR_ID.test(id) || rest.length > 0) return null;
  const parsed = userResource.safeParse(await read(`${issuer}/${type}/${id}`).catch(() => null));
  return parsed.data?.telecom?.find(({ system }) => system === 'email')?.value ?? null;
}
