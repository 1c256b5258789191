import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import classes from './admin.module.css';

/** From so many accounts on, a press alone is not enough: the number is typed (ux.md, 4.5). */
export const TYPED_FROM = 10;
/** Names that the question lists; the rest is counted. */
const NAMED = 8;

const nameOf = ({ lastName, firstName }: AdminUser): string => `${lastName}, ${firstName}`;
const accounts = (count: number): string => (count === 1 ? '1 account' : `${count} accounts`);
const wordsOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Tidings could not be reached. Check your connection.';

interface Failure {
  user: AdminUser;
  why: string;
}

/** One after the other; who is refused holds up nobody else. */
const disableAll = async (users: readonly AdminUser[], step: (done: number) => void): Promise<Failure[]> => {
  const failures: Failure[] = [];
  for (const [at, user] of users.entries()) {
    step(at);
    try {
      await call('POST /api/admin/users/:id/disable', { params: { id: user.id } });
    } catch (error) {
      failures.push({ user, why: wordsOf(error) });
    }
  }
  return failures;
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

/** Disables several accounts after a question, and says of each that was not why. `done`: those that were, and whether none is left. */
export const BulkDisable = ({
  users,
  done,
  close,
}: {
  users: readonly AdminUser[];
  done: (disabled: readonly AdminUser[], finished: boolean) => void;
  close: () => void;
}) => {
  // The list shrinks while accounts are disabled; what was asked for stays in mind.
  const [asked, ask] = useState(users);
  const [total] = useState(users.length);
  const [typed, type] = useState('');
  const [at, step] = useState<number | null>(null);
  const [failures, fail] = useState<Failure[]>([]);
  const running = at !== null;
  const count = asked.length;
  const sure = count < TYPED_FROM || typed.trim() === String(count);
  const run = async (): Promise<void> => {
    const left = await disableAll(asked, step);
    step(null);
    const refused = new Set(left.map(({ user }) => user.id));
    done(
      asked.filter(({ id }) => !refused.has(id)),
      left.length === 0,
    );
    type('');
    fail(left);
    ask(left.map(({ user }) => user));
  };
  return (
    <Modal
      opened
      onClose={() => running || close()}
      title={failures.length > 0 ? `${accounts(count)} not disabled` : `Disable ${accounts(count)}?`}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {failures.length === 0 ? (
        <Question users={asked} />
      ) : (
        <div role="alert">
          {total > count && (
            <Text>
              {total - count} of {total} were disabled. Not these:
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
      )}
      {count >= TYPED_FROM && (
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
        <Button loading={running} disabled={!sure} onClick={() => void run()}>
          {failures.length > 0 ? 'Try again' : `Disable ${accounts(count)}`}
        </Button>
        <Button variant="default" disabled={running} data-autofocus onClick={close}>
          {failures.length > 0 ? 'Close' : 'Cancel'}
        </Button>
        {running && (
          <Text role="status" size="sm" c="dimmed">
            {at + 1} of {count}
          </Text>
        )}
      </Group>
    </Modal>
  );
};
