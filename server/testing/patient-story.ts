/** One patient at one facility for tests: messages with any field changed, and what the API answers to a team that lists the patient. */
import type { FacilityType, GroupType } from '#contract/groups.ts';
import { signIn, type TestApp } from './app.ts';
import { adt, type Hospital } from './hospital.ts';
import { newPerson } from './pipeline-scene.ts';

interface Where {
  type?: GroupType;
  facilityType?: FacilityType;
  /** Settings of the feed, as stored. */
  settings?: object;
}

/** Fields by name, such as { 'PV1-45': '20260301', 'EVN-2': '' }. */
export type Fields = Record<string, string>;

export async function patientStory(
  app: TestApp,
  hosp: Hospital,
  { type = 'HOS', facilityType = 'HOS', settings }: Where = {},
) {
  const { pipeline } = app.database;
  const team = await app.make.team();
  const client = await signIn(app, (await app.make.user({ team })).username);
  const person = newPerson();
  const listing = await hosp.list(team.groupIds[0] ?? '', person);
  const facility = await app.make.group({ type, facilityType });
  const code = `F-${facility.id}`;
  const feedId = await hosp.feed(facility.organizationId, { [code]: facility.id });
  const set = (to: object) =>
    pipeline.query('update feeds set settings = $2 where id = $1', [feedId, JSON.stringify(to)]);
  if (settings) await set(settings);

  /** Returns a message of visit V-1 by default, written at `at`. */
  const message = (trigger: string, at: string, fields: Fields = {}): string =>
    withFields(adt(trigger, { at, record: `MR-${facility.id}`, visit: 'V-1', facility: code, person }), {
      'EVN-6': '',
      ...fields,
    });

  /** Sends a message and returns what became of it. */
  const send = async (trigger: string, at: string, fields: Fields = {}) =>
    hosp.message(await hosp.send(message(trigger, at, fields)));

  /** Returns the patient's visits and pings as the team reads them, the oldest first. The time is 10 a.m. in New York on November 20, 2026. */
  async function told() {
    const { rows } = await pipeline.query<{ id: string }>(
      'select id from encounters where group_id = $1 order by admitted_at nulls last, id',
      [facility.id],
    );
    const shown = [];
    for (const { id } of rows) {
      const { currentPingEncounter: stay } = await client.call('GET /api/patients/:id', {
        params: { id: `${listing}_${id}` },
      });
      if (!stay) continue;
      shown.push({
        visit: `${stay.status} ${stay.setting}`,
        admitted: minuteOf(stay.admittedDate),
        discharged: minuteOf(stay.dischargedDate),
        disposition: stay.dischargeDisposition,
        pings: stay.pings
          .toSorted((a, b) => (a.eventDate < b.eventDate ? -1 : 1))
          .map(({ status, setting, eventDate, datedByReceipt, state, late, reason }) =>
            [
              status,
              setting,
              minuteOf(eventDate),
              datedByReceipt ? 'by receipt' : '',
              state,
              late ? 'late' : '',
              reason?.code,
            ]
              .filter(Boolean)
              .join(' '),
          ),
      });
    }
    return shown;
  }

  return { message, send, told, set, feedId, facility: facility.id, listing, client };
}

/** '11-20 15:00' in UTC, or the day if there is no time. */
const minuteOf = (at: string | null): string | null => at && at.slice(5, 16).replace('T', ' ');

/** Replaces fields of a message. */
export function withFields(text: string, fields: Fields): string {
  const segments = text.split('\r').map((segment) => segment.split('|'));
  for (const [name, value] of Object.entries(fields)) {
    const [segment, place] = name.split('-');
    // The separator itself is MSH-1.
    const index = Number(place) - (segment === 'MSH' ? 1 : 0);
    const parts = segments.find(([first]) => first === segment) ?? [];
    while (parts.length <= index) parts.push('');
    parts[index] = value;
  }
  return segments.map((parts) => parts.join('|')).join('\r');
}
