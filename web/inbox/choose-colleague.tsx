import { Button, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Colleague } from '#contract/worklist.ts';
import { MOST_COLLEAGUES } from '#contract/worklist-words.ts';
import { reasonOf } from '../api/error.ts';
import { useSession } from '../session/session.ts';
import { focusOnce } from '../ui/keep-focus.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import classes from './work.module.css';
import { colleaguesQuery } from './work-queries.ts';

interface Props {
  label: string;
  /** Whether the user can be chosen too; they are offered first. */
  withSelf: boolean;
  /** Offered as "No one"; null where someone has to be chosen. */
  clear: (() => void) | null;
  choose: (colleague: Colleague) => void;
  cancel: () => void;
}

/** What there is to say about the names that were found. */
const AboutNames = ({ found, error }: { found: number | undefined; error: Error | null }) => (
  <>
    {found === 0 && (
      <Text size="sm" c="dimmed" role="status">
        No matches. Try fewer letters.
      </Text>
    )}
    {found === MOST_COLLEAGUES && (
      <Text size="sm" c="dimmed">
        Type a name to see more people.
      </Text>
    )}
    {error && (
      <Text size="sm" role="alert">
        Couldn’t load your colleagues. {reasonOf(error)}
      </Text>
    )}
  </>
);

/** A search for a user of the team, by name. */
export const ChooseColleague = ({ label, withSelf, clear, choose, cancel }: Props) => {
  const { user } = useSession();
  const [query, ask] = useState('');
  const { text, setText } = useDebounced(query, ask);
  const { data, error, isPlaceholderData } = useQuery({
    ...colleaguesQuery(query.trim()),
    placeholderData: (previous) => previous,
  });
  /** The names below are those of what was typed before: a quick key must not choose one of them. */
  const isOld = isPlaceholderData || text !== query;
  const others = (data ?? []).filter(({ id }) => id !== user.id);
  return (
    <div
      className={classes.chooser}
      role="group"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        cancel();
      }}
    >
      <TextInput
        size="xs"
        label={label}
        placeholder="Search by name"
        value={text}
        maxLength={100}
        autoComplete="off"
        // Opened by a key or a button, for typing.
        ref={focusOnce}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          const [only, ...more] = others;
          if (key === 'Enter' && text !== '' && !isOld && only && more.length === 0) choose(only);
        }}
      />
      <ul className={classes.names}>
        {withSelf && text === '' && (
          <li>
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => choose({ id: user.id, name: `${user.firstName} ${user.lastName}` })}
            >
              Me
            </Button>
          </li>
        )}
        {others.map((colleague) => (
          <li key={colleague.id}>
            <Button size="compact-sm" variant="default" disabled={isOld} onClick={() => choose(colleague)}>
              {colleague.name}
            </Button>
          </li>
        ))}
      </ul>
      <AboutNames found={data?.length} error={error} />
      <div className={classes.line}>
        {clear && text === '' && (
          <Button size="compact-sm" variant="subtle" onClick={clear}>
            No one
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
};
