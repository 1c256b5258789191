import { administeredOrganizations } from '#server/people/admin/admin-scope.ts';
import { lockProvisioning } from '#server/people/admin/administer.ts';
import { accessByUser, followProvider } from '#server/people/admin/provisioning/provider-access.ts';
import { type AuditEntry, writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { withPurpose } from '#server/platform/database/with-purpose.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/** The connection whose token a call brought. */
export interface Provider {
  tokenId: string;
  connectionId: string;
  organizationId: string;
}

/** Errors: NOT_SIGNED_IN. */
export async function providerOfToken(db: Database, tokenHash: Buffer, now: Date): Promise<Provider> {
  const { rows } = await forPurpose('sign-in', () =>
    db.query<Provider>(sql`
      select token_id as "tokenId", connection_id as "connectionId", organization_id as "organizationId"
      from use_scim_token(${tokenHash}, ${now})`),
  );
  const [provider] = rows;
  if (provider === undefined) throw new ApiError('NOT_SIGNED_IN');
  return provider;
}

/** What a provider's call runs in. */
export interface ProviderCall {
  readonly tx: Transaction;
  readonly provider: Provider;
  readonly requestId: string;
  readonly now: Date;
}

interface Deps {
  db: Database;
  provider: Provider;
  requestId: string;
  now: Date;
}

/** Reads what row-level security shows of the provider's organization. */
export const readAsProvider = <T>({ db, ...call }: Deps, fn: (call: ProviderCall) => Promise<T>): Promise<T> =>
  db.transaction((tx) => fn({ ...call, tx }), { readOnly: true, settings: settingsOf(call.provider) });

/**
 * Runs a provider's change, one at a time with those of the organization's administrators. It is rolled back with LAST_ADMINISTRATOR if nobody
 * of the organization would be left to manage users.
 */
export function changeAsProvider<T>({ db, ...call }: Deps, fn: (call: ProviderCall) => Promise<T>): Promise<T> {
  return db.transaction(
    async (tx) => {
      await lockProvisioning(tx, call.provider);
      await checkToken(tx, call.provider);
      const before = await administeredOrganizations(tx);
      const result = await fn({ ...call, tx });
      const after = await administeredOrganizations(tx);
      if ([...before].some((id) => !after.has(id))) throw new ApiError('LAST_ADMINISTRATOR');
      return result;
    },
    { settings: settingsOf(call.provider) },
  );
}

/** Throws NOT_SIGNED_IN if the token was revoked while the call waited. */
async function checkToken(tx: Transaction, { tokenId }: Provider): Promise<void> {
  const { rowCount } = await tx.query(sql`select from scim_tokens where id = ${tokenId} and revoked_at is null`);
  if (rowCount === 0) throw new ApiError('NOT_SIGNED_IN');
}

const settingsOf = ({ organizationId }: Provider) => ({ 'tidings.administers': organizationId });

/** Writes audit entries, there may be thousands, that name the connection as the cause. */
export async function auditProvider(
  { tx, provider, requestId, now }: ProviderCall,
  ...entries: Pick<AuditEntry, 'action' | 'subject' | 'subjectId' | 'detail'>[]
): Promise<void> {
  const { connectionId, tokenId } = provider;
  const write = ({ detail, ...entry }: (typeof entries)[number]) =>
    writeAuditAs(tx, { userId: null }, { ...entry, detail: { connectionId, tokenId, ...detail }, requestId, now });
  await withPurpose(tx, 'sign-in', () => Promise.all(entries.map(write)));
}

/** Makes grants follow the provider's groups, everyone's or only these users', and records for each user what that changed. */
export async function followGroups(call: ProviderCall, userIds?: readonly string[]): Promise<void> {
  const { organizationId } = call.provider;
  const changes = await followProvider(call.tx, { organizationId, userIds }, call.now);
  const entries = [...accessByUser(changes)].map(
    ([subjectId, detail]) => ({ action: 'user.change', subject: 'user', subjectId, detail }) as const,
  );
  if (entries.length > 0) await auditProvider(call, ...entries);
}
