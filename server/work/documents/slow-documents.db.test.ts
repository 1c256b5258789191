/** Files that take long to read are read in threads, and offered as a download if they take too long. */
import { afterAll, expect, test } from 'vitest';
import { createLog } from '#server/platform/http/log.ts';
import { TaskEndedError, TaskThreads } from '#server/platform/threads/task-threads.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { ccda, mdm } from '#server/testing/documents.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const threads = new TaskThreads({
  name: 'readings',
  file: new URL('../../reading-thread.ts', import.meta.url),
  log: createLog('silent'),
});
afterAll(() => threads.stop());
/** Whose tasks were run; with `isStuck`, all take too long. */
const asked: string[] = [];
let isStuck = false;
const app = await startApp({
  runTask: (userId, task) => {
    asked.push(userId);
    return isStuck ? Promise.reject(new TaskEndedError('too long')) : threads.run(userId, task);
  },
});
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
const AT = '202611200900';

async function scene() {
  const person = newPerson();
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const code = `SLOW${facility.id}`;
  await hosp.feed(organizationId, { [code]: facility.id });
  const program = await make.group({ organizationId: (await make.organization()).id });
  const team = await make.team({ organizationId: program.organizationId, groupIds: [program.id] });
  const listing = await hosp.list(program.id, person);
  const user = await make.user({ team, role: 'clinician' });
  const theirs = await signIn(app, user.username);
  const parts = { facility: code, record: `R-${code}`, person, visit: `V-${code}` };
  await hosp.send(adt('A01', { ...parts, at: AT, sentAt: AT }));
  const send = (content: string, number: string) => hosp.send(mdm('T02', { ...parts, sentAt: AT, content, number }));
  const id = `${listing}_0`;
  const uuidOf = async (kind: string) => {
    const all = await theirs.call('GET /api/ccd/:id/ccds', { params: { id } });
    return all.find((each) => each.kind === kind)?.uuid ?? '';
  };
  const open = async (kind: string) =>
    theirs.call('GET /api/patients/:id/documents/:uuid', { params: { id, uuid: await uuidOf(kind) } });
  const text = async (path: string) => (await theirs.fetch(path)).text();
  return { ...parts, id, user, theirs, send, open, uuidOf, text };
}

test('documents, their text and their pages are read in threads, each for its user', async () => {
  const s = await scene();
  const { person, record, user } = s;
  const before = ccda({ record, person, medications: ['Furosemide 20 mg'], writtenAt: '202611181200', number: 'A' });
  await s.send(before, 'A');
  await s.send(ccda({ record, person, medications: ['Furosemide 40 mg'], type: '18842-5', number: 'B' }), 'B');
  await s.send(String.raw`{\rtf1 \u8364?50 and it\'92s paid\par}`, 'C');
  asked.length = 0;
  expect(await s.open('RTF')).toMatchObject({ text: '€50 and it’s paid', document: null });
  expect(await s.open('CCDA')).toMatchObject({
    document: { sections: [{ entries: [{ name: 'Furosemide 40 mg' }] }] },
    medicationChanges: { changes: [{ change: 'ADDED' }, { change: 'REMOVED', name: 'Furosemide 20 mg' }] },
  });
  const page = await s.text(`/api/ccd/${s.id}/discharge-summary?uuid=${await s.uuidOf('CCDA')}`);
  expect(page).toContain('Furosemide 40 mg');
  expect(asked).toEqual([user.id, user.id, user.id]);
});

test('a document that takes too long to read is offered as a download, with why', async () => {
  const s = await scene();
  await s.send(ccda({ record: s.record, person: s.person, medications: ['Furosemide 40 mg'], type: '18842-5' }), 'A');
  isStuck = true;
  try {
    const opened = await s.open('CCDA');
    expect(opened).toMatchObject({ document: null, text: null, medicationChanges: null });
    expect(opened.entry.problem).toContain('took too long, so it was stopped and is not shown here. Download it');
    const page = await s.text(`/api/ccd/${s.id}/discharge-summary?uuid=${opened.entry.uuid}`);
    expect(page).toContain('took too long');
    const file = await s.text(`/api/patients/${s.id}/documents/${opened.entry.uuid}/file?original=true`);
    expect(file).toContain('Furosemide 40 mg');
  } finally {
    isStuck = false;
  }
});
