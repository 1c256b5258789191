/** Counts what the health of a feed is told by: how late its messages come, which fields they lack, and codes without a mapping. */
import type { FeedField } from '#contract/feed-health-words.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import { timeFieldsOf, timeIn } from '#server/intake/hl7/time-fields.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { StoredFirst } from './count-outpatient-codes.ts';
import type { Feed } from './feed-lookup.ts';

/** Minutes; 0 for longer than the last one. */
export const DELAY_STEPS = [1, 5, 15, 60, 240, 1440] as const;

/** What a code may look like. Anything else is text, which could be about a patient. */
const CODE = /^[A-Z\d][A-Z\d ./_-]{0,19}$/;
/** How many codes of a feed are counted in a day. */
const MOST_CODES = 50;

/** Returns the step within which the message came after its event; null if no time is known. */
function delayStepOf(adt: AdtFacts, receivedAt: number): number | null {
  const times = timeFieldsOf(adt.trigger).map((field) => timeIn(adt, field));
  const at = times.find((moment) => moment && moment.precision !== 'day' && !moment.isMidnight);
  if (!at) return null;
  const minutes = (receivedAt - Date.parse(at.instant)) / 60_000;
  return DELAY_STEPS.find((step) => minutes <= step) ?? 0;
}

/** Returns the fields that the message should have, and whether each is missing. Only arrivals and discharges are asked. */
function fieldsOf({ trigger, patient, visit }: AdtFacts): [FeedField, boolean][] {
  const isDischarge = trigger === 'A03';
  if (!isDischarge && trigger !== 'A01' && trigger !== 'A04') return [];
  return [
    ['PID-7', !patient.birthDate],
    ['PID-8', !patient.sex || patient.sex === 'Unknown'],
    ['PID-11', !patient.address?.zip],
    ['PV1-2', !visit?.classCode],
    ['PV1-19', !visit?.visitNumber],
    ['PV1-44', !visit?.admittedAt],
    ...(isDischarge
      ? ([
          ['PV1-45', !visit?.dischargedAt],
          ['PV1-36', !visit?.disposition],
          ['DG1-3', !visit?.diagnoses?.length],
        ] satisfies [FeedField, boolean][])
      : []),
  ];
}

/** Returns the codes of the message that the feed's settings don't map. A code that is mapped to "unknown" is mapped. */
function unmappedOf({ visit }: AdtFacts, { settings }: Pick<Feed, 'settings'>): ['PV1-2' | 'PV1-36', string][] {
  const codes: ['PV1-2' | 'PV1-36', string][] = [];
  const patientClass = visit?.classCode?.toUpperCase();
  const isMapped = settings?.classMap.some((rule) => rule.patientClass === patientClass);
  if (patientClass && visit?.setting === 'UNKNOWN' && !isMapped) codes.push(['PV1-2', patientClass]);
  const disposition = visit?.disposition?.toUpperCase();
  if (disposition && !/^\d{2}$/.test(disposition)) codes.push(['PV1-36', disposition]);
  return codes.filter(([, code]) => CODE.test(code));
}

/** A fact that was stored for the first time, and when its message came. */
export type ReceivedFirst = StoredFirst & { receivedAt: string };

interface Counted {
  feedId: string;
  day: string;
  key: string;
  code: string;
  messages: number;
  missing: number;
}

/** Adds facts to the counts of their feeds. Historical feeds are left out: what they send is late on purpose. */
export async function countHealth(tx: Queryable, facts: readonly ReceivedFirst[]): Promise<void> {
  const counts = {
    delays: new Map<string, Counted>(),
    fields: new Map<string, Counted>(),
    codes: new Map<string, Counted>(),
  };
  for (const { feed, adt, receivedAt } of facts) {
    if (feed.isBackfill) continue;
    const day = new Date(receivedAt).toISOString().slice(0, 10);
    const add = (to: Map<string, Counted>, key: string, isMissing = false, code = '') => {
      const at = JSON.stringify([feed.id, day, key, code]);
      const known = to.get(at) ?? { feedId: feed.id, day, key, code, messages: 0, missing: 0 };
      to.set(at, { ...known, messages: known.messages + 1, missing: known.missing + (isMissing ? 1 : 0) });
    };
    const step = delayStepOf(adt, Date.parse(receivedAt));
    if (step !== null) add(counts.delays, String(step));
    for (const [field, isMissing] of fieldsOf(adt)) add(counts.fields, field, isMissing);
    for (const [field, code] of unmappedOf(adt, feed)) add(counts.codes, field, false, code);
  }
  await Promise.all([
    addDelays(tx, [...counts.delays.values()]),
    addFields(tx, [...counts.fields.values()]),
    addCodes(tx, [...counts.codes.values()]),
  ]);
}

const feedIds = (rows: readonly Counted[]) => rows.map(({ feedId }) => feedId);
const days = (rows: readonly Counted[]) => rows.map(({ day }) => day);
const keys = (rows: readonly Counted[]) => rows.map(({ key }) => key);
const numbers = (rows: readonly Counted[]) => rows.map(({ messages }) => messages);

async function addDelays(tx: Queryable, rows: readonly Counted[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into feed_delays as d (feed_id, day, within, messages)
    select * from unnest(${feedIds(rows)}::bigint[], ${days(rows)}::date[], ${keys(rows)}::int[], ${numbers(rows)}::int[]) order by 1, 2, 3
    on conflict (feed_id, day, within) do update set messages = d.messages + excluded.messages`);
}

async function addFields(tx: Queryable, rows: readonly Counted[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into feed_fields as f (feed_id, day, field, messages, missing)
    select * from unnest(${feedIds(rows)}::bigint[], ${days(rows)}::date[], ${keys(rows)}::text[], ${numbers(rows)}::int[],
      ${rows.map(({ missing }) => missing)}::int[]) order by 1, 2, 3
    on conflict (feed_id, day, field) do update set messages = f.messages + excluded.messages, missing = f.missing + excluded.missing`);
}

async function addCodes(tx: Queryable, rows: readonly Counted[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into feed_codes as c (feed_id, day, field, code, messages)
    select n.* from unnest(${feedIds(rows)}::bigint[], ${days(rows)}::date[], ${keys(rows)}::text[], ${rows.map(({ code }) => code)}::text[],
      ${numbers(rows)}::int[]) as n (feed_id, day, field, code, messages) left join feed_codes k using (feed_id, day, field, code)
    where k.code is not null
      or (select count(*) from feed_codes m where m.feed_id = n.feed_id and m.day = n.day) < ${MOST_CODES}
    order by 1, 2, 3, 4
    on conflict (feed_id, day, field, code) do update set messages = c.messages + excluded.messages`);
}
