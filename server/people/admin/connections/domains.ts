/**
 * Claims to email domains. An administrator could otherwise name any domain and receive the sign-ins of its people, so a domain counts once
 * its owner has published a record, or an operator has approved it.
 */
import type { SsoConnection } from '#contract/admin.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkCoversAll } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, readAsAdmin } from '../administer.ts';
import { WHOLE_ORGANIZATION } from './check-connection.ts';
import { answerOf, keepWayIn } from './connections.ts';
import { isVerifiedElsewhere, unverifyDomain, verifyDomain } from './domain-queries.ts';
import { findConnection } from './queries.ts';

/** `lookUpTxt` returns the TXT records of a domain, each in pieces, as `resolveTxt` of node:dns does. */
export interface DomainDeps extends AdminDeps {
  lookUpTxt: (domain: string) => Promise<string[][]>;
}

/**
 * Verifies a domain of a connection by its TXT record, which any connection of the organization then uses. Errors: NOT_FOUND;
 * DOMAIN_RECORD_NOT_FOUND; DOMAIN_TAKEN.
 */
export async function checkDomain(
  deps: DomainDeps,
  call: ActorCall,
  id: string,
  domain: string,
): Promise<SsoConnection> {
  const { record } = await readAsAdmin(deps.db, call.actor, async (tx, scope) => {
    await checkCoversAll(tx, scope, WHOLE_ORGANIZATION);
    const connection = await findConnection(tx, scope, id);
    return connection?.domainStates.find((each) => each.domain === domain) ?? notFound();
  });
  // Outside the transaction, because a name server may take seconds to answer.
  const found = await deps.lookUpTxt(domain).catch(() => []);
  if (!found.some((pieces) => pieces.join('') === record)) throw new ApiError('DOMAIN_RECORD_NOT_FOUND');
  return verify(deps, call, { id, domain, by: 'DNS' });
}

/** Verifies a domain on an operator's word. Errors: NOT_PERMITTED for everyone else; NOT_FOUND; DOMAIN_TAKEN. */
export async function approveDomain(
  deps: AdminDeps,
  call: ActorCall,
  id: string,
  domain: string,
): Promise<SsoConnection> {
  if (!call.actor.isOperator) throw new ApiError('NOT_PERMITTED');
  return verify(deps, call, { id, domain, by: 'OPERATOR' });
}

/**
 * Takes an operator's approval of a domain back: until it is verified again, it sends no one to the connection and links no one. Errors:
 * NOT_PERMITTED unless the caller is an operator; NOT_FOUND if the domain is not verified by an approval; LAST_ADMINISTRATOR;
 * STILL_NEEDED.
 */
export function revokeDomain(
  { db, publicUrl }: AdminDeps,
  call: ActorCall,
  id: string,
  domain: string,
): Promise<SsoConnection> {
  const revoke = async ({ tx, scope, audit }: Change): Promise<SsoConnection> => {
    if (!scope.isOperator) throw new ApiError('NOT_PERMITTED');
    const connection = (await findConnection(tx, scope, id)) ?? notFound();
    const state = connection.domainStates.find((each) => each.domain === domain);
    if (state?.verifiedBy !== 'OPERATOR') notFound();
    await unverifyDomain(tx, connection.organizationId, domain);
    await audit({
      action: 'sso-connection.revoke-domain',
      subject: 'sso-connection',
      subjectId: id,
      detail: { domain },
    });
    return answerOf((await findConnection(tx, scope, id)) ?? notFound(), { publicUrl, scope });
  };
  return administer(db, call, (change) => keepWayIn(change, revoke));
}

function verify(
  { db, publicUrl }: AdminDeps,
  call: ActorCall,
  { id, domain, by }: { id: string; domain: string; by: 'DNS' | 'OPERATOR' },
): Promise<SsoConnection> {
  return administer(db, call, async ({ tx, scope, now, audit }: Change) => {
    await checkCoversAll(tx, scope, WHOLE_ORGANIZATION);
    const connection = (await findConnection(tx, scope, id)) ?? notFound();
    const state = connection.domainStates.find((each) => each.domain === domain) ?? notFound();
    if (state.verifiedBy !== null) return answerOf(connection, { publicUrl, scope });
    const { organizationId } = connection;
    if (await isVerifiedElsewhere(tx, organizationId, domain)) throw new ApiError('DOMAIN_TAKEN');
    await verifyDomain(tx, { organizationId, domain, by }, now);
    const action = by === 'DNS' ? 'sso-connection.verify-domain' : 'sso-connection.approve-domain';
    await audit({ action, subject: 'sso-connection', subjectId: id, detail: { domain } });
    return answerOf((await findConnection(tx, scope, id)) ?? notFound(), { publicUrl, scope });
  });
}

function notFound(): never {
  throw new ApiError('NOT_FOUND');
}
