import { useSession } from '../session/session.ts';
import { LONGEST_LIST } from '../ui/long-lists.ts';
import { Select } from '../ui/select.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

/** The first page has no field that searches. */
const loadSearch = () => import('./group-search.tsx').then((file) => file.GroupSearch);

/** Limits a list to one group of the team, which is searched for where there are many. Renders nothing for a team with a single group. */
export const GroupSelect = ({
  group = '',
  choose,
}: {
  group: string | undefined;
  choose: (group?: string) => void;
}) => {
  const { team } = useSession();
  const groups = Object.values(team.groups).sort((a, b) => a.name.localeCompare(b.name));
  const GroupSearch = useLoaded(loadSearch, groups.length > LONGEST_LIST, false);
  if (groups.length < 2) return null;
  const data = [{ value: '', label: 'All groups' }, ...groups.map(({ id, name }) => ({ value: id, label: name }))];
  const Field = GroupSearch ?? Select;
  return (
    <Field
      aria-label="Group"
      value={group}
      onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}
      data={data}
    />
  );
};
