/** What an organization decides about its patients' records (docs/decisions/0060). */
import type { ExchangeLink, PulseLink } from '#contract/exchange-links.ts';
import type { RecordSettings, RecordSettingsChange } from '#contract/record-settings.ts';
import type { Actor, ActorCall } from '#server/people/access/actor.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { checkCoversAll } from '../admin-scope.ts';
import { administer } from '../administer.ts';

/** Returns the settings of the actor's organization. */
export async function recordSettings(
  db: Queryable,
  { organizationId }: Pick<Actor, 'organizationId'>,
): Promise<RecordSettings> {
  const { rows } = await db.query<RecordSettings>(sql`
    select o.allows_emergency_access as "allowsEmergencyAccess",
      jsonb_build_object('added', o.added_holidays, 'removed', o.removed_holidays) as holidays, o.rising_risk_rule as "risingRisk",
      o.embedded_spotlights as "embeddedSpotlights",
      (select jsonb_build_object('url', url, 'fields', fields, 'states', to_jsonb(states)) from exchange_links
        where organization_id = o.id and kind = 'PULSE') as pulse,
      (select jsonb_build_object('url', url, 'fields', fields) from exchange_links
        where organization_id = o.id and kind = 'VYNCA') as vynca
    from organizations o where o.id = ${organizationId}`);
  const [settings] = rows;
  if (settings === undefined) throw new ApiError('NOT_FOUND');
  return settings;
}

const inOrder = (days: readonly string[]): string[] => [...new Set(days)].sort();

async function setLink(
  tx: Queryable,
  organizationId: string,
  kind: 'PULSE' | 'VYNCA',
  link: ExchangeLink | PulseLink | null | undefined,
): Promise<void> {
  if (link === undefined) return;
  await tx.query(sql`delete from exchange_links where organization_id = ${organizationId} and kind = ${kind}`);
  if (link === null) return;
  const states = 'states' in link ? link.states : [];
  await tx.query(sql`
    insert into exchange_links (organization_id, kind, url, fields, states)
    values (${organizationId}, ${kind}, ${link.url}, ${JSON.stringify(link.fields)}::jsonb, ${states}::text[])`);
}

/** Throws BAD_REQUEST for a page at a host that the installation doesn't allow. */
function checkEmbedded(url: string | null | undefined, hosts: readonly string[]): void {
  if (!url || hosts.includes(new URL(url).host)) return;
  const message =
    hosts.length === 0
      ? "This installation doesn't allow embedded pages. Its operator can allow hosts with TIDINGS_EMBED_HOSTS."
      : `This installation allows pages at ${hosts.join(', ')}.`;
  throw badField('embeddedSpotlights', message);
}

/** Changes them. `embedHosts`: the hosts of pages that may be embedded. Errors: BAD_REQUEST; NOT_PERMITTED unless the administrator manages all groups of the organization, because they concern every facility. */
export function changeRecordSettings(
  db: Database,
  call: ActorCall,
  wanted: RecordSettingsChange,
  embedHosts: readonly string[] = [],
): Promise<RecordSettings> {
  checkEmbedded(wanted.embeddedSpotlights, embedHosts);
  return administer(db, call, async ({ tx, scope, audit }) => {
    const message = 'Only an administrator who manages every group of the organization can change this.';
    await checkCoversAll(tx, scope, message);
    const { organizationId } = scope;
    const before = await recordSettings(tx, { organizationId });
    const {
      allowsEmergencyAccess = before.allowsEmergencyAccess,
      holidays = before.holidays,
      risingRisk = before.risingRisk,
      embeddedSpotlights = before.embeddedSpotlights,
    } = wanted;
    const { added, removed } = holidays;
    await tx.query(sql`
      update organizations set allows_emergency_access = ${allowsEmergencyAccess},
        added_holidays = ${inOrder(added)}::date[], removed_holidays = ${inOrder(removed)}::date[],
        rising_risk_rule = ${risingRisk && JSON.stringify(risingRisk)}::jsonb, embedded_spotlights = ${embeddedSpotlights}
      where id = ${organizationId}`);
    await setLink(tx, organizationId, 'PULSE', wanted.pulse);
    await setLink(tx, organizationId, 'VYNCA', wanted.vynca);
    const after = await recordSettings(tx, { organizationId });
    const changes = changedValues(before, after, Object.keys(after) as (keyof RecordSettings)[]);
    const about = {
      action: 'organization.record-settings',
      subject: 'organization',
      subjectId: organizationId,
    } as const;
    if (Object.keys(changes).length > 0) await audit({ ...about, detail: { changes } });
    return after;
  });
}
