import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SsoConnection } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';

const WORDS = {
  approve: {
    button: 'Approve without the record…',
    label: (domain: string): string => `Approve ${domain} without the record`,
    title: (domain: string) => `Approve the domain ${domain}?`,
    word: 'Approve domain',
    done: (domain: string) => `The domain ${domain} was approved.`,
    text: (domain: string, name: string) =>
      `People with an email address at ${domain} sign in through ${name} once it is enabled, and it can open their accounts. Approve only what you have confirmed with the domain's owner.`,
  },
  revoke: {
    button: 'Revoke approval…',
    label: (domain: string) => `Revoke the approval of ${domain}`,
    title: (domain: string) => `Revoke the approval of ${domain}?`,
    word: 'Revoke approval',
    done: (domain: string) => `The approval of ${domain} was revoked.`,
    text: (_domain: string, name: string) =>
      `People with this domain who haven't signed in through ${name} yet sign in with their passwords again. Those who have keep using ${name}.`,
  },
} as const;

/** An operator's decision on a domain: approves it without its record, or takes the approval back. */
export const DomainDecision = ({
  decision,
  connection: { id, name },
  domain,
  decided,
}: {
  decision: keyof typeof WORDS;
  connection: SsoConnection;
  domain: string;
  decided: (connection: SsoConnection, message: string) => void;
}) => {
  const [asking, ask] = useState(false);
  const words = WORDS[decision];
  return (
    <>
      <Button size="xs" variant="default" aria-label={words.label(domain)} onClick={() => ask(true)}>
        {words.button}
      </Button>
      {asking && (
        <Confirm
          title={words.title(domain)}
          word={words.word}
          act={async () => {
            const request = { params: { id }, body: { domain } };
            const changed =
              decision === 'approve'
                ? await call('POST /api/admin/sso-connections/:id/approve-domain', request)
                : await call('POST /api/admin/sso-connections/:id/revoke-domain', request);
            decided(changed, words.done(domain));
          }}
          done={() => ask(false)}
          close={() => ask(false)}
        >
          {words.text(domain, name)}
        </Confirm>
      )}
    </>
  );
};
