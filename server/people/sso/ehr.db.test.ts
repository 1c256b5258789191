import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { anonymous, type Client, startApp } from '#server/testing/app.ts';
import { startEhr } from '#server/testing/ehr.ts';
import { connect, organizationWithAdministrator, pathOf } from '#server/testing/sso.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'tidings-ehr-'));
writeFileSync(join(webRoot, 'index.html'), '<title>Tidings</title>');
const app = await startApp({ webRoot });
const { admin, organizationId } = await organizationWithAdministrator(app);
const ehr = await startEhr();
afterAll(async () => {
  rmSync(webRoot, { recursive: true });
  await ehr.close();
});

const groups = [
  await app.make.group({ organizationId, type: 'HOS' }),
  await app.make.group({ organizationId }),
] as const;
const [hospital, program] = groups;
const team = await app.make.team({ organizationId, groupIds: groups.map(({ id }) => id) });
const user = await app.make.user({ team });
const { user: administrator } = await admin.call('GET /api/me', {});
await grantRole(app.database.pipeline, { userId: administrator.id, teamId: team.id, role: 'administrator' });
const { clientId, clientSecret } = ehr;
const connection = await connect(app, admin, {
  kind: 'SMART',
  issuer: `${ehr.url}/`,
  clientId,
  clientSecret,
  allowedOrigins: ['http://ehr.test:8443'],
});
const REFUSED = '/login?error=SSO_ERROR';

const MR = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] };
const patient = (id: string, number: string, birthDate = '1941-03-14') => ({
  resourceType: 'Patient',
  id,
  birthDate,
  identifier: [
    { type: { coding: [{ code: 'SS' }] }, value: 'not a record number' },
    { type: MR, value: number },
  ],
});

/** Launches us as the EHR's window does. Returns where we redirect. */
async function launch(client: Client, { iss = ehr.url, headers = {} } = {}): Promise<string | null> {
  const query = new URLSearchParams({ iss, launch: 'what the EHR remembers it by' });
  const start = (await client.fetch(`/api/ehr/launch?${query.toString()}`, { headers })).headers.get('location') ?? '';
  if (!start.startsWith(ehr.url)) return start;
  const back = (await fetch(start, { redirect: 'manual' })).headers.get('location');
  return (await client.fetch(pathOf(back), { headers })).headers.get('location');
}

beforeEach(() => {
  ehr.claims = { sub: 'ehr user 1', fhirUser: `${ehr.url}/Practitioner/9` };
  ehr.context = { need_patient_banner: true };
  ehr.resources.clear();
  ehr.resources.set('Practitioner/9', {
    resourceType: 'Practitioner',
    id: '9',
    telecom: [
      { system: 'phone', value: '555-0100' },
      { system: 'email', value: user.username },
    ],
  });
  ehr.asked.length = 0;
});

describe('a launch', () => {
  test('without a patient opens the inbox for the user that the EHR names', async () => {
    const client = anonymous(app);
    expect(await launch(client)).toBe('/ehr/inbox');
    const me = await client.call('GET /api/me', {});
    const noPatient = { patientId: null, ehrPatientIdentifier: null, needPatientBanner: true };
    expect(me.user).toMatchObject({
      id: user.id,
      isSSO: true,
      isAuth0: false,
      applicationExperience: 'JANUS_EHR_SSO',
      ...noPatient,
    });
    const asked = new URLSearchParams(ehr.asked.find((each) => each.startsWith('GET /authorize'))?.split('?')[1]);
    expect(Object.fromEntries(asked)).toMatchObject({
      aud: ehr.url,
      launch: 'what the EHR remembers it by',
      scope: 'launch openid fhirUser patient/Patient.r',
      code_challenge_method: 'S256',
      redirect_uri: 'http://tidings.test/api/ehr/callback',
    });
  });

  test('with a patient opens that patient, and the session keeps what the EHR sent', async () => {
    const { id: personId } = await app.make.person();
    const source = await app.make.sourcePatient({ groupId: hospital.id, personId, record_number: 'MRN-77' });
    const listing = await app.make.rosterPatient({ groupId: program.id, personId });
    const visit = await app.make.encounter({ groupId: hospital.id, personId, sourcePatientId: source.id });
    ehr.resources.set('Patient/p-7', patient('p-7', 'MRN-77'));
    ehr.context = { patient: 'p-7', need_patient_banner: false };
    const client = anonymous(app);
    const patientId = `${listing.id}_${visit.id}`;
    expect(await launch(client)).toBe(`/ehr/patients/${patientId}`);
    const me = await client.call('GET /api/me', {});
    expect(me.user).toMatchObject({ patientId, ehrPatientIdentifier: 'MRN-77', needPatientBanner: false });
    client.teamId = me.defaultTeam;
    expect((await client.call('GET /api/patients/:id', { params: { id: patientId } })).id).toBe(patientId);

    const elsewhere = anonymous(app);
    ehr.context = {};
    await launch(elsewhere);
    expect((await elsewhere.call('GET /api/me', {})).user.patientId).toBeNull();
  });

  test('also finds the patient by a roster’s member id, and selects the team that knows the patient', async () => {
    const other = await app.make.team({ organizationId, name: 'Z' });
    await app.database.owner.query(
      `insert into grants (user_id, team_id, group_id, role_id, added, removed)
       select $1, team_id, group_id, (select id from roles where name = 'viewer' and organization_id is null), '{}', '{}'
       from team_groups where team_id = $2`,
      [user.id, other.id],
    );
    await grantRole(app.database.pipeline, { userId: administrator.id, teamId: other.id, role: 'administrator' });
    const listing = await app.make.rosterPatient({ groupId: other.groupIds[0] ?? '', memberId: 'M-4711' });
    ehr.resources.set('Patient/8', patient('8', 'M-4711'));
    ehr.context = { patient: '8' };
    const client = anonymous(app);
    expect(await launch(client)).toBe(`/ehr/patients/${listing.id}_0`);
    expect((await client.call('GET /api/me', {})).defaultTeam).toBe(other.id);
  });

  test('opens the inbox rather than a patient who may be someone else', async () => {
    await app.make.rosterPatient({ groupId: program.id, memberId: 'M-born-else' });
    for (const groupId of [hospital.id, program.id]) await app.make.rosterPatient({ groupId, memberId: 'M-twice' });
    await app.make.rosterPatient({ memberId: 'M-of-others' });
    await app.make.rosterPatient({ groupId: program.id, memberId: 'M-nameless' });
    const patients = [
      patient('born', 'M-born-else', '1950-01-01'),
      patient('year', 'M-born-else', '1941'),
      patient('twice', 'M-twice'),
      patient('others', 'M-of-others'),
      { ...patient('nameless', 'M-nameless'), identifier: [{ value: 'M-nameless' }] },
    ];
    for (const each of patients) {
      ehr.resources.set(`Patient/${each.id}`, each);
      ehr.context = { patient: each.id };
      const client = anonymous(app);
      expect([each.id, await launch(client)]).toEqual([each.id, '/ehr/inbox']);
      expect((await client.call('GET /api/me', {})).user.patientId).toBeNull();
    }
  });
});

describe('a launch is refused', () => {
  test('from a server that is not connected, or no longer; nothing is requested from it', async () => {
    expect(await launch(anonymous(app), { iss: 'https://evil.test/fhir' })).toBe(REFUSED);
    const stranger = await startEhr();
    expect(await launch(anonymous(app), { iss: stranger.url })).toBe(REFUSED);
    expect(stranger.asked).toEqual([]);
    await connect(app, admin, { kind: 'SMART', issuer: stranger.url, isEnabled: false });
    expect(await launch(anonymous(app), { iss: stranger.url })).toBe(REFUSED);
    expect(stranger.asked).toEqual([]);
    await stranger.close();
  });

  test('if another browser brings the answer', async () => {
    const query = new URLSearchParams({ iss: ehr.url, launch: '1' });
    const victim = anonymous(app);
    const start = (await anonymous(app).fetch(`/api/ehr/launch?${query.toString()}`)).headers.get('location') ?? '';
    await victim.fetch(`/api/ehr/launch?${query.toString()}`);
    const back = (await fetch(start, { redirect: 'manual' })).headers.get('location');
    expect((await victim.fetch(pathOf(back))).headers.get('location')).toBe(REFUSED);
  });

  test('for an unknown user', async () => {
    ehr.claims = { sub: 'ehr user 2', fhirUser: `${ehr.url}/Practitioner/2` };
    expect(await launch(anonymous(app))).toBe(REFUSED);
  });

  test('with a wrong token', async () => {
    expect(await launch(anonymous(app))).toBe('/ehr/inbox');
    for (const wrong of [{ iss: 'https://evil.test' }, { aud: 'another' }, { nonce: 'another' }]) {
      ehr.claims = { sub: 'ehr user 1', ...wrong };
      expect(await launch(anonymous(app))).toBe(REFUSED);
    }
  });

  test('if the patient cannot be read, is another one, or has an id that points elsewhere', async () => {
    ehr.claims = { sub: 'ehr user 1' };
    ehr.resources.set('Patient/5', patient('6', 'M-5'));
    for (const id of ['4', '5', '../Practitioner/9', 'x?y']) {
      ehr.context = { patient: id };
      expect(await launch(anonymous(app))).toBe(REFUSED);
    }
    expect(ehr.asked.filter((each) => each.startsWith('GET /Practitioner'))).toEqual([]);
  });

  test('if the user’s record is on another server; the token is not sent there', async () => {
    const stranger = await startEhr();
    ehr.claims = { sub: 'ehr user 3', fhirUser: `${stranger.url}/Practitioner/9` };
    expect(await launch(anonymous(app))).toBe(REFUSED);
    expect(stranger.asked).toEqual([]);
    await stranger.close();
  });
});

describe('in a frame', () => {
  const policyOf = async (path: string, client = anonymous(app)) => {
    const { headers } = await client.fetch(path);
    const policy = headers.get('content-security-policy') ?? '';
    return { ancestors: /frame-ancestors ([^;]*)/.exec(policy)?.[1], frameOptions: headers.get('x-frame-options') };
  };
  const FORBIDDEN = { ancestors: "'none'", frameOptions: 'DENY' };
  const OURS = { ancestors: 'http://ehr.test:8443', frameOptions: null };
  const setEnabled = (isEnabled: boolean) =>
    app.database.owner.query('update sso_connections set is_enabled = $2 where id = $1', [connection.id, isEnabled]);

  test('the EHR that launched a session may show its pages, and no other EHR', async () => {
    await connect(app, admin, {
      kind: 'SMART',
      issuer: 'http://127.0.0.1:9',
      allowedOrigins: ['http://other-ehr.test'],
    });
    const client = anonymous(app);
    expect(await policyOf('/ehr/inbox', client)).toEqual(FORBIDDEN);
    await launch(client);
    for (const path of ['/ehr/inbox', '/ehr/patients/1_2', '/sso-timeout'])
      expect(await policyOf(path, client)).toEqual(OURS);
    expect(await policyOf('/ehr/inbox')).toEqual(FORBIDDEN);
    await setEnabled(false);
    expect(await policyOf('/ehr/inbox', client)).toEqual(FORBIDDEN);
    await setEnabled(true);
  });

  test('no one shows sign-in pages, calls, or the pages of a session that no EHR launched', async () => {
    const launched = anonymous(app);
    await launch(launched);
    for (const path of ['/', '/login', '/login?x=/ehr/', '/password/set', '/registration', '/dashboard/admin/users'])
      expect([path, await policyOf(path, launched)]).toEqual([path, FORBIDDEN]);
    expect((await policyOf('/api/application-info', launched)).ancestors).toBe("'none'");
    expect(await policyOf('/ehr/inbox', admin)).toEqual(FORBIDDEN);
  });

  test('a failed launch leads to a page that its EHR alone may show', async () => {
    ehr.claims = { sub: 'ehr user 4' };
    const headers = { 'sec-fetch-dest': 'iframe' };
    const failed = (await launch(anonymous(app), { headers })) ?? '';
    expect(failed).toMatch(/^\/launch-failed\?error=SSO_ERROR&connection=[\da-f-]{36}$/);
    expect(await policyOf(failed)).toEqual(OURS);
    const unknown = (await launch(anonymous(app), { iss: 'https://evil.test/fhir', headers })) ?? '';
    expect(unknown).toBe('/launch-failed?error=SSO_ERROR&connection=');
    expect(await policyOf(unknown)).toEqual(FORBIDDEN);
  });
});
