import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Grant } from '#contract/admin.ts';
import { containsText } from '../../ui/contains-text.ts';
import { Pager } from '../../ui/pager.tsx';
import classes from '../admin.module.css';
import { PermissionChoices } from '../directory/permission-choices.tsx';
import type { Directory } from '../directory/use-directory.ts';
import { roleName } from '../labels.ts';
import type { Owned } from '../organization.ts';
import { AddAccess } from './add-access.tsx';
import { permissionsOf, withPermissions } from './grant-changes.ts';
import { rolesOf } from './team-roles.ts';
import type { AccessValues } from './use-new-access.ts';

/** Grants on a page. */
const ROWS = 15;

const difference = ({ added, removed }: Grant): string =>
  [added.length && `${added.length} added`, removed.length && `${removed.length} removed`].filter(Boolean).join(', ');

const GrantRow = ({
  grant,
  directory,
  change,
  remove,
}: {
  grant: Grant;
  directory: Directory;
  change: (grant: Grant) => void;
  remove: () => void;
}) => {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const place = directory.placeName(grant);
  const role = directory.roles.find(({ id }) => id === grant.roleId);
  return (
    <li className={classes.grant}>
      <div className={classes.grantLine}>
        <span className={classes.place}>{place}</span>
        <NativeSelect
          size="xs"
          aria-label={`Role at ${place}`}
          value={grant.roleId}
          onChange={({ currentTarget }) => change({ ...grant, roleId: currentTarget.value, added: [], removed: [] })}
          data={rolesOf(grant, directory).map(({ id, name }) => ({ value: id, label: roleName(name) }))}
        />
        <Button
          size="xs"
          variant="default"
          aria-expanded={open}
          aria-controls={panel}
          aria-label={`Custom permissions at ${place}${difference(grant) && `: ${difference(grant)}`}`}
          onClick={() => setOpen(!open)}
        >
          {difference(grant) || 'Custom permissions'}
        </Button>
        <Button size="xs" variant="default" aria-label={`Remove access to ${place}`} onClick={remove}>
          Remove
        </Button>
      </div>
      <div id={panel} hidden={!open}>
        {open && (
          <PermissionChoices
            selected={permissionsOf(grant, directory.roles)}
            role={role?.permissions ?? []}
            select={(permissions) => change(withPermissions(grant, permissions, directory.roles))}
          />
        )}
      </div>
    </li>
  );
};

interface GrantListProps {
  grants: Grant[];
  directory: Directory;
  change: (values: { grants: Grant[] }) => void;
}

/** A page of the grants that match the search; all of them where there are few. */
const GrantList = ({ grants, directory, change }: GrantListProps) => {
  const [text, setText] = useState('');
  const [page, go] = useState(1);
  const found = grants
    .map((grant, at) => ({ grant, at }))
    .filter(({ grant }) => text.trim() === '' || containsText(directory.placeName(grant), text.trim()));
  const pages = Math.max(Math.ceil(found.length / ROWS), 1);
  const start = (Math.min(page, pages) - 1) * ROWS;
  return (
    <>
      {grants.length > ROWS && (
        <TextInput
          size="xs"
          type="search"
          aria-label="Search access"
          placeholder={`Search access to ${grants.length.toLocaleString('en-US')} groups`}
          maxLength={100}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            go(1);
          }}
        />
      )}
      <ul className={classes.grants}>
        {found.slice(start, start + ROWS).map(({ grant, at }) => (
          <GrantRow
            key={`${grant.teamId} ${grant.groupId}`}
            grant={grant}
            directory={directory}
            change={(next) => change({ grants: grants.with(at, next) })}
            remove={() => change({ grants: grants.toSpliced(at, 1) })}
          />
        ))}
      </ul>
      {found.length === 0 && text && <Text c="dimmed">No matches. Try fewer letters.</Text>}
      <Pager page={Math.min(page, pages)} pages={pages} go={go} />
    </>
  );
};

/** What a user may do, by team and group: a role, with single permissions added or removed. */
export const GrantsEditor = ({
  grants,
  selected,
  directory,
  owner,
  change,
}: AccessValues & {
  directory: Directory;
  /** Whose access it is; absent until there is an account. */
  owner?: Owned;
  change: (values: Partial<AccessValues>) => void;
}) => (
  <section aria-label="Access">
    <h3 className={classes.subhead}>Access</h3>
    {grants.length === 0 && (
      <Text c="dimmed">No access yet. Without access, this person can sign in but can't open anything.</Text>
    )}
    <GrantList grants={grants} directory={directory} change={change} />
    <AddAccess grants={grants} selected={selected} directory={directory} owner={owner} change={change} />
  </section>
);
