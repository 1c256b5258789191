import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SsoConnection } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { CopyValue } from '../../forms/copy-value.tsx';
import { IconCheck, IconClock } from '../../ui/icons.ts';
import { Failed } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from '../admin.module.css';

type DomainState = SsoConnection['domainStates'][number];

const VERIFIED_BY = { DNS: 'Verified by DNS record', OPERATOR: 'Approved by an operator' } as const;

/** What to publish to verify a domain, and the buttons that do it. */
const Pending = ({
  connection: { id, canApproveDomains },
  state: { domain, record },
  changed,
}: {
  connection: SsoConnection;
  state: DomainState;
  changed: (connection: SsoConnection) => void;
}) => {
  const request = { params: { id }, body: { domain } };
  const check = useMutation({
    mutationFn: () => call('POST /api/admin/sso-connections/:id/check-domain', request),
    onSuccess: changed,
  });
  const approve = useMutation({
    mutationFn: () => call('POST /api/admin/sso-connections/:id/approve-domain', request),
    onSuccess: changed,
  });
  const error = check.error ?? approve.error;
  return (
    <>
      <Text size="sm">
        Add this TXT record to the DNS of {domain}, then check it. Until then, no one with this domain signs in here.
      </Text>
      <CopyValue label={`TXT record for ${domain}`} value={record} />
      <Group gap="sm" mt={8}>
        <Button
          size="xs"
          variant="default"
          aria-label={`Check ${domain} now`}
          loading={check.isPending}
          disabled={approve.isPending}
          onClick={() => check.mutate()}
        >
          Check now
        </Button>
        {canApproveDomains && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Approve ${domain} without the record`}
            loading={approve.isPending}
            disabled={check.isPending}
            onClick={() => approve.mutate()}
          >
            Approve without the record
          </Button>
        )}
      </Group>
      {error && <Failed what={`${domain} wasn't verified.`} error={error} />}
    </>
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
          <li key={state.domain} className={classes.grant}>
            <div className={classes.grantLine}>
              <span className={classes.place}>{state.domain}</span>
              {state.verifiedBy ? (
                <StatusBadge color="positive" Icon={IconCheck}>
                  {VERIFIED_BY[state.verifiedBy]}
                </StatusBadge>
              ) : (
                <StatusBadge color="caution" Icon={IconClock}>
                  Pending
                </StatusBadge>
              )}
            </div>
            {!state.verifiedBy && <Pending connection={connection} state={state} changed={changed} />}
          </li>
        ))}
      </ul>
    </section>
  );
