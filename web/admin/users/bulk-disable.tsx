import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/error.ts';
import { Failed } from '../../ui/states.tsx';
import classes from '../admin.module.css';

/** From so many accounts on, a press alone is not enough: the number is typed (ux.md, 4.5). */
const TYPED_FROM = 10;
/** Names that the question lists; the rest is counted. */
const NAMED = 8;

const nameOf = ({ lastName, firstName }: AdminUser): string => `${lastName}, ${firstName}`;
const accounts = (count: number): string => (count === 1 ? '1 account' : `${count} accounts`);

interface Failure {
  user: AdminUser;
  why: string;
}

/** All in one call; who is refused holds up nobody else. */
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
      They are signed out everywhere at once and cannot sign in any more. What they have done stays on record. Each
      account can be enabled again.
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
  /** Told those that were disabled, and whether none is left. */
  done: (disabled: readonly AdminUser[], finished: boolean) => void;
  close: () => void;
}

/** The accounts that are asked about: first all, then those that were refused. */
const useDisabling = ({ users, done }: Pick<Props, 'users' | 'done'>) => {
  // The list shrinks while accounts are disabled; what was asked for stays in mind.
  const [asked, ask] = useState(users);
  const [total] = useState(users.length);
  const [typed, type] = useState('');
  const [failures, fail] = useState<Failure[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => disableAll(asked),
    onSuccess: (left) => {
      const refused = new Set(left.map(({ user }) => user.id));
      done(
        asked.filter(({ id }) => !refused.has(id)),
        left.length === 0,
      );
      type('');
      fail(left);
      ask(left.map(({ user }) => user));
    },
  });
  return { asked, total, typed, type, failures, error, running: isPending, run: () => mutate() };
};

type Disabling = ReturnType<typeof useDisabling>;

/** Who was not disabled, and why. */
const Refused = ({ disabling: { total, failures } }: { disabling: Disabling }) => (
  <div role="alert">
    {total > failures.length && (
      <Text>
        {total - failures.length} of {total} were disabled. Not these:
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
      error instanceof ApiError ? 'No account was disabled.' : 'It is not known whether the accounts were disabled.'
    }
    error={error}
    safe="Trying again does no harm."
  />
);

/** Disables several accounts after a question, and says of each that was not why. */
export const BulkDisable = ({ users, done, close }: Props) => {
  const disabling = useDisabling({ users, done });
  const { asked, typed, type, failures, error, running, run } = disabling;
  const count = asked.length;
  const again = failures.length > 0;
  const mustType = count >= TYPED_FROM;
  return (
    <Modal
      opened
      onClose={() => running || close()}
      title={again ? `${accounts(count)} not disabled` : `Disable ${accounts(count)}?`}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {again ? <Refused disabling={disabling} /> : <Question users={asked} />}
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
          {again ? 'Try again' : `Disable ${accounts(count)}`}
        </Button>
        <Button variant="default" disabled={running} data-autofocus onClick={close}>
          {again ? 'Close' : 'Cancel'}
        </Button>
      </Group>
    </Modal>
  );
};
