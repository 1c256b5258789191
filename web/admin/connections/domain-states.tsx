import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SsoConnection } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { CopyValue } from '../../forms/copy-value.tsx';
import { IconCheck, IconClock } from '../../ui/icons.ts';
import { Failed } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from '../admin.module.css';
import { DomainDecision } from './domain-decision.tsx';

type DomainState = SsoConnection['domainStates'][number];

const VERIFIED_BY = { DNS: 'Verified by DNS record', OPERATOR: 'Approved by an operator' } as const;

/** One domain: its state, what to publish to verify it, and the buttons that do it. */
const Domain = ({
  connection,
  state: { domain, record, verifiedBy },
  changed,
}: {
  connection: SsoConnection;
  state: DomainState;
  changed: (connection: SsoConnection) => void;
}) => {
  const item = useRef<HTMLLIElement>(null);
  const decided = (after: SsoConnection, message: string): void => {
    changed(after);
    showToast({ type: 'success', message });
  };
  const check = useMutation({
    mutationFn: () =>
      call('POST /api/admin/sso-connections/:id/check-domain', { params: { id: connection.id }, body: { domain } }),
    onSuccess: (after) => {
      decided(after, `The domain ${domain} was verified.`);
      // The button that had the focus goes away.
      item.current?.focus();
    },
  });
  return (
    <li ref={item} tabIndex={-1} aria-label={domain} className={classes.grant}>
      <div className={classes.grantLine}>
        <span className={classes.place}>{domain}</span>
        {verifiedBy ? (
          <StatusBadge color="positive" Icon={IconCheck}>
            {VERIFIED_BY[verifiedBy]}
          </StatusBadge>
        ) : (
          <StatusBadge color="caution" Icon={IconClock}>
            Pending
          </StatusBadge>
        )}
      </div>
      {!verifiedBy && (
        <>
          <Text size="sm">
            Add this TXT record to the DNS of {domain}, then check it. Until then, no one with this domain signs in
            here.
          </Text>
          <CopyValue label={`TXT record for ${domain}`} value={record} />
        </>
      )}
      <Group gap="sm" mt={8}>
        {!verifiedBy && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Check ${domain} now`}
            loading={check.isPending}
            onClick={() => check.mutate()}
          >
            Check now
          </Button>
        )}
        {connection.canApproveDomains && verifiedBy !== 'DNS' && (
          // The same button before and after, so that it keeps the focus.
          <DomainDecision
            key="decision"
            decision={verifiedBy ? 'revoke' : 'approve'}
            connection={connection}
            domain={domain}
            decided={decided}
          />
        )}
      </Group>
      {check.error && <Failed what={`${domain} wasn't verified.`} error={check.error} />}
    </li>
  );
};

/** The saved domains of a connection, and how to verify those that are pending. */
export const DomainStates = ({
  connection,
  changed,
}: {
  connection: SsoConnection;
  changed: (connection: SsoConnection) => void;
}) =>
  connection.domainStates.length > 0 && (
    <section aria-label="Domain verification">
      <h3 className={classes.subhead}>Domain verification</h3>
      <ul className={classes.grants}>
        {connection.domainStates.map((state) => (
          <Domain key={state.domain} connection={connection} state={state} changed={changed} />
        ))}
      </ul>
    </section>
  );
