/** Which saved filters the new pings match, for users who are notified of that and may see the pings now. */
import { type Actor, loadActor } from '#server/people/access/actor.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { PatientKey } from '#server/work/patients/load.ts';
import { readStored } from '#server/work/saved-filters/stored.ts';
import { RowMatcher } from '#server/work/search/match-rows.ts';
import type { Candidate } from './candidates.ts';
import { isAboutRisk, reportedGroups } from './risk-filters.ts';

/** A saved filter of which a user is notified: the owner, or someone else on the team that it is shared with. */
interface NotifyingFilter {
  filterId: string;
  userId: string;
  teamId: string;
  /** As stored. */
  parameters: unknown;
  /** Since when it notifies. */
  activeSince: string;
  aboutRisk: boolean;
}

interface Match {
  filterId: string;
  userId: string;
  pingId: string;
}

/**
 * Records which of the new pings match which filters, and returns how many do. A ping matches if the list with the filter shows its row now, and
 * the ping is of a group of that list. `app`: connections of the app role, because each user's rights are checked as in a call.
 */
export async function findMatches(
  app: Database,
  tx: Transaction,
  candidates: readonly Candidate[],
  now: Date,
): Promise<number> {
  if (candidates.length === 0) return 0;
  const filters = await notifyingFilters(tx, [...new Set(candidates.map(({ groupId }) => groupId))]);
  const personIds = candidates.map(({ personId }) => personId);
  const matcher = new RowMatcher(app, personIds, now);
  const matches: Match[] = [];
  for (const own of Map.groupBy(filters, ({ userId, teamId }) => `${userId} ${teamId}`).values()) {
    const [{ userId, teamId }] = own as [NotifyingFilter, ...NotifyingFilter[]];
    const actor = await loadActor(app, userId, teamId);
    if (actor === null) continue;
    for (const filter of own) matches.push(...(await matchesOf(matcher, actor, filter, candidates)));
  }
  return storeMatches(tx, matches, now);
}

async function matchesOf(
  matcher: RowMatcher,
  actor: Actor,
  { filterId, userId, parameters: json, activeSince, aboutRisk }: NotifyingFilter,
  candidates: readonly Candidate[],
): Promise<Match[]> {
  const { parameters } = readStored(json, actor);
  const { visibleTo } = parameters;
  const groups = new Set(
    reportedGroups(actor, parameters.searchContext, aboutRisk).filter(
      (id) => !visibleTo?.length || visibleTo.includes(id),
    ),
  );
  const since = Date.parse(activeSince);
  const own = candidates.filter(
    ({ groupId, createdAt, enteredBy }) =>
      groups.has(groupId) && Date.parse(createdAt) >= since && !enteredBy.includes(actor.userId),
  );
  if (own.length === 0) return [];
  const keyOf = ROW_KEYS[parameters.searchContext];
  const rows = new Set((await matcher.matches(actor, parameters)).map(keyOf));
  return own.filter((each) => rows.has(keyOf(each))).map(({ id }) => ({ filterId, userId, pingId: id }));
}

/** What a row of each list is about: a person, a person's visit, an event. */
const ROW_KEYS = {
  ALL: ({ personId }: PatientKey) => personId,
  PINGS: ({ personId, encounterId }: PatientKey) => `${personId} ${encounterId}`,
  EVENTS: ({ personId, eventId }: PatientKey) => `${personId} ${eventId}`,
};

async function notifyingFilters(tx: Transaction, groupIds: readonly string[]): Promise<NotifyingFilter[]> {
  const { rows } = await tx.query<NotifyingFilter>(sql`
    select f.id as "filterId", n.user_id as "userId", f.team_id as "teamId", f.parameters, n.active_since as "activeSince",
      ${isAboutRisk(sql`f.parameters`)} as "aboutRisk"
    from notification_preferences n join saved_filters f on f.id = n.filter_id
    where (n.by_email or n.by_text) and not n.is_muted and (f.user_id = n.user_id or f.shared_at is not null)
      and n.team_id in (select t.team_id from team_groups t where t.group_id = any (${groupIds}::bigint[]))
    order by n.user_id, f.team_id, f.id`);
  return rows;
}

/** An event that several groups of a team were sent is one match. */
async function storeMatches(tx: Transaction, matches: readonly Match[], now: Date): Promise<number> {
  if (matches.length === 0) return 0;
  const { rowCount } = await tx.query(sql`
    insert into notification_matches (filter_id, ping_id, user_id, team_id, matched_at)
    select distinct on (f.id, found.user_id, p.event_id, r.person_id) f.id, p.id, found.user_id, f.team_id, ${now}::timestamptz
    from unnest(${matches.map(({ filterId }) => filterId)}::bigint[], ${matches.map(({ userId }) => userId)}::bigint[],
        ${matches.map(({ pingId }) => pingId)}::bigint[]) as found (filter_id, user_id, ping_id)
      join saved_filters f on f.id = found.filter_id
      join pings p on p.id = found.ping_id
      join roster_patients r on r.id = p.roster_patient_id
    where not exists (
      select from notification_matches m join pings q on q.id = m.ping_id join roster_patients l on l.id = q.roster_patient_id
      where m.filter_id = f.id and m.user_id = found.user_id and q.event_id = p.event_id and l.person_id = r.person_id)
    order by f.id, found.user_id, p.event_id, r.person_id, p.id
    on conflict (filter_id, ping_id, user_id) do nothing`);
  return rowCount;
}
