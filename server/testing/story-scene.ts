/** The scene of tests that send messages about one patient and read the patient's pages: a team that lists the patient, and facilities. */
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { StoryEncounter } from '#contract/story.ts';
import { signIn, type TestApp } from './app.ts';
import { type AdtParts, adt, hospital, type TestPerson } from './hospital.ts';
import { newPerson } from './pipeline-scene.ts';

/** Fields of a message by place, and segments to add: { 'PV1-14': '4', DG1: 'DG1|1||O80^Delivery^I10||F' }. */
export type Fields = Readonly<Record<string, string>>;

export interface StoryFacility {
  id: string;
  send: (trigger: string, at: string, more?: Partial<AdtParts>, fields?: Fields) => Promise<string>;
  /** Sends a stay that began and, with `to`, ended then, at home unless `more` says otherwise. Returns its visit number. */
  stay: (from: string, to: string | null, more?: Partial<AdtParts>, fields?: Fields) => Promise<string>;
}

/** Returns a local time `days` before the test's today, as YYYYMMDDHHMM. */
export const daysBefore = ({ clock }: TestApp, days: number, time = '0900'): string =>
  new Date(clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '') + time;

export async function storyScene(app: TestApp, over: Partial<TestPerson> = {}) {
  const { make, database, clock } = app;
  const hosp = hospital(database, clock.now, make);
  const team = await make.team();
  const client = await signIn(app, (await make.user({ team })).username);
  const person = newPerson(over);
  const groupId = team.groupIds[0] ?? '';
  const listing = await hosp.list(groupId, person);
  let visits = 0;

  async function facility(
    type: GroupType = 'HOS',
    facilityType: FacilityType = 'HOS',
    columns: object = {},
  ): Promise<StoryFacility> {
    const group = await make.group({ type, facilityType, ...columns });
    const code = `F-${group.id}`;
    await hosp.feed(group.organizationId, { [code]: group.id });
    const send: StoryFacility['send'] = (trigger, at, more = {}, fields = {}) =>
      hosp.send(withFields(adt(trigger, { at, record: `MR-${group.id}`, facility: code, person, ...more }), fields));
    const stay: StoryFacility['stay'] = async (from, to, more = {}, fields = {}) => {
      visits += 1;
      const of = { visit: `V-${visits}`, admitted: from, ...more };
      await send('A01', from, of, fields);
      if (to !== null) await send('A03', to, { disposition: '01', discharged: to, ...of }, fields);
      return of.visit;
    };
    return { id: group.id, send, stay };
  }

  const params = { id: `${listing}_0` };
  /** Returns the visits of the story, newest first. */
  const story = async (): Promise<StoryEncounter[]> =>
    (await client.call('GET /api/patients/:id/encounters', { params, query: { includeHHA: 'true' } })).encounters;
  const numberOf = async (visit: string) => {
    const { rows } = await database.pipeline.query<{ id: string }>(
      'select e.id from encounters e join roster_patients r on r.person_id = e.person_id where r.id = $1 and e.visit_number = $2',
      [listing, visit],
    );
    return rows[0]?.id ?? '0';
  };
  /** Returns the patient, with the visit of this number. */
  const patient = async (visit?: string) =>
    client.call('GET /api/patients/:id', {
      params: visit === undefined ? params : { id: `${listing}_${await numberOf(visit)}` },
    });
  const before = (days: number, time?: string) => daysBefore(app, days, time);
  return { client, team, groupId, listing, person, hosp, facility, story, patient, numberOf, before };
}

function withFields(message: string, fields: Fields): string {
  const segments = message.split('\r');
  for (const [name, value] of Object.entries(fields)) {
    const [segment = '', place] = name.split('-');
    if (place === undefined) segments.splice(-1, 0, ...value.split('\r'));
    else {
      const index = segments.findIndex((each) => each.startsWith(`${segment}|`));
      const parts = (segments[index] ?? '').split('|');
      while (parts.length <= Number(place)) parts.push('');
      parts[Number(place)] = value;
      segments[index] = parts.join('|');
    }
  }
  return segments.join('\r');
}
