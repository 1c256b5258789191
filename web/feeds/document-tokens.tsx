import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentToken } from '#contract/documents.ts';
import type { Feed } from '#contract/feeds.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { Confirm } from '../forms/confirm.tsx';
import { CopyValue } from '../forms/copy-value.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { documentTokensQuery } from './feed-queries.ts';
import classes from './feeds.module.css';

const usedInWords = ({ lastUsedAt, expiresAt }: DocumentToken): string =>
  [
    lastUsedAt ? `last used ${formatDateTime(lastUsedAt)}` : 'not used yet',
    expiresAt && `works until ${formatDateTime(expiresAt)}`,
  ]
    .filter(Boolean)
    .join(' · ');

const TokenRow = ({
  token,
  isPending,
  replace,
  revoke,
}: {
  token: DocumentToken;
  isPending: boolean;
  replace: () => void;
  revoke: () => void;
}) => (
  <li>
    <span>
      Ends in {token.ending}{' '}
      <Text span size="xs" c="dimmed">
        issued {formatDateTime(token.createdAt)}
        {token.createdBy && ` by ${token.createdBy}`} · {usedInWords(token)}
      </Text>
    </span>
    <Group gap="xs">
      {token.expiresAt === null && (
        <Button size="compact-sm" variant="default" loading={isPending} onClick={replace}>
          Replace
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={revoke}>
        Revoke…
      </Button>
    </Group>
  </li>
);

/** The tokens with which systems send documents or FHIR messages: issued, replaced and revoked here. A token is shown once. */
export const DocumentTokens = ({ feed }: { feed: Feed }) => {
  const client = useQueryClient();
  const query = documentTokensQuery(feed.id);
  const sent = feed.kind === 'FHIR' ? 'messages' : 'documents';
  const [revoking, revoke] = useState<DocumentToken | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: query.queryKey });
  const issue = useMutation({
    mutationFn: (replaces?: string) =>
      call('POST /api/admin/feeds/:id/tokens', { params: { id: feed.id }, body: replaces ? { replaces } : {} }),
    onSuccess: refresh,
  });
  return (
    <section aria-label="Tokens">
      <Text component="h3" size="md" fw={650} m={0}>
        Tokens
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {feed.kind === 'FHIR' ? (
          <>
            A system sends each message as the body of POST {window.location.origin}/fhir/$process-message, as JSON,
            with the header Authorization: Bearer and a token.
          </>
        ) : (
          <>
            A system sends each document as the body of POST {window.location.origin}/api/documents, with the header
            Authorization: Bearer and a token. GET /api/documents/ and the ID in the answer says what became of it.
          </>
        )}
      </Text>
      {issue.data && (
        <div role="status">
          <CopyValue label="New token" value={issue.data.token} />
          <Text size="sm">You won't be able to see it again.</Text>
        </div>
      )}
      {issue.error && <Text role="alert">No token was issued. {reasonOf(issue.error)}</Text>}
      <Loaded query={useQuery(query)} what="tokens">
        {(tokens) => (
          <ul className={classes.tokens}>
            {tokens.length === 0 && <li>No tokens. No system can send {sent}.</li>}
            {tokens.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                isPending={issue.isPending}
                replace={() => issue.mutate(token.id)}
                revoke={() => revoke(token)}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <Button size="xs" variant="default" loading={issue.isPending} onClick={() => issue.mutate(undefined)}>
        Issue token
      </Button>
      {revoking && (
        <Confirm
          title={`Revoke the token that ends in ${revoking.ending}?`}
          word="Revoke token"
          act={() =>
            call('DELETE /api/admin/feeds/:id/tokens/:tokenId', { params: { id: feed.id, tokenId: revoking.id } })
          }
          done={() => {
            revoke(null);
            void refresh();
          }}
          close={() => revoke(null)}
        >
          Systems that use it can't send {sent} anymore, starting now.
        </Confirm>
      )}
    </section>
  );
};
