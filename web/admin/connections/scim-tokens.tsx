import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScimToken } from '#contract/provisioning.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { CopyValue } from '../../forms/copy-value.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import { Failed } from '../../ui/states.tsx';
import classes from '../admin.module.css';

const TokenRow = ({ token, revoke }: { token: ScimToken; revoke: () => void }) => (
  <li>
    <Group gap="sm" justify="space-between" wrap="nowrap">
      <span>
        Ends in <b>{token.ending}</b>
        <div className={classes.dim}>
          Issued {formatDateTime(token.createdAt)}
          {token.createdBy && ` by ${token.createdBy}`} ·{' '}
          {token.lastUsedAt ? `last used ${formatDateTime(token.lastUsedAt)}` : 'never used'}
        </div>
      </span>
      <Button
        size="compact-xs"
        variant="default"
        style={{ flex: 'none' }}
        aria-label={`Revoke the token that ends in ${token.ending}`}
        onClick={revoke}
      >
        Revoke…
      </Button>
    </Group>
  </li>
);

/** The tokens with which the identity provider calls us: issued and revoked here. A token is shown once. */
export const ScimTokens = ({
  connectionId: id,
  tokens,
  changed,
}: {
  connectionId: string;
  tokens: readonly ScimToken[];
  changed: () => void;
}) => {
  const [revoking, revoke] = useState<ScimToken | null>(null);
  const issue = useMutation({
    mutationFn: () => call('POST /api/admin/sso-connections/:id/scim-tokens', { params: { id } }),
    onSuccess: changed,
  });
  return (
    <section aria-label="Tokens">
      {issue.data && (
        <div role="status">
          <CopyValue label="New token" value={issue.data.token} />
          <Text size="sm">You won't be able to see it again.</Text>
        </div>
      )}
      {issue.error && <Failed what="No token was issued." error={issue.error} />}
      <ul className={classes.names}>
        {tokens.length === 0 && <li>No tokens. Your identity provider can't manage accounts.</li>}
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} revoke={() => revoke(token)} />
        ))}
      </ul>
      <Button size="xs" variant="default" loading={issue.isPending} onClick={() => issue.mutate()}>
        Issue token
      </Button>
      {revoking && (
        <Confirm
          title={`Revoke the token that ends in ${revoking.ending}?`}
          word="Revoke token"
          act={() =>
            call('DELETE /api/admin/sso-connections/:id/scim-tokens/:tokenId', {
              params: { id, tokenId: revoking.id },
            })
          }
          done={() => {
            revoke(null);
            changed();
          }}
          close={() => revoke(null)}
        >
          Whoever uses it can't manage accounts anymore, starting now. Accounts and access stay as they are.
        </Confirm>
      )}
    </section>
  );
};
