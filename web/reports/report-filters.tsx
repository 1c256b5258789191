import { Anchor, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { USER_STATUSES } from '#contract/user-statuses.ts';
import { type Directory, useDirectory } from '../admin/directory/use-directory.ts';
import { roleName } from '../admin/labels.ts';
import { ownedName } from '../admin/organization.ts';
import { ListCount } from '../admin/paging/list-search.tsx';
import { USER_STATUS_LOOKS } from '../admin/users/user-status-badge.tsx';
import { ChoiceField } from '../ui/choice-field.tsx';
import classes from './reports.module.css';
import type { Report } from './use-report.ts';

interface ChoiceProps<Key extends string> {
  report: Report<Key>;
  name: Key | 'sort' | 'order';
  label: string;
  /** What it shows while nothing is chosen. */
  all?: string;
  choices: readonly (readonly [value: string, label: string])[];
  /** The choice while the URL has none. */
  standard?: string;
}

/** A filter with a choice; one that searches where there are many. */
export const Choice = <Key extends string>({ report, name, label, all, choices, standard = '' }: ChoiceProps<Key>) => {
  const chosen = report.text(name) || standard;
  const known = choices.some(([value]) => value === chosen);
  return (
    <ChoiceField
      label={label}
      value={known ? chosen : ''}
      onChange={({ currentTarget }) =>
        report.set({ [name]: currentTarget.value === standard ? '' : currentTarget.value } as never)
      }
      data={[
        ...(all === undefined ? [] : [{ value: '', label: all }]),
        ...choices.map(([value, text]) => ({ value, label: text })),
      ]}
    />
  );
};

/** The typed search, the further filters and the sort of a report. */
export const ReportFilters = <Key extends string>({
  report,
  columns,
  sort,
  order = 'asc',
  children,
}: {
  report: Report<Key>;
  columns: Record<string, string>;
  /** The sort while the URL has none. */
  sort: string;
  order?: 'asc' | 'desc';
  children: ReactNode;
}) => (
  <div className={classes.filters} role="search" aria-label="Report">
    <TextInput
      label="Search"
      placeholder="Name or email"
      type="search"
      maxLength={100}
      value={report.paging.text}
      onChange={({ currentTarget }) => report.paging.type(currentTarget.value)}
    />
    {children}
    <Choice report={report} name="sort" label="Sort by" standard={sort} choices={Object.entries(columns)} />
    <NativeSelect
      label="Order"
      value={report.text('order') || order}
      onChange={({ currentTarget: { value } }) => report.set({ order: value === order ? '' : value } as never)}
      data={[
        { value: 'asc', label: 'Ascending' },
        { value: 'desc', label: 'Descending' },
      ]}
    />
  </div>
);

type OfUser = 'team' | 'group' | 'role' | 'status';

const rolesOf = (directory: Directory | undefined) =>
  (directory?.roles ?? []).map((role) => [role.id, ownedName({ ...role, name: roleName(role.name) })] as const);

/** The filters by access and status that the reports about users share. */
export const OfUserFilters = ({ report }: { report: Report<OfUser> }) => {
  const { data: directory } = useDirectory();
  return (
    <>
      <Choice
        report={report}
        name="team"
        label="Team"
        all="All teams"
        choices={(directory?.teams ?? []).map((team) => [team.id, ownedName(team)])}
      />
      <Choice
        report={report}
        name="group"
        label="Group"
        all="All groups"
        choices={(directory?.groups ?? []).map((group) => [group.id, ownedName(group)])}
      />
      <Choice report={report} name="role" label="Role" all="All roles" choices={rolesOf(directory)} />
      <Choice
        report={report}
        name="status"
        label="Status"
        all="All statuses"
        choices={USER_STATUSES.map((code) => [code, USER_STATUS_LOOKS[code].label])}
      />
    </>
  );
};

/** How many rows there are, and the file with all of them. */
export const ReportHead = ({
  report,
  total,
  one,
  many,
  file,
}: {
  report: Report<never>;
  total: number;
  one: string;
  many: string;
  /** Address of the file. */
  file: string;
}) => (
  <div className={classes.head}>
    <ListCount total={total} one={one} many={many} filters={report.filterCount} clear={report.paging.clear} />
    <Anchor data-target href={file} download>
      Download as CSV
    </Anchor>
  </div>
);
