/** Discharge summaries: who sees them, and the page that shows one. */
import { expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { ccda, mdm } from '#server/testing/documents.ts';
import { adt, hospital, type TestPerson } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
let count = 0;

const HOSTILE = `<component><section><title>Course &lt;script&gt;alert(1)&lt;/script&gt;</title><text>
  <paragraph onclick="x" style="background:url(http://127.0.0.1:1/)">Stable &lt;img src=x onerror=alert(2)&gt;</paragraph>
  <linkHtml href="javascript:alert(3)">Link</linkHtml><script>alert(4)</script></text></section></component>`;

/** A person in a hospital, whose discharge summary a program's team may see. */
async function scene(removed: Permission[] = [], over: Partial<TestPerson> = {}) {
  const code = `DISCH${++count}`;
  const person = newPerson();
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  await hosp.feed(organizationId, { [code]: facility.id });
  const { id: programOrganization } = await make.organization();
  const program = await make.group({ organizationId: programOrganization });
  const team = await make.team({ organizationId: programOrganization, groupIds: [program.id] });
  const listing = await hosp.list(program.id, person);
  const client = await signIn(app, (await make.user({ team, role: 'clinician', removed })).username);
  const visit = `V-${count}`;
  await hosp.send(adt('A01', { at: '202611200900', record: 'R', person, facility: code, visit }));
  const content = ccda({
    record: 'R',
    person: { ...person, ...over },
    type: '18842-5',
    title: 'Discharge summary',
    medications: ['Aspirin'],
    sections: HOSTILE,
  });
  await hosp.send(mdm('T02', { facility: code, record: 'R', person, visit, content }));
  const { rows } = await database.pipeline.query<{ id: string; uuid: string }>(
    'select encounter_id::text as id, uuid from documents where group_id = $1',
    [facility.id],
  );
  const message = { facility: code, record: 'R', person, visit };
  return {
    client,
    team,
    person,
    message,
    id: `${listing}_0`,
    encounterId: rows[0]?.id ?? '',
    uuid: rows[0]?.uuid ?? '',
  };
}

test('visits name their discharge summary, and it is a page from our own model under a policy that forbids everything', async () => {
  const { client, team, id, encounterId, uuid } = await scene();
  const info = await client.call('GET /api/ccd/:id/discharge-info', {
    params: { id },
    query: { encounterId: [encounterId, '999'] },
  });
  expect(info).toEqual([
    { encounterId, dischargeSummaryUuid: uuid, ccdUuid: null },
    { encounterId: '999', dischargeSummaryUuid: null, ccdUuid: null },
  ]);
  const answers = [
    await client.fetch(`/api/ccd/${id}/discharge-summary?uuid=${uuid}`),
    await client.fetch(`/api/patients/${id}/encounters/${encounterId}/discharge-summary?teamId=${team.id}`),
  ];
  for (const answer of answers) {
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; sandbox;/);
    const html = await answer.text();
    expect(html).toContain('Aspirin');
    expect(html).toContain('Course &lt;script&gt;alert(1)');
    expect(html).not.toMatch(/<script|<img|<a |href=|onclick|style=|javascript:|alert\(4\)/);
  }
});

test.each<Permission>(['canViewCcdDischargeInfo', 'canViewDischargeSummaries'])(
  'without %s of the patient’s group there are none, neither here nor among the documents',
  async (flag) => {
    const { client, id, encounterId, uuid } = await scene([flag]);
    const info = await errorOf(client, 'GET /api/ccd/:id/discharge-info', {
      params: { id },
      query: { encounterId: [encounterId] },
    });
    expect(info.errorKey).toBe('NOT_PERMITTED');
    expect((await client.fetch(`/api/ccd/${id}/discharge-summary?uuid=${uuid}`)).status).toBe(403);
    expect(await client.call('GET /api/ccd/:id/ccds', { params: { id } })).toEqual([]);
  },
);

test('the page says whom the document is about, with a caution if that isn’t the patient', async () => {
  const own = await scene();
  const page = async ({ client, id, uuid }: Pick<typeof own, 'client' | 'id' | 'uuid'>) =>
    (await client.fetch(`/api/ccd/${id}/discharge-summary?uuid=${uuid}`)).text();
  const html = await page(own);
  const [year, month, day] = own.person.birthDate.split('-');
  expect(html).toContain(
    `About <strong>${own.person.family}, ${own.person.given}, born ${month}/${day}/${year}</strong>`,
  );
  expect(html).not.toContain('differs');
  const other = await page(await scene([], { given: 'Wilhelmina' }));
  expect(other).toContain(`, Wilhelmina, born `);
  expect(other).toContain('The name in this document differs from this patient&#39;s.');
});

test('a clinical document that can’t be read doesn’t hide the visit’s readable one', async () => {
  const { client, id, encounterId, uuid, message, person } = await scene();
  const content = ccda({ record: 'R', person, writtenAt: '202611200930', title: 'Readable' });
  const broken = content.replace('</recordTarget>', '').replace('Readable', 'Broken');
  const ccdUuid = async () => {
    const query = { encounterId: [encounterId] };
    const [info] = await client.call('GET /api/ccd/:id/discharge-info', { params: { id }, query });
    return info?.ccdUuid;
  };
  const ofStory = async () =>
    (await client.call('GET /api/patients/:id/encounters', { params: { id }, query: {} })).encounters[0]?.ccdUuid;
  const titled = async (title: string) => {
    const all = await client.call('GET /api/ccd/:id/ccds', { params: { id } });
    return all.find((each) => each.title === title)?.uuid;
  };
  await hosp.send(mdm('T02', { ...message, number: 'B', type: 'PR', content: broken, sentAt: '202611301230' }));
  const unreadable = await titled('Progress note');
  expect(unreadable).toBeDefined();
  expect(await ccdUuid()).toBe(unreadable);
  expect(await ofStory()).toBe(uuid);
  await hosp.send(mdm('T02', { ...message, number: 'A', type: 'PR', content }));
  const readable = await titled('Readable');
  expect(readable).toBeDefined();
  expect(await ccdUuid()).toBe(readable);
  expect(await ofStory()).toBe(uuid);
});

test('the page of a text wraps its long lines, and keeps the layout of short ones', async () => {
  const { client, id, message } = await scene();
  const long = `Came in <dizzy> ${'and stayed '.repeat(12)}`.trim();
  for (const [text, shown] of [
    [long, `<p>${long.replace('<dizzy>', '&lt;dizzy&gt;')}<br>Home.</p>`],
    ['Name    Dose', '<pre>Name    Dose\nHome.</pre>'],
  ] as const) {
    await hosp.send(mdm('T02', { ...message, number: text.slice(0, 4), content: `${text}\nHome.` }));
    const texts = (await client.call('GET /api/ccd/:id/ccds', { params: { id } })).filter(
      ({ kind }) => kind === 'TEXT',
    );
    const pages = await Promise.all(
      texts.map(async ({ uuid }) => (await client.fetch(`/api/ccd/${id}/discharge-summary?uuid=${uuid}`)).text()),
    );
    expect(pages.filter((html) => html.includes(shown))).toHaveLength(1);
  }
});

test('a user who left the feature gets none', async () => {
  const { client, id, uuid } = await scene();
  await client.call('POST /api/alpha/opt-out', { query: { feature: 'DISCHARGE_SUMMARY_MIHIN' } });
  expect((await client.fetch(`/api/ccd/${id}/discharge-summary?uuid=${uuid}`)).status).toBe(403);
  expect((await client.call('GET /api/patients/:id', { params: { id } })).ccdExistsForAnyEncounter).toBe(false);
});
