import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import type { UserChange } from '#contract/user-changes.ts';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/error.ts';
import { Modal } from '../../ui/modal.tsx';
import { Failed } from '../../ui/states.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import classes from '../admin.module.css';
import type { Directory } from '../directory/use-directory.ts';
import { type AccessKind, BulkAccessFields, useBulkAccess } from './bulk-access.tsx';
import { BULK_WORDS, type BulkKind } from './bulk-words.ts';
import { TakenStaysFields, useTakenStays } from './taken-stays.tsx';

/** From this many accounts on, the number has to be typed, because a click alone is too easy for so large a change. */
const TYPED_FROM = 10;
/** How many names the question lists; it counts the rest. */
const NAMED = 8;
/** Accounts of one call (`BULK_MOST_USERS`). */
const AT_ONCE = 500;

const nameOf = ({ lastName, firstName }: AdminUser): string => `${lastName}, ${firstName}`;

interface Failure {
  user: AdminUser;
  why: string;
}

/** Changes the accounts. Returns those that were refused; they do not stop the others. */
const changeAll = async (users: readonly AdminUser[], change: UserChange): Promise<Failure[]> => {
  const reasons = new Map<string, string>();
  for (let start = 0; start < users.length; start += AT_ONCE) {
    const ids = users.slice(start, start + AT_ONCE).map(({ id }) => id);
    const { refused } = await call('POST /api/admin/users/change', { body: { ids, change } });
    for (const { id, message } of refused) reasons.set(id, message);
  }
  return users.flatMap((user) => {
    const why = reasons.get(user.id);
    return why === undefined ? [] : [{ user, why }];
  });
};

const Names = ({ users }: { users: readonly AdminUser[] }) => (
  <ul className={classes.names}>
    {users.slice(0, NAMED).map((user) => (
      <li key={user.id}>
        {nameOf(user)} <span className={classes.dim}>{user.username}</span>
      </li>
    ))}
    {users.length > NAMED && <li>and {users.length - NAMED} more</li>}
  </ul>
);

interface Props {
  users: readonly AdminUser[];
  /** Called with the users who were changed, and whether that was all of them. */
  done: (kind: BulkKind, changed: readonly AdminUser[], finished: boolean) => void;
  close: () => void;
}

/** Changes all accounts at first, then retries those that were refused. */
const useChanging = ({ users, done }: Pick<Props, 'users' | 'done'>, change: UserChange) => {
  // The parent's selection shrinks as accounts are changed, so the remaining ones are kept here.
  const [remaining, setRemaining] = useState(users);
  const [total] = useState(users.length);
  const [typed, type] = useState('');
  const [failures, setFailures] = useState<Failure[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeAll(remaining, change),
    onSuccess: (left) => {
      const refused = new Set(left.map(({ user }) => user.id));
      const changed = remaining.filter(({ id }) => !refused.has(id));
      done(change.kind, changed, left.length === 0);
      type('');
      setFailures(left);
      setRemaining(left.map(({ user }) => user));
    },
  });
  return { remaining, total, typed, type, failures, error, running: isPending, run: () => mutate() };
};

type Changing = ReturnType<typeof useChanging>;

/** The accounts that were not changed, and why. */
const Refused = ({ changing: { total, failures } }: { changing: Changing }) => (
  <div role="alert">
    {total > failures.length && (
      <Text>
        Done for {total - failures.length} of {total}. Not for:
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
    what={error instanceof ApiError ? 'Nothing was changed.' : "Couldn't confirm whether anything was changed."}
    error={error}
    safe="You can safely try again."
  />
);

interface QuestionProps extends Props {
  change: UserChange;
  /** Whether everything that it needs is chosen. */
  ready: boolean;
  /** What is still to be chosen. */
  children?: ReactNode;
}

const Question = ({ users, done, close, change, ready, children }: QuestionProps) => {
  useReturnFocus();
  const changing = useChanging({ users, done }, change);
  const { remaining, typed, type, failures, error, running, run } = changing;
  const words = BULK_WORDS[change.kind];
  const count = remaining.length;
  const again = failures.length > 0;
  const mustType = count >= TYPED_FROM;
  return (
    <Modal
      opened
      onClose={() => running || close()}
      title={again ? words.refused(count) : words.title(count)}
      closeOnClickOutside={false}
    >
      {again ? (
        <Refused changing={changing} />
      ) : (
        <>
          <Text>{words.about}</Text>
          <Names users={remaining} />
          {children}
        </>
      )}
      {error && <Unsent error={error} />}
      {mustType && (
        <TextInput
          label={`Type ${count} to confirm`}
          inputMode="numeric"
          autoComplete="off"
          mt="sm"
          disabled={running}
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
      )}
      <Group gap="sm" mt="lg">
        <Button loading={running} disabled={!ready || (mustType && typed.trim() !== String(count))} onClick={run}>
          {again ? 'Try again' : words.button(count)}
        </Button>
        <Button variant="default" disabled={running} data-autofocus onClick={close}>
          {again ? 'Close' : 'Cancel'}
        </Button>
      </Group>
    </Modal>
  );
};

const AccessQuestion = ({ kind, directory, ...props }: Props & { kind: AccessKind; directory: Directory }) => {
  const access = useBulkAccess(kind, directory);
  return (
    <Question {...props} change={access.change} ready={access.isComplete}>
      <BulkAccessFields access={access} />
    </Question>
  );
};

const DisableQuestion = (props: Props) => {
  const question = useTakenStays(props.users.map(({ id }) => id));
  return (
    <Question {...props} change={question.change} ready={question.isComplete}>
      <TakenStaysFields question={question} />
    </Question>
  );
};

/** Asks, changes several accounts in the same way, and says for each that was not changed why. */
export const BulkChange = ({
  kind,
  directory,
  ...props
}: Props & { kind: BulkKind; directory: Directory | undefined }) => {
  if (kind === 'DISABLE') return <DisableQuestion {...props} />;
  if (kind !== 'GIVE_ROLE' && kind !== 'TAKE_ACCESS') return <Question {...props} change={{ kind }} ready />;
  return directory ? <AccessQuestion {...props} kind={kind} directory={directory} /> : null;
};
