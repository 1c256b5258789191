/** What a canceled event is called where the card of the stay shows it with another event, from the messages to the inbox. */
import { expect, test } from 'vitest';
import { type CallError, startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

/** Returns the headline of the stay's card, and the reason with it. */
async function shown({ patient }: Awaited<ReturnType<typeof storyScene>>, visit: string): Promise<string[]> {
  const { card, currentPingEncounter: stay } = await patient(visit);
  const headline = stay?.pings.find(({ eventIdentifier }) => eventIdentifier === card?.headline.eventIdentifier);
  return [headline?.status ?? '', card?.headline.reason?.label ?? ''];
}

test('a canceled event is named where the stay shows another one', async () => {
  const scene = await storyScene(app);
  const { facility, before } = scene;
  const mercy = await facility();
  const died = { disposition: '20', discharged: before(2, '2246') };
  const one = { visit: await mercy.stay(before(5), before(2, '2246'), died), admitted: before(5) };
  expect(await shown(scene, one.visit)).toEqual(['DECEASED', 'Patient died']);
  await mercy.send('A13', before(2, '2300'), one);
  expect(await shown(scene, one.visit)).toEqual(['ADMIT', 'Death retracted']);
});

test('what is resolved with the rest of a stay is dismissed where it was retracted, and can only be dismissed by itself', async () => {
  const scene = await storyScene(app);
  const { facility, before, patient, client } = scene;
  const mercy = await facility();
  const one = { visit: await mercy.stay(before(5), before(2)), admitted: before(5) };
  await mercy.send('A13', before(2, '2300'), one);
  const { id, card } = await patient(one.visit);
  const open = (card?.open ?? []).map(({ eventIdentifier }) => eventIdentifier);
  const resolve = (eventIdentifiers: string[]) =>
    client.call('POST /api/patients/:id/events/management-status/bulk', {
      params: { id },
      body: { eventIdentifiers, status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT'] },
    });
  const statuses = async () =>
    ((await patient(one.visit)).currentPingEncounter?.pings ?? [])
      .map(({ status, state, currentManagementStatus: { status: now, resolutions } }) =>
        [status, state, now, ...resolutions].join(' '),
      )
      .toSorted();
  await resolve(open);
  const done = ['ADMIT ACTIVE RESOLVED CONTACTED_PATIENT', 'DISCHARGE CANCELLED DISMISSED'];
  expect(await statuses()).toEqual(done);
  // The retracted one comes last.
  const retracted = open.slice(-1);
  const refused = await resolve(retracted).catch((error: unknown) => error);
  expect((refused as CallError).body).toMatchObject({
    errorKey: 'PING_RETRACTED',
    message: 'The event was retracted, so its ping can only be dismissed.',
  });
  expect(await statuses()).toEqual(done);
});

test('a retracted event among many stays is refused for itself, and harms no other one', async () => {
  const scene = await storyScene(app);
  const { facility, before, patient, client } = scene;
  const mercy = await facility();
  const canceled = { visit: await mercy.stay(before(5), before(2)), admitted: before(5) };
  await mercy.send('A11', before(2, '2300'), canceled);
  const other = await mercy.stay(before(9), before(7));
  const open = async (visit: string) => {
    const { id, card } = await patient(visit);
    return {
      patientId: id,
      eventIdentifiers: (card?.open ?? []).map(({ eventIdentifier }) => eventIdentifier),
      expectedStatusIds: (card?.open ?? []).map(({ statusId }) => statusId),
    };
  };
  const outcomes = await client.call('POST /api/stays/management-status', {
    body: {
      stays: [await open(canceled.visit), await open(other)],
      status: 'RESOLVED',
      resolutions: ['CONTACTED_PATIENT'],
    },
  });
  expect(outcomes.map(({ statusIds, refused }) => [statusIds !== null, refused?.errorKey])).toEqual([
    [false, 'PING_RETRACTED'],
    [true, undefined],
  ]);
});

test('a stay that was resolved before its discharge was canceled is back, and says why and who had closed it', async () => {
  const scene = await storyScene(app);
  const { facility, before, patient, client } = scene;
  const mercy = await facility();
  const one = { visit: await mercy.stay(before(5), before(2)), admitted: before(5) };
  const { id, card } = await patient(one.visit);
  await client.call('POST /api/patients/:id/events/management-status/bulk', {
    params: { id },
    body: {
      eventIdentifiers: (card?.open ?? []).map(({ eventIdentifier }) => eventIdentifier),
      status: 'RESOLVED',
      resolutions: ['CONTACTED_PATIENT'],
    },
  });
  expect((await patient(one.visit)).card).toMatchObject({ status: 'RESOLVED', reopened: null });
  await mercy.send('A13', before(2, '2300'), one);
  expect((await patient(one.visit)).card).toMatchObject({
    status: 'NEW',
    reopened: { date: expect.any(String), closedBy: 'Ama Osei', why: 'The sender retracted the event.' },
  });
});

test('a discharge, an admission and a transfer are named with their time', async () => {
  const scene = await storyScene(app);
  const { facility, before } = scene;
  const mercy = await facility();
  const one = { visit: await mercy.stay(before(5), before(2, '2246')), admitted: before(5) };
  await mercy.send('A13', before(2, '2300'), one);
  expect(await shown(scene, one.visit)).toEqual(['ADMIT', 'Discharge of 11/18/2026 10:46 PM ET canceled']);
  const two = { visit: 'V-20', admitted: before(1, '0800'), patientClass: 'E' };
  await mercy.send('A04', before(1, '0800'), two);
  await mercy.send('A01', before(1, '1200'), { ...two, patientClass: 'I', admitted: before(1, '1200') });
  await mercy.send('A11', before(1, '1300'), { ...two, patientClass: 'I', admitted: before(1, '1200') });
  expect(await shown(scene, two.visit)).toEqual(['PRESENTED', 'Admission of 11/19/2026 12:00 PM ET canceled']);
  const three = { visit: 'V-30', admitted: before(1, '1400') };
  await mercy.send('A01', before(1, '1400'), three);
  await mercy.send('A02', before(1, '1500'), { ...three, unit: 'ICU' });
  await mercy.send('A12', before(1, '1600'), { ...three, unit: '3W' });
  expect(await shown(scene, three.visit)).toEqual(['ADMIT', 'Transfer of 11/19/2026 03:00 PM ET canceled']);
});

test('a canceled admission takes its discharge with it: the card is about the admission, and the stay has no end and no length', async () => {
  const scene = await storyScene(app);
  const { facility, before } = scene;
  const mercy = await facility();
  const one = { visit: await mercy.stay(before(5), before(3), { disposition: '20' }), admitted: before(5) };
  await mercy.send('A11', before(3, '1300'), one);
  expect(await shown(scene, one.visit)).toEqual(['ADMIT', 'Admission of 11/15/2026 09:00 AM ET canceled']);
  expect((await scene.patient(one.visit)).currentPingEncounter).toMatchObject({
    status: 'CANCELLED',
    dischargedDate: null,
    dischargeTo: null,
    dischargeDisposition: null,
    lengthOfStay: null,
    visitDuration: null,
  });
});

test('an earlier stay says where the person is now, unless the stay shown is the present one', async () => {
  const scene = await storyScene(app);
  const { facility, before, patient } = scene;
  const [mercy, brendan] = [await facility(), await facility('HOS', 'HOS', { name: 'St. Brendan' })];
  const earlier = await mercy.stay(before(9), before(5));
  expect((await patient(earlier)).nowAt).toBeUndefined();
  await brendan.send('A01', before(1), { visit: 'V-now', admitted: before(1) });
  const since = '2026-11-19T14:00:00Z';
  expect((await patient(earlier)).nowAt).toMatchObject({ facilityName: 'St. Brendan', setting: 'INPATIENT', since });
  expect((await patient('V-now')).nowAt).toBeUndefined();
});
