import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { GroupType } from '#contract/groups.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { RemoveButton } from '../forms/remove-button.tsx';
import { useForm } from '../forms/use-form.ts';
import { CardTable } from '../ui/card-table.tsx';
import { Empty } from '../ui/states.tsx';
import { AddButton } from './add-button.tsx';
import classes from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import { groupsQuery, teamsQuery } from './admin-queries.ts';
import type { AdminGroup, AdminTeam } from './admin-types.ts';
import { choices, GROUP_TYPE_LABELS } from './labels.ts';
import { Opener } from './opener.tsx';
import { isOfSame, organizationColumn, ownedName } from './organization.ts';
import { useEditedList } from './use-edited-list.ts';

interface Values {
  name: string;
  abbreviation: string;
  type: GroupType;
  groupIds: string[];
}

const EditTeam = ({
  team,
  groups,
  saved,
  outdated,
  takeTheirs,
  close,
}: {
  team: AdminTeam | null;
  groups: AdminGroup[];
  saved: (message: string) => void;
  outdated: () => void;
  takeTheirs: () => Promise<void>;
  close: () => void;
}) => {
  const initial: Values = team ?? { name: '', abbreviation: '', type: 'PROGRAM', groupIds: [] };
  const form = useForm<Values, AdminTeam>({
    initial: { name: initial.name, abbreviation: initial.abbreviation, type: initial.type, groupIds: initial.groupIds },
    check: ({ name, abbreviation, groupIds }) => ({
      name: name.trim() ? undefined : 'Enter the name.',
      abbreviation: abbreviation.trim() ? undefined : 'Enter an abbreviation.',
      groupIds: groupIds.length > 0 ? undefined : 'Choose at least one group.',
    }),
    keys: { NAME_TAKEN: 'name' },
    version: team?.version,
    save: (body, version) =>
      team
        ? call('PUT /api/admin/teams/:id', { params: { id: team.id }, body: { ...body, version } })
        : call('POST /api/admin/teams', { body }),
    saved: ({ name }) => saved(`The team ${name} was saved.`),
    outdated,
    takeTheirs,
  });
  const { values, change, errorOf } = form;
  const first = groups.find(({ id }) => values.groupIds.includes(id));
  const joinable = groups.filter((group) => isOfSame(group, team ?? first ?? group));
  const leaving = team ? team.groupIds.filter((id) => !values.groupIds.includes(id)).length : 0;
  return (
    <EditDrawer title={team ? team.name : 'Add a team'} form={form} submit="Save" close={close}>
      <TextInput
        label="Name"
        maxLength={200}
        value={values.name}
        error={errorOf('name')}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        label="Abbreviation"
        maxLength={20}
        value={values.abbreviation}
        error={errorOf('abbreviation')}
        onChange={({ currentTarget }) => change({ abbreviation: currentTarget.value })}
      />
      <NativeSelect
        label="Type"
        value={values.type}
        error={errorOf('type')}
        onChange={({ currentTarget }) => change({ type: currentTarget.value as GroupType })}
        data={choices(GROUP_TYPE_LABELS)}
      />
      <Checkbox.Group
        label="Groups that the team works for"
        description="Teams that share a group share the status of its pings."
        value={values.groupIds}
        error={errorOf('groupIds')}
        onChange={(groupIds) => change({ groupIds })}
      >
        <div className={classes.checks}>
          {joinable.map((group) => (
            <Checkbox key={group.id} value={group.id} label={ownedName(group)} />
          ))}
        </div>
      </Checkbox.Group>
      {leaving > 0 && (
        <p role="status">
          {leaving === 1 ? 'One group leaves' : `${leaving} groups leave`} the team: its members no longer see what
          concerns {leaving === 1 ? 'it' : 'them'}.
        </p>
      )}
      {team && (
        <RemoveButton
          kind="team"
          what={`the team ${team.name}`}
          act={() => call('DELETE /api/admin/teams/:id', { params: { id: team.id } })}
          done={saved}
        >
          A team can be removed once nobody is in it. What was done under it stays on record.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};

/** Teams, and the groups that each works for. */
export const TeamsPage = () => {
  const { list: teams, editing, form } = useEditedList(teamsQuery);
  const groups = useQuery(groupsQuery);
  const nameOf = (id: string): string => groups.data?.find((group) => group.id === id)?.name ?? `No. ${id}`;
  return (
    <AdminPage
      title="Teams"
      lead="People work in teams; a team looks after the patients of its groups."
      message={editing.message}
      close={() => editing.say(null)}
      action={<AddButton words="Add a team" ready={groups.data !== undefined} add={() => editing.edit('new')} />}
    >
      <Loaded query={teams} what="teams">
        {(all) =>
          all.length === 0 ? (
            <Empty title="There is no team yet.">Add groups first, then a team that works for them.</Empty>
          ) : (
            <CardTable
              label="Teams"
              rows={all}
              columns={[
                ['Name', (team) => <Opener name={team.name} open={() => editing.edit(team)} />],
                ...organizationColumn(all),
                ['Abbreviation', ({ abbreviation }) => abbreviation],
                ['Type', ({ type }) => GROUP_TYPE_LABELS[type]],
                ['Groups', ({ groupIds }) => groupIds.map(nameOf).join(', ')],
                ['Members', ({ memberCount }) => memberCount.toLocaleString('en-US')],
              ]}
            />
          )
        }
      </Loaded>
      {form && groups.data && <EditTeam key={form.key} team={form.entry} groups={groups.data} {...form.does} />}
    </AdminPage>
  );
};
