import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { GROUP_TYPE_LABELS, type GroupType } from '#contract/groups.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf } from '../../forms/fields.ts';
import { RemoveButton } from '../../forms/remove-button.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import classes from '../admin.module.css';
import type { AdminGroup, AdminTeam } from '../admin-types.ts';
import { choices } from '../labels.ts';
import { isOfSame, ownedName } from '../organization.ts';
import type { EntryActs } from '../use-edited-list.ts';

interface Values {
  name: string;
  abbreviation: string;
  type: GroupType;
  groupIds: string[];
}

const valuesOf = (team: AdminTeam | null): Values => ({
  name: team?.name ?? '',
  abbreviation: team?.abbreviation ?? '',
  type: team?.type ?? 'PROGRAM',
  groupIds: team?.groupIds ?? [],
});

const useTeamForm = (team: AdminTeam | null, { saved, outdated, takeTheirs }: EntryActs) =>
  useForm<Values, AdminTeam>({
    initial: valuesOf(team),
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

interface Props {
  /** Null for a new one. */
  team: AdminTeam | null;
  /** All that are in sight. */
  groups: AdminGroup[];
}

/** The groups of one organisation: of the team's, or of the one whose group is chosen first. */
const TeamGroups = ({ team, groups, form: { values, change, errorOf } }: Props & { form: Form<Values> }) => {
  const first = groups.find(({ id }) => values.groupIds.includes(id));
  const joinable = groups.filter((group) => isOfSame(group, team ?? first ?? group));
  const leaving = team ? team.groupIds.filter((id) => !values.groupIds.includes(id)).length : 0;
  return (
    <>
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
    </>
  );
};

/** One team, or a new one, beside the list. */
export const TeamDrawer = ({ team, groups, ...acts }: EntryActs & Props) => {
  const form = useTeamForm(team, acts);
  return (
    <EditDrawer title={team ? team.name : 'Add a team'} form={form} submit="Save" close={acts.close}>
      <TextInput label="Name" maxLength={200} {...textOf(form, 'name')} />
      <TextInput label="Abbreviation" maxLength={20} {...textOf(form, 'abbreviation')} />
      <NativeSelect label="Type" {...textOf(form, 'type')} data={choices(GROUP_TYPE_LABELS)} />
      <TeamGroups team={team} groups={groups} form={form} />
      {team && (
        <RemoveButton
          kind="team"
          what={`the team ${team.name}`}
          act={() => call('DELETE /api/admin/teams/:id', { params: { id: team.id } })}
          done={acts.saved}
        >
          A team can be removed once nobody is in it. What was done under it stays on record.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
