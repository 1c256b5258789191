import { NativeSelect } from '@mantine/core';
import type { RefObject } from 'react';
import {
  LAST_SIGN_INS,
  type LastSignIn,
  SIGN_IN_WAYS,
  type SignInWay,
  USER_SORTS,
  USER_STATUSES,
  type UserSort,
} from '#contract/user-statuses.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import classes from '../admin.module.css';
import type { Directory } from '../directory/use-directory.ts';
import { roleName } from '../labels.ts';
import { ownedName } from '../organization.ts';
import { ListSearch } from '../paging/list-search.tsx';
import type { Users } from './use-users.ts';
import { USER_STATUS_LOOKS } from './user-status-badge.tsx';
import type { UserFilterValues } from './users-search.ts';

const AWAY_WORDS: Record<LastSignIn, string> = {
  NEVER: 'Never',
  OVER_30_DAYS: 'Not for 30 days',
  OVER_90_DAYS: 'Not for 90 days',
};
const WAY_WORDS: Record<SignInWay, string> = {
  SSO: 'Single sign-on',
  SECOND_FACTOR: 'Code or passkey',
  PASSWORD_ONLY: 'Password only',
};
const SORT_WORDS: Record<UserSort, string> = {
  NAME: 'Name',
  LAST_SIGN_IN: 'Last sign-in, latest first',
  LONGEST_AWAY: 'Last sign-in, longest ago first',
  CREATED: 'Newest accounts first',
};

interface FilterProps {
  users: Users;
  name: keyof UserFilterValues;
  label: string;
  /** What stands for no filter. */
  all?: string;
  choices: readonly (readonly [value: string, label: string])[];
}

/** One filter. A list of teams or groups may be long enough to be searched. */
const Filter = ({ users, name, label, all, choices }: FilterProps) => {
  const data = [
    ...(all === undefined ? [] : [{ value: '', label: all }]),
    ...choices.map(([value, words]) => ({ value, label: words })),
  ];
  const props = {
    label,
    data,
    value: String(users.filters[name] ?? ''),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => users.filterBy(name, currentTarget.value),
  };
  return name === 'team' || name === 'group' ? <ChoiceField {...props} /> : <NativeSelect {...props} />;
};

/** The search above the list of users, and its filters. */
export const UserFilters = ({
  users,
  directory,
  field,
}: {
  users: Users;
  directory: Directory | undefined;
  field: RefObject<HTMLInputElement | null>;
}) => (
  <>
    <ListSearch field={field} placeholder="Name or email" text={users.paging.text} type={users.paging.type}>
      <Filter users={users} name="sort" label="Sort by" choices={USER_SORTS.map((code) => [code, SORT_WORDS[code]])} />
    </ListSearch>
    <details className={classes.more} open={users.isFiltered}>
      <summary>Filters</summary>
      <div className={classes.moreFilters}>
        <Filter
          users={users}
          name="status"
          label="Status"
          all="All statuses"
          choices={USER_STATUSES.map((code) => [code, USER_STATUS_LOOKS[code].label])}
        />
        <Filter
          users={users}
          name="team"
          label="Team"
          all="All teams"
          choices={(directory?.teams ?? []).map((team) => [team.id, ownedName(team)])}
        />
        <Filter
          users={users}
          name="group"
          label="Group"
          all="All groups"
          choices={(directory?.groups ?? []).map((group) => [group.id, ownedName(group)])}
        />
        <Filter
          users={users}
          name="role"
          label="Role"
          all="All roles"
          choices={(directory?.roles ?? []).map(({ id, name }) => [id, roleName(name)])}
        />
        <Filter
          users={users}
          name="away"
          label="Last sign-in"
          all="Any time"
          choices={LAST_SIGN_INS.map((code) => [code, AWAY_WORDS[code]])}
        />
        <Filter
          users={users}
          name="by"
          label="Signs in with"
          all="Anything"
          choices={SIGN_IN_WAYS.map((code) => [code, WAY_WORDS[code]])}
        />
      </div>
    </details>
  </>
);
