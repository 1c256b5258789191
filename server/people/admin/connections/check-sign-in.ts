/**
 * What has to hold before a connection sends people to their identity provider: the provider answers, and someone of the organization has
 * signed in through it. Without either, one wrong address would keep a whole organization out.
 */
import type { ActorCall } from '#server/people/access/actor.ts';
import { begin, withSecret } from '#server/people/sso/flow.ts';
import { checkProvider, oidcStart } from '#server/people/sso/oidc.ts';
import { findByKey } from '#server/people/sso/queries.ts';
import { isUnreachable } from '#server/people/sso/refusal.ts';
import { samlStart } from '#server/people/sso/saml.ts';
import { allowsHttp } from '#server/people/sso/sso-urls.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { ApiError, badField, badFieldInMessage } from '#server/platform/http/api-error.ts';
import type { OutgoingFetch } from '#server/platform/http/outgoing.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import { checkCoversAll } from '../admin-scope.ts';
import { type AdminDeps, readAsAdmin } from '../administer.ts';
import { type ConnectionFields, checkConnection, WHOLE_ORGANIZATION } from './check-connection.ts';
import { type ConnectionRow, findConnection } from './queries.ts';

type Exchange = Parameters<typeof begin>[2];

/** Also encrypts the connections' secrets, and calls identity providers. */
export interface ConnectionDeps extends AdminDeps {
  secrets: SecretBox;
  outgoing: OutgoingFetch;
}

export interface TestDeps extends ConnectionDeps {
  clock: Clock;
}

/**
 * Begins a test of a connection as it is saved, and returns the provider's address that the browser has to go to. The result comes back to
 * `returnTo` (`test-result.ts`). Errors: NOT_FOUND, also for an EHR, which no one signs in at; NOT_PERMITTED; BAD_REQUEST if the provider does
 * not answer.
 */
export async function beginTest(
  deps: TestDeps,
  { actor }: Pick<ActorCall, 'actor'>,
  id: string,
  { returnTo, ...exchange }: Exchange & { returnTo: string },
): Promise<{ redirectUrl: string }> {
  const { db, clock, publicUrl, outgoing } = deps;
  const connection = await readAsAdmin(db, actor, async (tx, scope) => {
    await checkCoversAll(tx, scope, WHOLE_ORGANIZATION);
    const row = await findConnection(tx, scope, id);
    if (row === null || row.kind === 'SMART') throw new ApiError('NOT_FOUND');
    return withSecret(deps, await findByKey(tx, row.kind, row.key));
  });
  const of = { returnTo, testerId: actor.userId };
  const pending = await begin({ db, clock, config: { publicUrl } }, connection, exchange, of);
  if (connection.kind === 'SAML') return { redirectUrl: await samlStart(connection, pending, publicUrl) };
  const url = await oidcStart(connection, pending, { publicUrl, outgoing, username: undefined }).catch(refuseIssuer);
  return { redirectUrl: url.href };
}

/**
 * Throws BAD_REQUEST if the change would enable an OpenID Connect provider that does not answer as its issuer now. A SAML provider may be one that
 * only the organization's own browsers reach, so only its certificates (`checkConnection`) and the test say that it works.
 */
export async function checkBeforeEnabling(
  { db, publicUrl, outgoing }: ConnectionDeps,
  { actor, now }: ActorCall,
  id: string,
  wanted: ConnectionFields,
): Promise<void> {
  if (wanted.kind !== 'OIDC' || !wanted.isEnabled) return;
  const before = await readAsAdmin(db, actor, async (tx, scope) => {
    await checkCoversAll(tx, scope, WHOLE_ORGANIZATION);
    return findConnection(tx, scope, id);
  });
  if (before === null || before.isEnabled || !before.isTested) return;
  const { issuer, clientId } = checkConnection(wanted, { allowHttp: allowsHttp(publicUrl), now });
  await checkProvider({ issuer, clientId }, { publicUrl, outgoing }).catch(refuseIssuer);
}

function refuseIssuer(error: unknown): never {
  const message = isUnreachable(error)
    ? "We couldn't reach this identity provider, so nothing was changed. Check the issuer, then try again."
    : "This address doesn't answer as an OpenID Connect provider with this issuer, so nothing was changed. Check the issuer, then try again.";
  throw badFieldInMessage('issuer', message);
}

/** Throws BAD_REQUEST if the connection would be enabled without a test of the provider that it now names. */
export function requireTested({ kind, isEnabled, isTested }: ConnectionRow): void {
  if (!isEnabled || isTested || kind === 'SMART') return;
  throw badField('isEnabled', TEST_FIRST);
}

const TEST_FIRST =
  'Nothing was changed. Save the connection with “Enabled” off, then choose “Test sign-in”. You can enable it once the test succeeds.';
