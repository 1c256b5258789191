/** Documents that systems post, and the tokens with which they do. */
import { DOCUMENT_MAX_BYTES } from '#contract/document-limits.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import { bearerToken } from '#server/people/access/bearer-token.ts';
import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import type { AdminDeps } from '#server/people/admin/administer.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { addDocumentFeed } from './document-feeds.ts';
import { postedBytes } from './posted-bytes.ts';
import { outcomeOf, receiveDocument, senderOfToken } from './receive.ts';
import * as tokens from './tokens.ts';

export interface DocumentCallDeps extends AdminDeps {
  db: Database;
  clock: Clock;
  store: MessageStore;
}

export function documentCallRoutes(deps: DocumentCallDeps): RegisteredRoute[] {
  const { db, clock, store } = deps;
  const by = callAt(clock);
  return [
    route('POST /api/documents', async ({ request }) => {
      const now = clock();
      const sender = await senderOfToken(db, hashOf(bearerToken(request)), 'CCDA', now);
      const raw = await postedBytes(request, { most: DOCUMENT_MAX_BYTES, tooLarge: TOO_LARGE, empty: EMPTY });
      return receiveDocument(store, { raw, sender, remote: request.ip, now });
    }),
    route('GET /api/documents/:id', async ({ params, request }) => {
      const sender = await senderOfToken(db, hashOf(bearerToken(request)), 'CCDA', clock());
      return outcomeOf(db, params.id, sender.feedId);
    }),
    route('POST /api/admin/document-feeds', (call) => addDocumentFeed(deps, by(call), call.body)),
    route('GET /api/admin/feeds/:id/tokens', (call) => tokens.listTokens(deps, by(call), call.params.id)),
    route('POST /api/admin/feeds/:id/tokens', (call) => tokens.issueToken(deps, by(call), call.params.id, call.body)),
    route('DELETE /api/admin/feeds/:id/tokens/:tokenId', (call) =>
      tokens.revokeToken(deps, by(call), call.params.id, call.params.tokenId),
    ),
  ];
}

const TOO_LARGE = `The document is larger than ${DOCUMENT_MAX_BYTES / 1024 / 1024} MB, so it was not stored. Send its parts as several documents.`;
const EMPTY = 'The body is empty. Send the document as the body.';
