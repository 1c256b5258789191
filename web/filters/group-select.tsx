import { useSession } from '../session/session.ts';
import { Select } from '../ui/select.tsx';

/** Limits a list to one group of the team. Renders nothing for a team with a single group. */
export const GroupSelect = ({ group, choose }: { group: string | undefined; choose: (group?: string) => void }) => {
  const { team } = useSession();
  const groups = Object.values(team.groups).sort((a, b) => a.name.localeCompare(b.name));
  if (groups.length < 2) return null;
  return (
    <Select
      aria-label="Group"
      value={group ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}
      data={[{ value: '', label: 'All groups' }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  );
};
