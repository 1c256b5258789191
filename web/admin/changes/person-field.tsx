import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { IconChevronDown } from '../../ui/icons.ts';
import classes from '../../ui/options.module.css';
import { OptionList, OptionNote, useOptionKeys } from '../../ui/options.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { userQuery, usersQuery } from '../admin-queries.ts';

interface Props {
  label: string;
  /** The id of the chosen user. */
  id: number | undefined;
  /** Gets undefined once the field is emptied. */
  choose: (id: number | undefined) => void;
}

const MOST_FOUND = 8;
const nameOf = ({ firstName, lastName }: Pick<AdminUser, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`;

/** The name of the chosen user; the id if the account is not the organization's. */
const useChosenName = (id: number | undefined): string => {
  const { data, error } = useQuery({ ...userQuery(String(id)), enabled: id !== undefined, retry: false });
  if (id === undefined) return '';
  return data ? nameOf(data) : error ? `ID ${id}` : '';
};

/** The users who are found during typing. What is typed stays in memory, because it is a person's name. */
const useFound = ({ id, choose }: Pick<Props, 'id' | 'choose'>) => {
  const name = useChosenName(id);
  const [query, ask] = useState('');
  /** Null while the field shows the choice. */
  const [typed, setTyped] = useState<string | null>(null);
  const { setText } = useDebounced(query, (text) => ask(text.trim()));
  const isAsking = typed !== null && query !== '' && query === typed.trim();
  const { data, error, isFetching } = useQuery({
    ...usersQuery({ query, pageNumber: 1, pageSize: MOST_FOUND }),
    enabled: isAsking,
  });
  const options = isAsking ? (data?.users ?? []) : [];
  const close = (): void => {
    setTyped(null);
    setText('');
  };
  const take = (user: AdminUser | undefined): void => {
    if (!user) return;
    close();
    choose(Number(user.id));
  };
  const keys = useOptionKeys({ options, take, close });
  const type = (text: string): void => {
    keys.setActive(0);
    setTyped(text);
    setText(text);
    if (text === '' && id !== undefined) choose(undefined);
  };
  const rest = (data?.total ?? 0) - options.length;
  const words = options.length > 0 ? (rest > 0 ? `${rest} more. Type more of the name.` : null) : 'No user found.';
  const message = !isAsking || isFetching ? null : error ? "Couldn't look up users." : words;
  return { text: typed ?? name, type, options, take, keys, close, message };
};

/** A field that finds a user of the organization by name or email. */
export const PersonField = ({ label, id, choose }: Props) => {
  const { text, type, options, take, keys, close, message } = useFound({ id, choose });
  return (
    <div className={classes.field}>
      <TextInput
        {...keys.field}
        label={label}
        placeholder="Anyone"
        rightSection={<IconChevronDown size={14} stroke={1.75} aria-hidden />}
        rightSectionPointerEvents="none"
        value={text}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={keys.onKeyDown}
        onBlur={close}
      />
      <div className={classes.over}>
        <OptionList
          id={keys.id}
          label={`Users found for ${label.toLowerCase()}`}
          options={options.map((user) => ({ key: user.id, label: nameOf(user), aside: user.username }))}
          active={keys.active}
          take={(at) => take(options[at])}
        />
        <OptionNote>{message}</OptionNote>
      </div>
    </div>
  );
};
