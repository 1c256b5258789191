import { useSession } from '../session/session.ts';
import { LongSelect } from '../ui/long-select.tsx';

/** Limits a list to one group of the team. Renders nothing for a team with a single group. */
export const GroupSelect = ({
  group = '',
  choose,
}: {
  group: string | undefined;
  choose: (group?: string) => void;
}) => {
  const { team } = useSession();
  const groups = Object.values(team.groups).sort((a, b) => a.name.localeCompare(b.name));
  if (groups.length < 2) return null;
  return (
    <LongSelect
      aria-label="Group"
      value={group}
      choose={(id) => choose(id || undefined)}
      data={[{ value: '', label: 'All groups' }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  );
};
