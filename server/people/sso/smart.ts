/** Launch from an EHR (SMART App Launch 2.2: EHR launch, with OpenID Connect for who the user is). */
import * as client from 'openid-client';
import { z } from 'zod';
import type { EhrPatient } from './ehr-patient.ts';
import type { Identity } from './find-or-link-user.ts';
import { discoverProvider } from './oauth-client.ts';
import type { Challenge } from './pending-sign-in.ts';
import type { Connection } from './queries.ts';
import { SsoRefusal } from './refusal.ts';
import { callbackUrl } from './sso-urls.ts';

/** Scopes of SMART 2, or of SMART 1 where the EHR knows those only. */
function scopeFor(ehr: client.Configuration): string {
  const capabilities = ehr.serverMetadata()['capabilities'];
  const isOld =
    Array.isArray(capabilities) && !capabilities.includes('permission-v2') && capabilities.includes('permission-v1');
  return `launch openid fhirUser patient/Patient.${isOld ? 'read' : 'r'}`;
}

/** FHIR R4, 2.24.0.1: what an id of a resource is made of. */
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

/** What a launch brings: who works, with whom open, and whether we are to show who that is. */
export interface EhrLaunch {
  identity: Identity;
  patient: EhrPatient | null;
  needPatientBanner: boolean;
}

const configure = (connection: Connection, publicUrl: string): Promise<client.Configuration> =>
  discoverProvider(new URL(`${connection.issuer}/.well-known/smart-configuration`), connection, publicUrl);

/** The address at the EHR's authorization server to send the browser to. `launch`: what the EHR gave to find its context again. */
export async function smartStart(
  connection: Connection,
  { state, nonce, codeVerifier }: Challenge,
  { publicUrl, launch }: { publicUrl: string; launch: string },
): Promise<URL> {
  const ehr = await configure(connection, publicUrl);
  return client.buildAuthorizationUrl(ehr, {
    redirect_uri: callbackUrl(publicUrl, connection),
    response_type: 'code',
    scope: scopeFor(ehr),
    aud: connection.issuer,
    launch,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
}

/** Takes the code to the EHR and reads what it opens. Throws as `oidcIdentity` does, and EHR_REFUSED where the patient cannot be read. */
export async function smartLaunch(
  connection: Connection,
  { state, nonce, codeVerifier }: Challenge,
  { publicUrl, search }: { publicUrl: string; search: string },
): Promise<EhrLaunch> {
  const ehr = await configure(connection, publicUrl);
  const back = new URL(callbackUrl(publicUrl, connection) + search);
  const tokens = await client.authorizationCodeGrant(ehr, back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  const context = launchContext.safeParse(tokens);
  if (claims === undefined || !context.success) throw new SsoRefusal('NO_SUBJECT');
  const read = (address: string) => readResource(ehr, tokens.access_token, address);
  const { patient, need_patient_banner: needPatientBanner = true } = context.data;
  const { email: given, email_verified: isVerified } = claims;
  const email =
    isVerified === true && typeof given === 'string' ? given : await emailOf(connection, claims['fhirUser'], read);
  return {
    identity: { subject: claims.sub, email },
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
 * The e-mail address in the EHR's own record of its user, needed for the first launch only. It is read from the EHR's server and
 * no other, for the token goes with it; an EHR that lets nobody read it vouches for no address.
 */
async function emailOf({ issuer }: Connection, fhirUser: unknown, read: Read): Promise<string | null> {
  if (typeof fhirUser !== 'string') return null;
  const [type = '', id = '', ...rest] = fhirUser.replace(`${issuer}/`, '').split('/');
  if (!/^[A-Z][A-Za-z]+$/.test(type) || !FHIR_ID.test(id) || rest.length > 0) return null;
  const parsed = userResource.safeParse(await read(`${issuer}/${type}/${id}`).catch(() => null));
  return parsed.data?.telecom?.find(({ system }) => system === 'email')?.value ?? null;
}
