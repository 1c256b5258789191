import { Button } from '@mantine/core';
import { Link } from '../router/link.tsx';
import { rostersPath } from '../session/paths.ts';
import { rosterGroups } from '../session/roster-groups.ts';
import { useSession } from '../session/session.ts';
import { IconUsers } from '../ui/icons.ts';
import { Empty } from '../ui/states.tsx';

/** Says that the team has no patients, whatever is searched, and leads those who may upload a roster there. */
export const NobodyListed = ({ children }: { children?: string }) => {
  const { user, team } = useSession();
  return (
    <Empty
      icon={<IconUsers size={24} stroke={1.75} aria-hidden />}
      title="No patients yet."
      action={
        rosterGroups(team).length > 0 && (
          <Button component={Link} to={rostersPath(user)} size="xs" variant="default">
            Upload a roster
          </Button>
        )
      }
    >
      Patients come from a roster upload, or from a stay at one of this team's facilities. {children}
    </Empty>
  );
};
