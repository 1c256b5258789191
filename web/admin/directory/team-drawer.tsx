import { NativeSelect, TextInput } from '@mantine/core';
import type { AdminTeam, DirectoryGroup } from '#contract/admin.ts';
import { TEAM_GROUPS_REQUIRED, TEAM_TEXTS } from '#contract/admin-fields.ts';
import { GROUP_TYPE_LABELS, type GroupType } from '#contract/groups.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf } from '../../forms/fields.ts';
import { RemoveButton } from '../../forms/remove-button.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { CheckList } from '../../ui/check-list.tsx';
import { choices } from '../labels.ts';
import { isSameOrganization, ownedName } from '../organization.ts';
import { missingTexts } from '../required-texts.ts';
import type { EntryHandlers } from '../use-edited-list.ts';

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

const useTeamForm = (team: AdminTeam | null, { saved, outdated, takeTheirs }: EntryHandlers) =>
  useForm<Values, AdminTeam>({
    initial: valuesOf(team),
    check: (values) => ({
      ...missingTexts(TEAM_TEXTS, values),
      groupIds: values.groupIds.length > 0 ? undefined : TEAM_GROUPS_REQUIRED,
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
  /** All groups that the administrator sees. */
  groups: DirectoryGroup[];
}

/** Checkboxes for the groups of one organization: the team's, or that of the first group selected. */
const TeamGroups = ({ team, groups, form: { values, change, errorOf } }: Props & { form: Form<Values> }) => {
  const chosen = new Set(values.groupIds);
  const first = groups.find(({ id }) => chosen.has(id));
  const joinable = groups.filter((group) => isSameOrganization(group, team ?? first ?? group));
  const leaving = team ? team.groupIds.filter((id) => !chosen.has(id)).length : 0;
  return (
    <>
      <CheckList
        what="groups"
        label="Groups"
        description="Teams that share a group also share the status of its pings."
        options={joinable.map((group) => ({ value: group.id, label: ownedName(group) }))}
        selected={values.groupIds}
        error={errorOf('groupIds')}
        change={(groupIds) => change({ groupIds })}
      />
      {leaving > 0 && (
        <p role="status">
          This removes {leaving === 1 ? '1 group' : `${leaving} groups`} from the team. Its members will no longer see
          the patients and pings of {leaving === 1 ? 'that group' : 'those groups'}.
        </p>
      )}
    </>
  );
};

/** The form of a team, or of a new one, beside the list. */
export const TeamDrawer = ({ team, groups, ...handlers }: EntryHandlers & Props) => {
  const form = useTeamForm(team, handlers);
  return (
    <EditDrawer title={team ? team.name : 'Add team'} form={form} submit="Save" close={handlers.close}>
      <TextInput label="Name" maxLength={TEAM_TEXTS.name.max} {...textOf(form, 'name')} />
      <TextInput label="Abbreviation" maxLength={TEAM_TEXTS.abbreviation.max} {...textOf(form, 'abbreviation')} />
      <NativeSelect label="Type" {...textOf(form, 'type')} data={choices(GROUP_TYPE_LABELS)} />
      <TeamGroups team={team} groups={groups} form={form} />
      {team && (
        <RemoveButton
          kind="team"
          what={`the team ${team.name}`}
          act={() => call('DELETE /api/admin/teams/:id', { params: { id: team.id } })}
          done={handlers.saved}
        >
          You can remove a team once no one is on it. Its history stays on record.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
