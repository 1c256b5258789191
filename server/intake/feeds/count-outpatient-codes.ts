/** Counts the codes that outpatients of a feed have, from which the feeds page suggests those that mean observation. */
import type { ObservationCodes } from '#contract/feed-settings.ts';
import type { OutpatientCodeField } from '#contract/feeds.ts';
import type { AdtFacts, VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { Feed } from './feed-lookup.ts';

/** A fact that was stored for the first time. */
export interface StoredFirst {
  messageId: string;
  ordinal: number;
  /** The facility that it is from. */
  groupId: string;
  feed: Feed;
  adt: AdtFacts;
}

/** What a code may look like. Anything longer or with other characters is text, which could be about a patient. */
const CODE = /^[A-Z\d][A-Z\d ./_-]{0,19}$/;
/** How many codes of a feed are counted in a month. */
const MOST_CODES = 200;

/**
 * A stay this long is more than a visit to a clinic. Medicare pays for observation from eight hours on (CMS Claims Processing Manual,
 * chapter 4, section 290).
 */
const LONG_STAY = '8 hours';

const COUNT = `
with given as (
  select * from unnest($2::bigint[], $3::bigint[], $4::int[], $5::text[], $6::text[], $7::boolean[], $8::boolean[])
    as g (feed_id, message_id, ordinal, field, code, is_discharge, has_bed)
), stays as (
  select g.*, g.is_discharge and g.has_bed and e.state -> 'series' is null and e.discharged_at - coalesce(e.admitted_at, (
    select min(coalesce(a.adt #>> '{occurredAt,instant}', a.adt #>> '{recordedAt,instant}', a.adt #>> '{sentAt,instant}')::timestamptz)
    from facts a where a.encounter_id = e.id and a.adt ->> 'trigger' in ('A01', 'A04'))) >= interval '${LONG_STAY}' as is_long
  from given g left join facts f using (message_id, ordinal) left join encounters e on g.is_discharge and e.id = f.encounter_id
), counted as (
  select feed_id, field, code, count(*) filter (where not is_discharge) as arrivals,
    count(*) filter (where is_discharge) as discharges, count(*) filter (where is_long) as long_stays
  from stays group by 1, 2, 3
)
insert into outpatient_codes as o (feed_id, month, field, code, arrivals, discharges, long_stays)
select c.feed_id, $1::date, c.field, c.code, c.arrivals, c.discharges, c.long_stays
from counted c left join outpatient_codes k on (k.feed_id, k.month, k.field, k.code) = (c.feed_id, $1::date, c.field, c.code)
where k.code is not null
  or (select count(*) from outpatient_codes n where n.feed_id = c.feed_id and n.month = $1::date) < ${MOST_CODES}
order by 1, 2, 3, 4
on conflict (feed_id, month, field, code) do update set arrivals = o.arrivals + excluded.arrivals,
  discharges = o.discharges + excluded.discharges, long_stays = o.long_stays + excluded.long_stays`;

/** Returns the ids of the messages whose facts are stored from an earlier processing. A message without a feed has none. */
export async function messagesWithFacts(
  tx: Queryable,
  messages: readonly { id: string; feedId: string | null }[],
): Promise<ReadonlySet<string>> {
  const again = messages.filter(({ feedId }) => feedId !== null);
  if (again.length === 0) return new Set();
  const { rows } = await tx.query<{ id: string }>(
    'select distinct message_id as id from facts where message_id = any($1::bigint[])',
    [again.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Counts arrivals (A01, A04) and discharges (A03). Called once for each message, after its visit was folded. */
export async function countOutpatientCodes(tx: Queryable, facts: readonly StoredFirst[], now: Date): Promise<void> {
  const rows = facts.flatMap(({ messageId, ordinal, feed, adt }) => {
    const isDischarge = adt.trigger === 'A03';
    if (!isDischarge && adt.trigger !== 'A01' && adt.trigger !== 'A04') return [];
    const hasBed = Boolean(adt.visit?.location?.bed);
    return codesOf(adt.visit, feed).map((code) => ({
      messageId,
      ordinal,
      feedId: feed.id,
      isDischarge,
      hasBed,
      ...code,
    }));
  });
  if (rows.length === 0) return;
  await tx.query(COUNT, [
    monthOf(now),
    rows.map((row) => row.feedId),
    rows.map((row) => row.messageId),
    rows.map((row) => row.ordinal),
    rows.map((row) => row.field),
    rows.map((row) => row.code),
    rows.map((row) => row.isDischarge),
    rows.map((row) => row.hasBed),
  ]);
}

/** Returns the first day of the month in UTC, `back` months earlier. */
export const monthOf = (now: Date, back = 0): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 10);

interface SeenCode {
  field: OutpatientCodeField;
  code: string;
}

/** Returns the codes of an outpatient, also if one of them already means observation. */
function codesOf(visit: VisitFacts | null, { settings }: Feed): SeenCode[] {
  const sent: [OutpatientCodeField, string | undefined][] = [
    ['PV1-10', visit?.hospitalService],
    ['PV1-18', visit?.patientType],
  ];
  const codes = sent.flatMap(([field, text]) => {
    const code = text?.toUpperCase() ?? '';
    return CODE.test(code) ? [{ field, code }] : [];
  });
  const isObserved =
    visit?.setting === 'OBSERVATION' && codes.some((code) => meansObservation(code, settings?.observationCodes));
  return visit?.setting === 'OUTPATIENT' || isObserved ? codes : [];
}

/** Returns whether a feed's setting says that the code means observation. */
export const meansObservation = ({ field, code }: SeenCode, codes: ObservationCodes | undefined): boolean =>
  (field === 'PV1-10' ? codes?.hospitalServices : codes?.patientTypes)?.includes(code) ?? false;
