import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/error.ts';
import { Failed } from '../../ui/states.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import classes from '../admin.module.css';
import { countAccounts } from './count-accounts.ts';

/** From this many accounts on, the number has to be typed, because a click alone is too easy for so large a change. */
const TYPED_FROM = 10;
/** How many names the question lists; it counts the rest. */
const NAMED = 8;

const nameOf = ({ lastName, firstName }: AdminUser): string => `${lastName}, ${firstName}`;

interface Failure {
  user: AdminUser;
  why: string;
}

/** Disables the accounts in one call. Returns those that were refused; they do not stop the others. */
const disableAll = async (users: readonly AdminUser[]): Promise<Failure[]> => {
  const { refused } = await call('POST /api/admin/users/disable', { body: { ids: users.map(({ id }) => id) } });
  const reasons = new Map(refused.map(({ id, message }) => [id, message]));
  return users.flatMap((user) => {
    const why = reasons.get(user.id);
    return why === undefined ? [] : [{ user, why }];
  });
};

const Question = ({ users }: { users: readonly AdminUser[] }) => (
  <>
    <Text>
      These people are signed out everywhere right away and can't sign in. Their history stays on record. You can enable
      each account again.
    </Text>
    <ul className={classes.names}>
      {users.slice(0, NAMED).map((user) => (
        <li key={user.id}>
          {nameOf(user)} <span className={classes.dim}>{user.username}</span>
        </li>
      ))}
      {users.length > NAMED && <li>and {users.length - NAMED} more</li>}
    </ul>
  </>
);

interface Props {
  users: readonly AdminUser[];
  /** Called with the users that were disabled, and whether that was all of them. */
  done: (disabled: readonly AdminUser[], finished: boolean) => void;
  close: () => void;
}

/** Disables all accounts at first, then retries those that were refused. */
const useDisabling = ({ users, done }: Pick<Props, 'users' | 'done'>) => {
  // The parent's list shrinks as accounts are disabled, so the remaining ones are kept here.
  const [remaining, setRemaining] = useState(users);
  const [total] = useState(users.length);
  const [typed, type] = useState('');
  const [failures, setFailures] = useState<Failure[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => disableAll(remaining),
    onSuccess: (left) => {
      const refused = new Set(left.map(({ user }) => user.id));
      done(
        remaining.filter(({ id }) => !refused.has(id)),
        left.length === 0,
      );
      type('');
      setFailures(left);
      setRemaining(left.map(({ user }) => user));
    },
  });
  return { remaining, total, typed, type, failures, error, running: isPending, run: () => mutate() };
};

type Disabling = ReturnType<typeof useDisabling>;

/** The accounts that were not disabled, and why. */
const Refused = ({ disabling: { total, failures } }: { disabling: Disabling }) => (
  <div role="alert">
    {total > failures.length && (
      <Text>
        {total - failures.length} of {total} accounts were disabled. These were not:
      </Text>
    )}
    <ul className={classes.names}>
      {failures.map(({ user, why }) => (
        <li key={user.id}>
          {nameOf(user)}: {why}
        </li>
      ))}
    </ul>
  </div>
);

const Unsent = ({ error }: { error: Error }) => (
  <Failed
    what={
      error instanceof ApiError ? 'No accounts were disabled.' : "Couldn't confirm whether the accounts were disabled."
    }
    error={error}
    safe="You can safely try again."
  />
);

/** Asks, disables several accounts, and says for each that was not disabled why. */
export const BulkDisable = ({ users, done, close }: Props) => {
  useReturnFocus();
  const disabling = useDisabling({ users, done });
  const { remaining, typed, type, failures, error, running, run } = disabling;
  const count = remaining.length;
  const again = failures.length > 0;
  const mustType = count >= TYPED_FROM;
  return (
    <Modal
      opened
      onClose={() => running || close()}
      title={again ? `${countAccounts(count)} not disabled` : `Disable ${countAccounts(count)}?`}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {again ? <Refused disabling={disabling} /> : <Question users={remaining} />}
      {error && <Unsent error={error} />}
      {mustType && (
        <TextInput
          label={`Type ${count} to confirm`}
          inputMode="numeric"
          autoComplete="off"
          disabled={running}
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
      )}
      <Group gap="sm" mt="lg">
        <Button loading={running} disabled={mustType && typed.trim() !== String(count)} onClick={run}>
          {again ? 'Try again' : `Disable ${countAccounts(count)}`}
        </Button>
        <Button variant="default" disabled={running} data-autofocus onClick={close}>
          {again ? 'Close' : 'Cancel'}
        </Button>
      </Group>
    </Modal>
  );
};
