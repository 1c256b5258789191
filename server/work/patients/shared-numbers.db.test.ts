/** Hospitals that number their patients together, and senders without visit numbers: from the messages to the pages of the patient's team. */
import { expect, test, vi } from 'vitest';
import { signIn, startApp } from '#server/testing/app.ts';
import { type AdtParts, adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { filtering } from '#server/testing/search.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);

/** The search follows changes; the first search also starts its thread. */
const soon = (look: () => Promise<void>) => vi.waitFor(look, 20_000);

/** Two hospitals with one feed, Elm and Oak, and a team that lists the patient MR-1. */
async function scene() {
  const [elm, oak] = [await make.group({ type: 'HOS', name: 'Elm' }), await make.group({ type: 'HOS', name: 'Oak' })];
  const [atElm, atOak] = [`F-${elm.id}`, `F-${oak.id}`];
  await hosp.feed(elm.organizationId, { [atElm]: elm.id, [atOak]: oak.id });
  const team = await make.team();
  const [program = ''] = team.groupIds;
  const client = await signIn(app, (await make.user({ team })).username);
  const person = newPerson();
  const listing = await hosp.list(program, person);
  const message = (trigger: string, at: string, more: Partial<AdtParts> = {}) =>
    adt(trigger, {
      at,
      record: 'MR-1',
      visit: '',
      facility: atElm,
      authority: 'SYSTEM',
      priorAuthority: 'System',
      person,
      ...more,
    });
  /** Returns the rows of the inbox, such as 'Oak DISCHARGE', and the stays on the patient's page. */
  const shown = async () => {
    const { patients } = await client.call('POST /api/pings', { body: filtering({ managementStatus: 'NEW' }) });
    const rows = patients.map((patient) => `${patient.currentPing?.facility?.name} ${patient.currentPing?.status}`);
    const ids = patients.map(({ id }) => id);
    const pages = await Promise.all(ids.map((id) => client.call('GET /api/patients/:id', { params: { id } })));
    return { rows: rows.sort(), isOnePatient: pages.every(({ id }) => id.startsWith(`${listing}_`)), pages };
  };
  return { message, shown, oak: { placedAt: atOak } };
}

test('the team of the surviving patient has the stay at the other hospital in its inbox', async () => {
  const { message, shown, oak } = await scene();
  await hosp.send(
    message('A40', '202611200800', { priorRecord: 'MR-2', person: undefined }),
    message('A01', '202611200830', { ...oak, record: 'MR-2', visit: 'V-2', person: undefined }),
  );
  expect((await shown()).rows).toEqual([]);
  await hosp.send(message('A08', '202611200840', { noVisit: true }));
  await soon(async () => expect(await shown()).toMatchObject({ rows: ['Oak ADMIT'], isOnePatient: true }));
  await hosp.send(message('A03', '202611200900', { ...oak, visit: 'V-2', discharged: '202611200900' }));
  await soon(async () => expect(await shown()).toMatchObject({ rows: ['Oak DISCHARGE'], isOnePatient: true }));
});

test('a death without a PV1 is on the row of the stay at the other hospital', async () => {
  const { message, shown, oak } = await scene();
  await hosp.send(
    message('A01', '202611200830', { ...oak, visit: 'V-2' }),
    message('A31', '202611200900', { noVisit: true, deceased: true }),
  );
  await soon(async () => {
    const { rows, pages } = await shown();
    expect(rows).toEqual(['Elm DECEASED', 'Oak DECEASED']);
    expect(pages.map(({ deceased }) => deceased)).toEqual([true, true]);
  });
});

test('a transfer of a sender that has account numbers only is one discharge and one admission', async () => {
  const { message, shown, oak } = await scene();
  const own = { account: 'A-701', admitted: '202611200830' };
  await hosp.send(message('A01', '202611200830', own), message('A02', '202611200900', { ...own, ...oak }));
  await soon(async () => {
    const { rows, pages } = await shown();
    expect(rows).toEqual(['Elm DISCHARGE', 'Oak ADMIT']);
    expect(new Set(pages.map(({ currentPingEncounter: stay }) => stay?.dischargeTo))).toEqual(new Set(['Oak', null]));
  });
});

test('an ED visit over midnight of a sender without visit numbers is one row', async () => {
  const { message, shown } = await scene();
  const own = { patientClass: 'E' };
  await hosp.send(
    message('A04', '202611192350', own),
    message('A08', '202611200020', { ...own, admitted: '202611200005' }),
    message('A01', '202611200600', { admitted: '202611200600' }),
    message('A03', '202611200900', { admitted: '202611200600', discharged: '202611200900' }),
  );
  await soon(async () => {
    const { rows, pages } = await shown();
    expect(rows).toEqual(['Elm DISCHARGE']);
    const statuses = pages[0]?.currentPingEncounter?.pings.map(({ status }) => status);
    expect(statuses).toEqual(['DISCHARGE', 'ADMIT', 'PRESENTED']);
  });
});
