/** 42 CFR Part 2 on open pages: what a facility may not disclose sends nothing, not even that something changed. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { listen } from '#server/testing/live.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database, clock } = app;
const { pipeline: db } = database;
const hosp = hospital(database, clock.now, make);

async function coordinator() {
  const team = await make.team();
  const { username } = await make.user({ team, role: 'care coordinator' });
  return { program: team.groupIds[0] ?? '', client: await signIn(app, username) };
}

/** Returns once the streams have sent what was committed before: changed rows of all of them are looked up at the same moment. */
async function sent(): Promise<void> {
  const { program, client } = await coordinator();
  const stream = await listen(client);
  await stream.next('counts');
  await make.rosterPatient({ groupId: program });
  await stream.next('rows');
}

/** Opens the stream of a user. `news` returns the kinds of events since its last call. */
async function open(client: Client) {
  const stream = await listen(client);
  await stream.next('counts');
  let read = 0;
  const news = async () => {
    await sent();
    const heard = stream.heard().filter((kind) => kind !== 'alive');
    const since = heard.slice(read);
    read = heard.length;
    return [...new Set(since)].toSorted();
  };
  await news();
  return { news };
}

/** Counts of the team's own inbox follow changed rows a moment later. */
const besidesCounts = (kinds: readonly string[]): string[] => kinds.filter((kind) => kind !== 'counts');

/** A hospital that sends messages about someone whom two teams list. */
async function scene() {
  const facility = await make.group({ type: 'HOS' });
  const code = `F-${facility.id}`;
  await hosp.feed(facility.organizationId, { [code]: facility.id });
  const person = newPerson();
  const teams = [await coordinator(), await coordinator()] as const;
  for (const { program } of teams) await hosp.list(program, person);
  await sent();
  const [mine, theirs] = [await open(teams[0].client), await open(teams[1].client)];
  const send = (trigger: string, at: string) =>
    hosp.send(adt(trigger, { at, record: 'MR-1', visit: 'V-1', facility: code, person, admitted: '202611200900' }));
  const mark = () => db.query(sql`update groups set is_part2_facility = true where id = ${facility.id}`);
  /** The person consents to disclosure to the second team. */
  const consent = () =>
    db.query(sql`
      insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
      select person_id, ${facility.id}, group_id, ${clock.now()} from roster_patients where group_id = ${teams[1].program}`);
  const end = () =>
    db.query(sql`update consents set ended_at = ${clock.now()} where facility_group_id = ${facility.id}`);
  return { mine, theirs, send, mark, consent, end };
}

test('a message about a visit that Part 2 hides sends a team nothing; a team with a consent gets the ping', async () => {
  const { mine, theirs, send, mark, consent } = await scene();
  await send('A01', '202611200900');
  for (const { news } of [mine, theirs]) expect(await news()).toEqual(['counts', 'ping', 'rows']);
  await mark();
  await consent();
  expect(besidesCounts(await mine.news())).toEqual(['reload']);
  expect(besidesCounts(await theirs.news())).toEqual(['reload', 'rows']);
  await send('A11', '202611200920');
  expect(await theirs.news()).toEqual(['counts', 'ping', 'rows']);
  expect(await mine.news()).toEqual([]);
});

test('only the recipient’s pages are notified of a consent and of its end', async () => {
  const { mine, theirs, send, mark, consent, end } = await scene();
  await mark();
  await send('A01', '202611200900');
  for (const { news } of [mine, theirs]) expect(await news()).toEqual(['reload']);
  for (const change of [consent, end]) {
    await change();
    expect(besidesCounts(await theirs.news())).toEqual(['rows']);
    expect(await mine.news()).toEqual([]);
  }
});
