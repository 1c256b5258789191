/** Residents of nursing facilities who come back from the hospital, from the messages to the lists of current stays and the banner. */
import { expect, test, vi } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { filtering, patients } from '#server/testing/search.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

async function resident() {
  const scene = await storyScene(app);
  const [mercy, oak] = [await scene.facility(), await scene.facility('SNF', 'SNF', { name: 'Oak Hollow' })];
  const stayAtOak = await oak.stay(scene.before(19), null);
  const lengthOfStay = filtering({ groupType: 'SNF', lengthOfStay: '0:100' }, { openPatientsOnly: true });
  const current = async (filters = filtering({}, { openPatientsOnly: true })) =>
    (await patients(scene.client, filters)).patients.map(({ currentPing, currentPingEncounter: stay }) => [
      stay?.admittingFacility.type,
      stay?.status,
      stay?.lengthOfStay,
      currentPing?.status,
    ]);
  return { ...scene, mercy, oak, stayAtOak, current, lengthOfStay };
}

test('a resident whom the hospital discharged is among the current stays again, and her row is about the nursing facility', async () => {
  const { mercy, current, lengthOfStay, before, client } = await resident();
  const at = { visit: 'V-mercy', admitted: before(9) };
  await mercy.send('A01', before(9), at);
  await vi.waitFor(async () => expect(await current()).toEqual([['HOS', 'IN_PROGRESS', 9, 'ADMIT']]), 20_000);
  expect(await current(lengthOfStay)).toEqual([]);
  await mercy.send('A03', before(4), { ...at, discharged: before(4), disposition: '03' });
  const atOak = ['SNF', 'IN_PROGRESS', 19, 'ADMIT'];
  await vi.waitFor(async () => expect(await current(lengthOfStay)).toEqual([atOak]), 20_000);
  expect(await current()).toEqual([atOak]);
  const file = await client.fetch('/api/export/patient-active-encounters?searchContext=ALL');
  expect(await file.text()).toContain('Oak Hollow');
});

test('the hospital stay says that the resident is back, but not while she is in hospital or on leave', async () => {
  const { mercy, oak, stayAtOak, patient, before } = await resident();
  const at = { visit: 'V-mercy', admitted: before(9) };
  await mercy.send('A01', before(9), at);
  expect((await patient('V-mercy')).nowAt).toBeUndefined();
  expect((await patient(stayAtOak)).nowAt).toMatchObject({ setting: 'INPATIENT' });
  await mercy.send('A03', before(4), { ...at, discharged: before(4), disposition: '03' });
  expect((await patient('V-mercy')).nowAt).toMatchObject({ facilityName: 'Oak Hollow', setting: 'SNF' });
  expect((await patient(stayAtOak)).nowAt).toBeUndefined();
  await oak.send('A21', before(3), { visit: stayAtOak, admitted: before(19) });
  expect((await patient('V-mercy')).nowAt).toBeUndefined();
});

test('a resident who died at the hospital is no current stay', async () => {
  const { mercy, current, client, before } = await resident();
  await mercy.stay(before(9), before(4), { disposition: '20' });
  const shown = async () => (await patients(client, {})).patients.map(({ currentPing: ping }) => ping?.status);
  await vi.waitFor(async () => expect(await shown()).toEqual(['DECEASED']), 20_000);
  expect(await current()).toEqual([]);
});
